"""Questions that stand on more than one map: stored, exported, proved, shown, kept from dropping and from a refresh."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.core.errors import Conflict, ProofError
from app.core.settings import Role, Settings
from app.db.engine import connect, use_schema
from app.questions.assembling import read_evidence
from app.questions.records import QuestionRecord, SnapshotRef
from app.questions.refresh.starting import start
from app.questions.snapshots import find_snapshots
from app.questions.stored import load_questions
from app.questions.verification import Verification
from app.questions.verifying import verify
from app.questions.versions import PublishedVersion
from tests.support.command_line import export, lines, trigpoint
from tests.support.rich_questions import lines_by_template, make_rich, recording_endpoint
from tests.support.town import Map, import_map, make_town, offset

FIRST, OTHER = "T5", "T23"


class Made(NamedTuple):
    settings: Settings
    version: PublishedVersion
    record: QuestionRecord
    village: SnapshotRef

    def verified(self) -> Verification:
        with connect(self.settings, Role.MAINTAINER) as connection:
            return verify(connection, load_questions(connection, self.version), lambda done: None)


def import_village(settings: Settings, folder: Path, eatery: str = "Far Krone") -> SnapshotRef:
    """A second map that has one place to eat."""
    village = Map(box=(12.0, 49.8, 12.2, 50.2))
    village.eat(offset((12.1, 50.0), 0, 1), 90, 100, eatery)
    import_map(settings, village.write(folder / "village.osm"), "village")
    with connect(settings, Role.WORKER) as connection:
        return find_snapshots(connection, ["village"])[0]


def on_both(settings: Settings, village: SnapshotRef) -> Callable[[QuestionRecord], QuestionRecord]:
    """Puts a question on the village's map too, with the place there as evidence."""
    with connect(settings, Role.WORKER) as connection:
        use_schema(connection, village.schema)
        key = ("poi", "n1")
        (found,) = read_evidence(connection, [key]).values()
    further: dict[str, Any] = {**found, "snapshot": village.reference}
    return lambda one: replace(one, further_snapshots=[village], evidence=[*one.evidence, further])


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_town().write(tmp_path_factory.mktemp("several") / "town.osm")


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings], file: Path) -> Made:
    settings = make_database()
    village = import_village(settings, file.parent)
    changes = {FIRST: on_both(settings, village), OTHER: lambda one: one}
    version, records = make_rich(settings, file, "several", changes, maps=["village"])
    return Made(settings, version, records[FIRST], village)


def test_both_maps_are_stored_and_exported(made: Made, tmp_path: Path) -> None:
    with connect(made.settings, Role.MAINTAINER) as connection:
        stored = {one.template: one for one in load_questions(connection, made.version)}
    assert [one.name for one in stored[FIRST].snapshots] == ["town", "village"]
    assert [one.name for one in stored[OTHER].snapshots] == ["town"]
    rows = lines_by_template(lines(export(made.settings, "several", tmp_path)))
    assert rows[FIRST]["snapshots"] == [one.as_json() for one in made.record.snapshots]
    assert [one["snapshot"].split("@")[0] for one in rows[OTHER]["snapshots"]] == ["town"]


def test_a_question_shows_both_maps(made: Made) -> None:
    from app.published.questions import Wanted, read_questions

    with connect(made.settings, Role.API) as connection:
        found = {
            one.question.template: one.question
            for one in read_questions(connection, Wanted(dataset="several"), None, 10)
        }
    assert found[FIRST].further_snapshots == [made.village.reference]
    assert found[FIRST].city == "town"
    assert found[OTHER].further_snapshots is None


def test_a_version_keeps_every_map_of_its_questions(
    make_database: Callable[[], Settings], file: Path
) -> None:
    settings = make_database()
    village = import_village(settings, file.parent)
    change = on_both(settings, village)
    with pytest.raises(ProofError, match=r"stands on village@.*; its version does not"):
        make_rich(settings, file, "several", {FIRST: change})


def test_no_map_of_a_question_is_dropped(made: Made) -> None:
    refused = trigpoint(made.settings, "snapshot", "drop", made.village.reference)
    assert refused.status != 0
    assert "several@1" in refused.err


def test_a_refresh_is_refused(made: Made) -> None:
    with (
        connect(made.settings, Role.WORKER) as connection,
        pytest.raises(Conflict, match="1 question that stands on"),
    ):
        start(connection, "several", "town", lambda old, new: 0)


@pytest.mark.parametrize("solver", ["rag", "text_to_sql"])
def test_a_solver_that_sees_one_map_refuses(made: Made, solver: str) -> None:
    with recording_endpoint("x") as (address, asked):
        refused = trigpoint(
            made.settings, "evaluate", "several", "--solver", solver, "--endpoint", address, "--model", "m"
        )
    assert refused.status == 2
    assert "1 question stands on several maps" in refused.err
    assert not any("Which" in str(body) for body in asked)


def test_evidence_is_looked_at_on_its_own_map(
    made: Made, superuser_of: Callable[[Settings], str], tmp_path: Path
) -> None:
    import psycopg

    assert made.verified().proved
    with psycopg.connect(superuser_of(made.settings)) as tampering:
        tampering.execute(f"update {made.village.schema}.poi set name = 'Other' where osm_key = 'n1'")  # type: ignore[arg-type]
        tampering.execute("set session_replication_role = replica")
        tampering.execute(
            "update trigpoint.proof set snapshots = snapshots - 1 where question_id = %s", (made.record.id,)
        )
    found = made.verified()
    assert {one.path for one in found.failures} == {"evidence", "maps"}
    assert {one.id for one in found.failures} == {made.record.id}


def test_maps_of_a_published_question_never_change(made: Made) -> None:
    for statement in (
        "delete from question_snapshot",
        "update question_snapshot set position = 2",
        "insert into question_snapshot select version_id, question_id, 7, snapshot_id from question_snapshot",
        "insert into solution select version_id, question_id, 'graph', '{}' from question_snapshot",
    ):
        with (
            connect(made.settings, Role.WORKER) as connection,
            pytest.raises(DBAPIError, match="never changes"),
        ):
            connection.execute(text(statement))
