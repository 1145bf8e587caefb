"""A data set on a newer map: the incremental refresh comes to the same as a full one, and to what is right by hand.

Random edits of the town for the first, one edit of each kind for the second.
"""

import re
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from app.core.clock import SystemClock
from app.core.errors import Conflict, Held, NotFound
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.records import SnapshotRef
from app.questions.refresh.comparing import differences
from app.questions.refresh.queries_publishing import TRY_LOCK_NAME
from app.questions.refresh.starting import start
from app.questions.refresh.watching import dependency_of, tells_of_objects
from app.templates.catalogue import Benchmark
from osm_import.comparing import compare_snapshots
from tests.support.command_line import generate, trigpoint
from tests.support.processes import start_trigpoint, wait_until
from tests.support.random_edits import Edit, Editing, scripts
from tests.support.refreshes import Ground, lay_ground, unforeseen
from tests.support.town import (
    TIMESTAMP,
    Map,
    benchmarks,
    import_map,
    make_town_of_neighbours,
    town_benchmarks,
)

THOROUGH = settings(
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
    phases=[Phase.generate],
    print_blob=False,
)
"""An example takes seconds: none is made smaller, the message tells its script."""
TOWN = make_town_of_neighbours()
dates = (f"2024-05-{7 + number // 1440:02}T{number // 60 % 24:02}:{number % 60:02}:00Z" for number in count())


@pytest.fixture(scope="module", autouse=True)
def templates_read_once() -> Iterator[None]:
    """As every command here would read them: that takes most of its time."""
    with pytest.MonkeyPatch.context() as patch:
        for module in ("app.questions.reproducing", "app.operations.recipe"):
            patch.setattr(f"{module}.find_benchmark", lambda name: benchmarks()[name])
        yield


@pytest.fixture(scope="module")
def ground(
    templates_read_once: None, make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Ground:
    """The town with a data set of each benchmark."""
    file = TOWN.write(tmp_path_factory.mktemp("town") / "town.osm")
    return lay_ground(make_database(), file, "town", per_template=8)


def editing() -> Editing:
    """The town's file, to be edited; later than all before."""
    timestamp = next(dates)
    return Editing(TOWN.xml().replace(TIMESTAMP, timestamp), timestamp)


def check(ground: Ground, script: Sequence[Edit], folder: Path) -> None:
    """Edit the town, import it, and compare both ways to refresh each benchmark; no pick is to surprise."""
    edited = editing()
    edited.apply(script)
    later = ground.later(edited.write(folder / "edited.osm"))
    for one in ground.published:
        faults = [*unforeseen(ground, one, later), *differences(*ground.both_ways(one, later))]
        assert not faults, "\n".join([repr(script), *faults[:20]])


@settings(THOROUGH, max_examples=2)
@given(script=scripts)
def test_a_few_edits(script: list[Edit], ground: Ground, tmp_path_factory: pytest.TempPathFactory) -> None:
    check(ground, script, tmp_path_factory.mktemp("edited"))


def test_an_end_of_the_map_is_straight_in_degrees(ground: Ground, tmp_path: Path) -> None:
    """A geodesic between its corners runs metres off: by that much an anchor was once taken to be farther from it."""
    check(ground, [Edit(kind="outline", target=399, other=1581, azimuth=122, metres=900.0)], tmp_path)


@pytest.mark.long
@settings(THOROUGH, max_examples=25)
@given(script=scripts)
def test_random_scripts(script: list[Edit], ground: Ground, tmp_path_factory: pytest.TempPathFactory) -> None:
    check(ground, script, tmp_path_factory.mktemp("edited"))


@pytest.mark.parametrize("benchmark", town_benchmarks().values(), ids=lambda one: one.name)
def test_it_is_known_where_every_template_looks(benchmark: Benchmark) -> None:
    unknown = [name for name, one in benchmark.templates.items() if dependency_of(one) is None]
    assert unknown == []


def test_a_pick_of_which_nothing_is_declared_is_read_again() -> None:
    template = benchmarks()["urban_knowledge"].templates["Query_Length"]
    assert tells_of_objects(template)
    assert not tells_of_objects(replace(template, pick_depends={}))
    assert not tells_of_objects(benchmarks()["gsqa"].templates["T5"])


def test_what_a_pick_depends_on_is_no_part_of_its_templates_hash() -> None:
    template = benchmarks()["gsqa"].templates["T5"]
    assert replace(template, pick_depends={}).body_hash == template.body_hash


# --- by hand: what becomes of a question ------------------------------------------------------------------------------


QUESTIONS = """
select q.id, q.template, q.popularity, q.prompt #>> '{0,text}' as text, q.options, q.revision, p.parameters, g.value as gold
from trigpoint.question q
join trigpoint.proof p on (p.version_id, p.question_id) = (q.version_id, q.id)
join trigpoint.gold g on (g.version_id, g.question_id) = (q.version_id, q.id)
join trigpoint.dataset_version v on v.id = q.version_id
join trigpoint.dataset d on d.id = v.dataset_id
where d.name = %(name)s and v.number = %(number)s
order by q.position
"""
FATES = """
select l.from_question_id, l.to_question_id, l.outcome, l.reason
from trigpoint.lineage l
join trigpoint.dataset_version v on v.id = l.to_version_id
join trigpoint.dataset d on d.id = v.dataset_id
where d.name = %(name)s and v.number = %(number)s and l.origin = 'refresh'
"""


def rows(ground: Ground, statement: str, **binds: Any) -> list[Any]:
    with connect(ground.settings, Role.MAINTAINER) as connection:
        return list(connection.exec_driver_sql(statement, binds))


def element(edited: Editing, key: str) -> Any:
    kind = {"n": "node", "w": "way", "r": "relation"}[key[0]]
    return next(one for one in edited.root if one.tag == kind and one.get("id") == key[1:])


def moved(edited: Editing, key: str, metres: float) -> None:
    edited._shift(element(edited, key), Edit("move", 0, 0, 90, metres))


def test_each_fate_is_right(ground: Ground, tmp_path: Path) -> None:
    """An answer moves by a metre, an anchor is renamed, another is deleted, and a wrong option comes true."""
    asked = {name: rows(ground, QUESTIONS, name=name, number=1) for name in ("gsqa", "urban_knowledge")}
    locations = [
        one
        for one in asked["gsqa"]
        if one.template == "T17" and one.gold["objects"][0]["osm_key"].startswith("n")
    ]
    anchors = list(dict.fromkeys(one.parameters["anchor"] for one in locations))
    nearest = next(one for one in locations if one.parameters["anchor"] == anchors[0])
    told = next(one for one in locations if one.parameters["anchor"] == anchors[1])
    ended = next(one for one in locations if one.parameters["anchor"] == anchors[2])
    neighbour = next(one for one in asked["urban_knowledge"] if one.template == "Find_Nearest_POI")
    wrong = next(one for one in neighbour.options if one != neighbour.gold["text"])
    measured = next(one for one in asked["gsqa"] if one.template == "T27")

    edited = editing()
    edited._tag(element(edited, measured.parameters["region"]), "check_date", "2024-05-01")
    moved(edited, nearest.gold["objects"][0]["osm_key"], 1.0)
    edited._tag(element(edited, told.parameters["anchor"]), "addr:street", "New Street")
    edited.root.remove(element(edited, ended.parameters["anchor"]))
    close = edited._new(
        "node", **{name: element(edited, neighbour.parameters["poi"]).get(name) for name in ("lon", "lat")}
    )
    edited._tag(close, "amenity", "bank")
    edited._tag(close, "name", wrong)
    import_map(ground.settings, edited.write(tmp_path / "edited.osm"), "town")

    counts = refreshed(ground, "gsqa")
    assert counts["kept"] + counts["updated"] + counts["retired"] + counts["replaced"] == len(asked["gsqa"])
    assert 0 < counts["rerun"] < len(asked["gsqa"]) / 2
    fates = {one.from_question_id: one for one in rows(ground, FATES, name="gsqa", number=2)}
    assert len(fates) == len(asked["gsqa"])
    assert fates[nearest.id][1:] == (nearest.id, "updated", "gold")
    assert fates[told.id][1:] == (told.id, "updated", "text")
    assert (fates[ended.id].outcome, fates[ended.id].reason) == ("replaced", "anchor_gone")
    later = {one.id: one for one in rows(ground, QUESTIONS, name="gsqa", number=2)}
    assert "New Street" in later[told.id].text
    replacement = later[fates[ended.id].to_question_id]
    assert replacement.id not in fates
    assert (replacement.template, replacement.parameters["category"]) == ("T17", ended.parameters["category"])
    (known,) = measured.popularity
    assert fates[measured.id][1:] == (measured.id, "kept", None)
    assert later[measured.id].popularity == [{**known, "tags": known["tags"] + 1}]
    untouched = {one.id for one in asked["gsqa"] if fates[one.id].outcome == "kept"}
    assert {one.id: one.revision for one in asked["gsqa"] if one.id in untouched} == {
        one: later[one].revision for one in untouched
    }

    done = trigpoint(ground.settings, "refresh", "urban_knowledge", "--snapshot", "town")
    assert (done.status, "urban_knowledge@2 is published" in done.out) == (0, True), done.err
    proved = trigpoint(ground.settings, "verify", "urban_knowledge", "--json")
    assert (proved.status, proved.json["failures"]) == (0, [])
    (fate,) = [one for one in rows(ground, FATES, name="urban_knowledge", number=2) if one[0] == neighbour.id]
    after = {one.id: one for one in rows(ground, QUESTIONS, name="urban_knowledge", number=2)}
    assert fate.outcome != "kept"
    assert (
        neighbour.id not in after
        or wrong == after[neighbour.id].gold["text"]
        or wrong not in after[neighbour.id].options
    )


def test_other_tags_of_a_region_are_told_without_asking(ground: Ground, tmp_path: Path) -> None:
    """By all questions about it, as asking them again tells them; nothing else is asked for it."""
    published = ground.published[0]
    told = {
        one.id: one.parameters["region"]
        for one in rows(ground, QUESTIONS, name="gsqa", number=1)
        if one.template in ("T11", "T12", "T24", "T27", "T28")
    }
    assert told
    edited = editing()
    for key in set(told.values()):
        edited._tag(element(edited, key), "check_date", "2024-05-01")
    few, all_ = ground.both_ways(published, ground.later(edited.write(tmp_path / "tagged.osm")))
    assert differences(few, all_) == []
    assert told.keys() == {fate.id for fate in few.fates if fate.popularity is not None}
    assert few.rerun == 0


@pytest.mark.parametrize(
    ("tags", "reason"),
    [
        ({"tourism": "information", "information": "board"}, "towards_unfit"),
        ({"addr:housenumber": "7"}, "towards_unfit"),
        ({}, "towards_gone"),
    ],
)
def test_what_another_layer_has_is_not_gone(
    ground: Ground, tmp_path: Path, tags: dict[str, str], reason: str
) -> None:
    """A place that gave a direction is an information board now, a mere address, or nothing that anybody looks for."""
    asked = [
        one
        for one in rows(ground, QUESTIONS, name="gsqa", number=1)
        if one.parameters.get("towards", "w")[0] == "n"
    ]
    goal = asked[0].parameters["towards"]
    edited = editing()
    place = element(edited, goal)
    for tag in place.findall("tag"):
        place.remove(tag)
    for key, value in tags.items():
        edited._tag(place, key, value)
    few, all_ = ground.both_ways(ground.published[0], ground.later(edited.write(tmp_path / "retagged.osm")))
    assert differences(few, all_) == []
    fates = {fate.id: fate for fate in few.fates}
    told = {
        fates[one.id].reason
        for one in asked
        if one.parameters["towards"] == goal and fates[one.id].reason != "anchor_unfit"
    }
    assert told == {reason}


def refreshed(ground: Ground, name: str) -> Any:
    """The data set on the newest map: a dry run, the version, proved and made again, and once more for nothing."""
    refresh = ("refresh", name, "--snapshot", "town", "--json")
    dry = trigpoint(ground.settings, *refresh, "--dry-run")
    assert (dry.status, dry.json["from"], dry.json["to"]) == (0, f"{name}@1", None), dry.err
    done = trigpoint(ground.settings, *refresh)
    assert (done.status, done.json["to"]) == (0, f"{name}@2"), done.err
    assert {**dry.json, "to": 0, "seconds": 0} == {**done.json, "to": 0, "seconds": 0}
    proved = trigpoint(ground.settings, "verify", name, "--json")
    assert (proved.status, proved.json["failures"]) == (0, [])
    again = trigpoint(ground.settings, "reproduce", name, "--json")
    assert (again.status, again.json["version"], again.json["differing"]) == (0, 2, [])
    idle = trigpoint(ground.settings, *refresh)
    assert (idle.status, idle.json["from"], idle.json["to"], idle.json["rerun"]) == (
        0,
        f"{name}@2",
        f"{name}@2",
        0,
    )
    assert "nothing differs" in idle.err
    old = trigpoint(ground.settings, "refresh", f"{name}@1", *refresh[2:])
    assert (old.status, f"{name}@1 is not the newest version of {name}" in old.err) == (1, True)
    return done.json


EVIDENCE = """
select p.question_id, p.evidence
from trigpoint.proof p
join trigpoint.question q on (q.version_id, q.id) = (p.version_id, p.question_id)
join trigpoint.snapshot s on s.id = q.snapshot_id
join trigpoint.dataset_version v on v.id = q.version_id
join trigpoint.dataset d on d.id = v.dataset_id
where d.name = 'both' and v.number = %(number)s and s.name = 'twin'
order by 1
"""


def test_questions_of_another_map_stay_as_they_are(ground: Ground, tmp_path: Path) -> None:
    """Two maps of the same ground: what changed on one says nothing of the other."""
    first, second = editing(), editing()
    for name, edited in (("town", first), ("twin", first), ("town", second)):
        if edited is second:
            for one in edited._tagged("node", "way", "relation"):
                edited._tag(one, "check_date", "2024-05-01")
        import_map(ground.settings, edited.write(tmp_path / f"{name}.osm"), name)
        if name == "twin":
            size = ("--bank", "3", "--per-template", "3")
            done = generate(ground.settings, "gsqa", "town", "both", "--snapshot", "twin", *size)
            assert done.status == 0, done.err
    done = trigpoint(ground.settings, "refresh", "both", "--snapshot", "town", "--json")
    assert (done.status, done.json["to"]) == (0, "both@2"), done.err
    before, after = (rows(ground, EVIDENCE, number=number) for number in (1, 2))
    assert before
    assert before == after
    proved = trigpoint(ground.settings, "verify", "both", "--json")
    assert (proved.status, proved.json["failures"]) == (0, [])


# --- what is refused --------------------------------------------------------------------------------------------------


def test_what_is_no_refresh_is_refused(ground: Ground, tmp_path: Path) -> None:
    """Another region, an older map, a version that is not the newest, a name that somebody else holds."""
    away = Map(box=(20.0, 10.0, 20.2, 10.2), timestamp="2025-01-01T00:00:00Z")
    away.eat((20.1, 10.1), 0, 0, "Far Inn")
    import_map(ground.settings, away.write(tmp_path / "away.osm"), "away")
    older = Editing(TOWN.xml(), "2020-01-01T00:00:00Z")
    older.root.remove(older._tagged("node")[0])
    file = older.write(tmp_path / "older.osm")
    file.write_text(file.read_text().replace(TIMESTAMP, "2020-01-01T00:00:00Z"))
    import_map(ground.settings, file, "older")

    def compare(old: SnapshotRef, new: SnapshotRef) -> int:
        return compare_snapshots(ground.settings, old.schema, new.schema, SystemClock()).id

    with connect(ground.settings, Role.WORKER) as connection, connect(ground.settings, Role.WORKER) as other:
        with pytest.raises(Conflict, match="maps of different regions"):
            start(connection, "gsqa", "away", compare)
        connection.rollback()
        with connect(ground.settings, Role.OWNER) as owner:
            owner.exec_driver_sql("update trigpoint.snapshot set state = 'held' where name = 'away'")
            owner.commit()
        with pytest.raises(Conflict, match=r"Snapshot away@\S+ is held"):
            start(connection, "gsqa", "away", compare)
        connection.rollback()
        with pytest.raises(Conflict, match=r"is older than town@.* --allow-older"):
            start(connection, "gsqa", "older", compare)
        connection.rollback()
        with pytest.raises(NotFound, match="no published snapshot 'nowhere'"):
            start(connection, "gsqa", "nowhere", compare)
        connection.rollback()
        assert other.exec_driver_sql(TRY_LOCK_NAME, {"name": "gsqa"}).scalar_one()
        with pytest.raises(Held, match="Another process is making a version of gsqa"):
            start(connection, "gsqa", "town", compare)


def numbered_anew(xml: str, by: int) -> str:
    """The file with every id and reference raised."""
    later = xml.replace(TIMESTAMP, "2024-06-01T00:00:00Z")
    return re.sub(r'\b(id|ref)="(-?\d+)"', lambda one: f'{one[1]}="{int(one[2]) + by}"', later)


@pytest.mark.parametrize("by", [1_000_000, 1])
def test_a_map_whose_objects_have_other_ids_is_refused(ground: Ground, tmp_path: Path, by: int) -> None:
    """Whether none of the ids is there, or nearly all of them are, of other objects."""
    file = tmp_path / "renumbered.osm"
    file.write_text(numbered_anew(TOWN.xml(), by))
    name = f"renumbered{by}"
    import_map(ground.settings, file, name)
    command = ("refresh", "gsqa", "--snapshot", name, "--dry-run")
    refused = trigpoint(ground.settings, *command)
    assert refused.status == 1
    found = re.search(r"Of these ([\d,]+) objects, ([\d,]+) are there with the same", refused.err)
    assert found, refused.err
    asked, again = (int(one.replace(",", "")) for one in found.groups())
    assert 5 * again < asked
    assert ("it has the ids of 0." in refused.err) == (by > 1)
    assert "--allow-other-ids" in refused.err
    done = trigpoint(ground.settings, *command, "--allow-other-ids", "--json")
    assert done.status == 0, done.err
    assert done.json["retired"] + done.json["replaced"] > done.json["questions"] / 2


# --- what is stopped --------------------------------------------------------------------------------------------------


WAITS = """
select lock.pid
from pg_locks as lock
where not lock.granted and lock.database = (select oid from pg_database where datname = current_database())
"""
VERSIONS = """
select v.number, v.state
from trigpoint.dataset_version v
join trigpoint.dataset d on d.id = v.dataset_id
where d.name = %(name)s
"""


def is_free(ground: Ground, name: str) -> bool:
    with connect(ground.settings, Role.WORKER) as connection:
        return bool(connection.exec_driver_sql(TRY_LOCK_NAME, {"name": name}).scalar_one())


@pytest.mark.parametrize("stopped", ["writing", "reading"])
def test_stopped_while_it_writes_and_reads_nothing_has_happened(
    ground: Ground, tmp_path: Path, superuser_of: Callable[[Settings], str], stopped: str
) -> None:
    """Ctrl-C where the writing waits; the loss of the connection that asks. The other one ends, too."""
    edited = editing()
    edited._tag(edited._tagged("node")[0], "check_date", "2024-05-01")
    later = import_map(ground.settings, edited.write(tmp_path / "edited.osm"), "town")
    refresh = ("refresh", "gsqa", "--snapshot", "town")
    assert trigpoint(ground.settings, *refresh, "--dry-run").status == 0  # the maps are compared from here on
    before = rows(ground, VERSIONS, name="gsqa")
    table = {"writing": "trigpoint.lineage", "reading": f"{later.schema}.poi_address"}[stopped]
    with connect(ground.settings, Role.OWNER) as holding:
        holding.exec_driver_sql(f"lock table {table} in access exclusive mode")
        process = start_trigpoint(ground.settings, *refresh)
        (waiting,) = wait_until(lambda: rows(ground, WAITS), f"the refresh to come to {table}")
        if stopped == "writing":
            process.send_signal(signal.SIGINT)
        else:
            with psycopg.connect(superuser_of(ground.settings), autocommit=True) as superuser:
                superuser.execute("select pg_terminate_backend(%s)", (waiting.pid,))
        _, told = process.communicate(timeout=60)
        assert process.returncode != 0, told
        assert rows(ground, VERSIONS, name="gsqa") == before
        wait_until(lambda: is_free(ground, "gsqa"), "the name to be free")
    done = trigpoint(ground.settings, *refresh, "--json")
    assert done.status == 0, done.err
    assert rows(ground, VERSIONS, name="gsqa") == [*before, (len(before) + 1, "published")]
