"""Snapshots dropped, and refused to be: by who needs them, by who reads them, by who drops them too. Real connections."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy.exc import IntegrityError

from app.core.clock import ManualClock
from app.core.errors import Conflict, Held, NotFound, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.snapshots import find_snapshots
from app.questions.stored import load_questions
from app.questions.versions import find_version
from osm_import import keeping, queries
from osm_import.importing import ImportResult, import_extract
from osm_import.keeping import drop_snapshot, list_snapshots
from osm_import.progress import Silent
from tests.support.command_line import generate, trigpoint
from tests.support.processes import wait_until
from tests.support.town import make_town

NOW = datetime(2024, 6, 5, 7, 8, 9, tzinfo=UTC)


@pytest.fixture
def database(make_database: Callable[[], Settings]) -> Settings:
    """A database of its own: published versions cannot be cleared away."""
    return make_database()


@pytest.fixture
def cafe(write_map: Callable[..., Path], database: Settings) -> Callable[..., ImportResult]:
    """A function that imports a map of one café, of a day of May 2024."""

    def load(day: int = 6, name: str = "hamlet", place: str = "Cafe") -> ImportResult:
        file = write_map(
            f"n500 v1 x9.0015 y47.0015 Tamenity=cafe,name={place}",
            name=f"{place}-{day}.osm.pbf",
            timestamp=f"2024-05-{day:02}T07:08:09Z",
        )
        return import_extract(database, str(file), name, ManualClock(NOW), Silent())

    return load


@pytest.fixture
def query(superuser_of: Callable[[Settings], str], database: Settings) -> Callable[[str], list[Any]]:
    def ask(statement: str) -> list[Any]:
        with psycopg.connect(superuser_of(database)) as connection:
            return connection.execute(statement).fetchall()

    return ask


STATES = "select state from trigpoint.snapshot order by id"
SCHEMAS = "select nspname from pg_namespace where nspname ~ '^(osm|reference)_' order by 1"


@pytest.fixture
def dataset(database: Settings, tmp_path: Path) -> Settings:
    """A database with the toy town and a data set of it."""
    file = make_town().write(tmp_path / "town.osm")
    import_extract(database, str(file), "town", ManualClock(NOW), Silent())
    done = generate(database, "gsqa", "town", "toy", "--bank", "3", "--per-template", "2")
    assert done.status == 0, done.err
    return database


# --- what is removed --------------------------------------------------------------------------------------------


def test_both_schemas_go_and_the_row_stays(
    database: Settings, cafe: Callable[..., ImportResult], query: Callable[[str], list[Any]]
) -> None:
    old, new = cafe(day=6), cafe(day=7)
    with pytest.raises(UsageError, match=r"'hamlet' fits 2 snapshots: .*Name one by its timestamp or schema"):
        drop_snapshot(database, "hamlet")
    done = trigpoint(database, "snapshot", "drop", "hamlet@2024-05-07T07:08:09Z", "--json")
    assert done.json == {
        "snapshot": "hamlet@2024-05-07T07:08:09Z",
        "schema": new.schema,
        "was": "published",
        "dropped": True,
        "remaining": ["hamlet@2024-05-06T07:08:09Z"],
    }
    assert query(STATES) == [("published",), ("dropped",)]
    assert query(SCHEMAS) == [(old.schema,), ("reference_" + old.schema.rsplit("_", 1)[1],)]
    with connect(database, Role.WORKER) as connection:
        assert [one.schema for one in find_snapshots(connection, ["hamlet"])] == [old.schema]
    said = trigpoint(database, "snapshot", "drop", "hamlet").out
    assert "Published maps of 'hamlet' that remain: none." in said
    assert query(SCHEMAS) == []
    again = trigpoint(database, "snapshot", "drop", "hamlet")
    assert (again.status, "was dropped already" in again.err) == (2, True)
    assert not cafe(day=7).reused, "what was dropped may be imported again"


def test_two_of_one_time_are_told_apart_by_schema(
    database: Settings, cafe: Callable[..., ImportResult]
) -> None:
    one, other = cafe(place="One"), cafe(place="Other")
    with pytest.raises(UsageError, match=f"{one.schema}.*Name one"):
        drop_snapshot(database, "hamlet@2024-05-06T07:08:09Z")
    assert drop_snapshot(database, other.schema).snapshot.schema == other.schema


def test_a_failed_import_is_dropped_last(
    database: Settings,
    cafe: Callable[..., ImportResult],
    write_map: Callable[..., Path],
    query: Callable[[str], list[Any]],
) -> None:
    empty = write_map("w1 v1 Twaterway=stream Nn11,n12", name="empty.osm.pbf")
    with pytest.raises(Exception, match="holds no place"):
        import_extract(database, str(empty), "hamlet", ManualClock(NOW), Silent())
    cafe()
    assert drop_snapshot(database, "hamlet").snapshot.state == "published"
    assert drop_snapshot(database, "hamlet").snapshot.state == "failed"
    assert query(STATES) == [("dropped",), ("dropped",)]


def test_nothing_of_that_name(database: Settings, cafe: Callable[..., ImportResult]) -> None:
    cafe()
    done = trigpoint(database, "snapshot", "drop", "atlantis")
    assert done.status == 2
    assert "There is no snapshot 'atlantis'. There are: hamlet@2024-05-06T07:08:09Z." in done.err


# --- what is refused --------------------------------------------------------------------------------------------


def test_a_version_keeps_its_map(dataset: Settings, query: Callable[[str], list[Any]]) -> None:
    done = trigpoint(dataset, "snapshot", "drop", "town")
    assert done.status == 1
    assert "toy@1 uses it, and a published version never changes. Nothing was dropped." in done.err
    assert query(STATES) == [("published",)]
    (listed,) = trigpoint(dataset, "snapshots", "--json").json["snapshots"]
    assert (listed["needed_by"], listed["newest"]) == (["toy@1"], True)
    assert "town@2024-05-06T07:08:09Z is needed by toy@1." in trigpoint(dataset, "snapshots").out


def test_an_import_that_runs_keeps_its_snapshot(
    database: Settings, cafe: Callable[..., ImportResult], superuser_of: Callable[[Settings], str]
) -> None:
    cafe()
    with psycopg.connect(superuser_of(database)) as other:
        other.execute("update trigpoint.snapshot set state = 'importing'")
        other.commit()
        other.execute(queries.LOCK, {"name": "hamlet"})
        with pytest.raises(Held, match="is being imported at the moment"):
            drop_snapshot(database, "hamlet")
    assert drop_snapshot(database, "hamlet").snapshot.state == "importing"


def test_who_reads_is_not_cut_off(
    database: Settings, cafe: Callable[..., ImportResult], query: Callable[[str], list[Any]]
) -> None:
    schema = cafe().schema
    with connect(database, Role.READER) as reader:
        view = f"reference_{schema.rsplit('_', 1)[1]}.pois"
        assert reader.exec_driver_sql(f"select count(*) from {view}").scalar() == 1
        with pytest.raises(Held, match="is being read or changed by somebody else"):
            drop_snapshot(database, "hamlet")
        assert reader.exec_driver_sql(f"select count(*) from {view}").scalar() == 1
    assert query(STATES) == [("published",)]
    drop_snapshot(database, "hamlet")


def test_a_lost_map_is_told_in_a_sentence(dataset: Settings, superuser_of: Callable[[Settings], str]) -> None:
    with psycopg.connect(superuser_of(dataset)) as connection:
        connection.execute("update trigpoint.snapshot set state = 'dropped'")
    with (
        connect(dataset, Role.MAINTAINER) as connection,
        pytest.raises(Conflict, match=r"toy@1 stands on town@.* \(dropped\), which cannot be read any more"),
    ):
        load_questions(connection, find_version(connection, "toy"))
    done = trigpoint(dataset, "verify", "toy")
    assert (done.status, "Traceback" in done.err) == (1, False)


# --- races, with two real connections ----------------------------------------------------------------------------


def test_questions_in_the_making_pin_their_map(
    database: Settings, cafe: Callable[..., ImportResult], query: Callable[[str], list[Any]]
) -> None:
    cafe()
    with connect(database, Role.WORKER) as maker:
        (found,) = find_snapshots(maker, ["hamlet"])
        with pytest.raises(Held, match="Questions are being made of hamlet@2024-05-06"):
            drop_snapshot(database, "hamlet")
        assert maker.exec_driver_sql(f"select count(*) from {found.schema}.poi").scalar() == 1
    assert query(STATES) == [("published",)]
    drop_snapshot(database, "hamlet")


class Pause:
    """Stops a drop after its last statement, before it commits."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self.go_on = threading.Event(), threading.Event()
        read, self.reads = keeping._read_snapshots, 0

        def paused(connection: Any) -> Any:
            self.reads += 1
            if self.reads == 2:
                self.reached.set()
                assert self.go_on.wait(60)
            return read(connection)

        monkeypatch.setattr(keeping, "_read_snapshots", paused)


def in_thread(work: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    results: list[Any] = []

    def run() -> None:
        try:
            results.append(work())
        except Exception as error:
            results.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, results


def test_who_comes_while_a_drop_is_underway_waits_and_finds_nothing(
    database: Settings,
    cafe: Callable[..., ImportResult],
    query: Callable[[str], list[Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cafe()
    pause = Pause(monkeypatch)
    dropper, dropped = in_thread(lambda: drop_snapshot(database, "hamlet"))
    assert pause.reached.wait(60)

    def make() -> Any:
        with connect(database, Role.WORKER) as maker:
            return find_snapshots(maker, ["hamlet"])

    maker, made = in_thread(make)
    waiting = (
        "select count(*) from pg_locks where locktype = 'advisory' and not granted and mode = 'ShareLock'"
    )
    wait_until(lambda: query(waiting) == [(1,)], "the maker to wait for the dropper")
    pause.go_on.set()
    dropper.join()
    maker.join()
    assert dropped[0].snapshot.name == "hamlet"
    assert isinstance(made[0], NotFound)
    assert "was dropped just now" in str(made[0])


def test_the_second_dropper_is_told(
    database: Settings, cafe: Callable[..., ImportResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    cafe()
    pause = Pause(monkeypatch)
    first, results = in_thread(lambda: drop_snapshot(database, "hamlet"))
    assert pause.reached.wait(60)
    monkeypatch.undo()
    with pytest.raises(Held, match="is being read or changed by somebody else"):
        drop_snapshot(database, "hamlet")
    pause.go_on.set()
    first.join()
    assert results[0].remaining == []


def test_no_version_can_be_written_on_a_map_that_is_gone(
    cafe: Callable[..., ImportResult], dataset: Settings
) -> None:
    """Even who pinned nothing is stopped by the table itself."""
    cafe()
    drop_snapshot(dataset, "hamlet")
    with (
        connect(dataset, Role.WORKER) as connection,
        pytest.raises(IntegrityError, match=r"is dropped; a data set version stands on published"),
    ):
        connection.exec_driver_sql(
            "with version as ("
            " insert into dataset_version (dataset_id, number, seed, hidden_fraction, recipe, templates, engine_versions,"
            "  licence, canary, created_at)"
            " select id, 9, 0, 0, '{}', '{}', '{}', '{}', gen_random_uuid(), now() from dataset returning id)"
            " insert into dataset_snapshot (version_id, position, snapshot_id)"
            " select version.id, 0, (select id from snapshot where state = 'dropped') from version"
        )


def test_ages_and_sizes(database: Settings, cafe: Callable[..., ImportResult]) -> None:
    cafe(day=6)
    cafe(day=16)
    with connect(database, Role.OWNER) as connection:
        old, new = list_snapshots(connection, ManualClock(NOW))
    assert (old["age_days"], new["age_days"]) == (30.0, 20.0)
    assert (old["newest"], new["newest"]) == (False, True)
    assert 100_000 < old["bytes"] < 5_000_000
    shown = trigpoint(database, "snapshots").out
    assert "hamlet@2024-05-16T07:08:09Z *" in shown
