"""Refreshes of Liechtenstein: a day's edits, nine years, and refreshes that are killed. Figures are printed (-s)."""

import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from sqlalchemy import Connection

from app.core.clock import SystemClock
from app.core.seeds import unit
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.records import SnapshotRef
from app.questions.refresh.changes import Pair
from app.questions.refresh.comparing import differences
from app.questions.refresh.publishing import refresh_and_publish
from app.questions.refresh.queries import LAYERS
from app.questions.refresh.refreshing import Fate, refresh
from app.questions.refresh.starting import start
from osm_import.comparing import compare_snapshots
from tests.commands import trigpoint
from tests.edited_extracts import sample_of, write_edited, write_tagged
from tests.processes import start_trigpoint, wait_until
from tests.refreshes import Ground, Published, lay_ground
from tests.town import import_map

pytestmark = pytest.mark.long
DAY = "2022-07-25T20:21:51Z"
KILLS = 20
AIM = 0.1
"""Of the time of a full re-run, what a day's edits are to take: told, not asserted."""
ROUNDS = {"ground": 5, "large": 3}
"""How often both ways take turns after a day's edits, by the size of the data sets."""
SEED = 9


def say(figures: str) -> None:
    """On stderr, as it comes."""
    sys.stderr.write(f"{figures}\n")


def timed(ground: Ground, one: Published, later: SnapshotRef, full: bool) -> tuple[float, Any]:
    """Seconds that a refresh takes with the writing of the version, and what comes of it; the version is taken back."""
    pair = Pair(
        one.map, later, compare_snapshots(ground.settings, one.map.schema, later.schema, SystemClock()).id
    )
    with connect(ground.settings, Role.WORKER) as connection:
        begun = time.monotonic()
        found, _ = refresh_and_publish(
            ground.settings, connection, one.version, one.recipe, pair, SystemClock(), full
        )
        took = time.monotonic() - begun
        connection.rollback()
    return took, found


def keys_by_layer(ground: Ground, schema: str) -> dict[str, list[str]]:
    with connect(ground.settings, Role.WORKER) as connection:
        return {
            layer: list(connection.exec_driver_sql(f"select osm_key from {schema}.{layer}").scalars())
            for layer in LAYERS
        }


@pytest.fixture(scope="module")
def ground(make_database: Callable[[], Settings], extracts: Path) -> Ground:
    """Liechtenstein of 2022, with thousands of questions."""
    return lay_ground(make_database(), extracts / "liechtenstein-2022-07-24.osm.pbf", "li", per_template=400)


@pytest.fixture(scope="module")
def large(make_database: Callable[[], Settings], extracts: Path) -> Ground:
    """The same map with nearly twice as many."""
    return lay_ground(make_database(), extracts / "liechtenstein-2022-07-24.osm.pbf", "li", per_template=1500)


def check(ground: Ground, later: SnapshotRef, rounds: int = 1) -> list[tuple[float, float, Any]]:
    """Both ways to refresh each benchmark come to the same; gives how long they took, and what came of it.

    The ways take turns for so many rounds, of which the medians are told.
    """
    figures = []
    for one in ground.published:
        turns = [
            (timed(ground, one, later, full=False), timed(ground, one, later, full=True))
            for _ in range(rounds)
        ]
        (_, few), (_, all_) = turns[0]
        assert differences(few, all_) == []
        took, full_took = (median(both[way][0] for both in turns) for way in (0, 1))
        say(
            f"{one.version.reference} {one.map.reference} -> {later.reference}: {len(few.fates)} questions, "
            f"{few.counts}, {few.rerun} asked again ({few.touched}), {took:.2f} of {full_took:.2f} s"
        )
        figures.append((took, full_took, few))
    return figures


@pytest.mark.parametrize("size", ROUNDS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_days_edits(
    request: pytest.FixtureRequest, extracts: Path, tmp_path: Path, size: str, seed: int
) -> None:
    """A thousandth of each layer's objects is edited: few questions are asked again, and none is missed."""
    ground: Ground = request.getfixturevalue(size)
    sample = sample_of(keys_by_layer(ground, ground.published[0].map.schema), 0.001, seed)
    source, target = extracts / "liechtenstein-2022-07-24.osm.pbf", tmp_path / "edited.osm.pbf"
    later = ground.later(write_edited(source, target, sample, seed, DAY))
    figures = check(ground, later, ROUNDS[size])
    questions = sum(len(found.fates) for _, _, found in figures)
    rerun = sum(found.rerun for _, _, found in figures)
    share = sum(few for few, _, _ in figures) / sum(full for _, full, _ in figures)
    say(
        f"seed {seed}: {rerun} of {questions} asked again ({rerun / questions:.1%}), in {share:.1%} of the time of a full "
        f"re-run (aim: {AIM:.0%}), the writing of the version included"
    )
    assert questions >= 2000
    assert 0 < rerun <= 0.05 * questions


def test_other_tags_of_areas_are_told_without_asking(ground: Ground, extracts: Path, tmp_path: Path) -> None:
    """Every area has one more tag: what it says of roads in it stands, but for how well known the area is."""
    published = ground.published[1]
    with connect(ground.settings, Role.WORKER) as connection:
        stretches = dict(
            stored(connection, STRETCHES, version=published.version.id, templates=list(OF_STRETCHES))
        )
    source, target = extracts / "liechtenstein-2022-07-24.osm.pbf", tmp_path / "tagged.osm.pbf"
    areas = {stretch.partition(" ")[2] for stretch in stretches.values()}
    later = ground.later(write_tagged(source, target, areas, DAY))
    few, all_ = ground.both_ways(published, later)
    assert differences(few, all_) == []
    told = {fate.id for fate in few.fates if fate.popularity is not None} & stretches.keys()
    say(
        f"{len(told)} of {len(stretches)} questions about roads in an area are told anew of {len(areas)} areas"
    )
    assert len(told) > len(stretches) / 2
    assert few.rerun < len(few.fates) - len(told)


def test_nine_years(make_database: Callable[[], Settings], extracts: Path) -> None:
    """Of 2013 no id is left in 2022: everything ends, and nearly everything is replaced."""
    ground = lay_ground(make_database(), extracts / "liechtenstein-2013-08-03.osm.pbf", "li", per_template=60)
    later = ground.later(extracts / "liechtenstein-2022-07-24.osm.pbf")
    for _, _, found in check(ground, later):
        assert found.counts["kept"] == found.counts["updated"] == 0
        assert found.counts["replaced"] > 0.9 * len(found.fates)


# --- killed -----------------------------------------------------------------------------------------------------------


STRETCHES = """
select p.question_id, p.parameters ->> 'stretch'
from trigpoint.proof p
join trigpoint.question q on (q.version_id, q.id) = (p.version_id, p.question_id)
where q.version_id = %(version)s and q.template = any(%(templates)s)
"""
OF_STRETCHES = ("Find_Junctions", "Identify_Connections")
STORED = """
select q.id, q.prompt_hash, q.revision
from trigpoint.question q
join trigpoint.dataset_version v on v.id = q.version_id
join trigpoint.dataset d on d.id = v.dataset_id
where d.name = 'gsqa' and v.number = %(number)s
order by q.position
"""
TOLD = """
select l.from_question_id, l.to_question_id, l.outcome, l.reason
from trigpoint.lineage l
join trigpoint.dataset_version v on v.id = l.to_version_id
join trigpoint.dataset d on d.id = v.dataset_id
join trigpoint.question q on (q.version_id, q.id) = (l.from_version_id, l.from_question_id)
where d.name = 'gsqa' and v.number = %(number)s
order by q.position
"""
VERSIONS = """
select v.number, v.state
from trigpoint.dataset_version v
join trigpoint.dataset d on d.id = v.dataset_id
where d.name = 'gsqa'
order by v.number
"""
NAME_IS_FREE = """
select not exists (
    select from pg_locks
    where
        locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())
        and classid::bigint = hashtext('trigpoint dataset')::bigint & 4294967295
)
"""


def planned(connection: Connection, ground: Ground, snapshot: str) -> list[Fate]:
    """What becomes of the newest version on the map of that name; nothing is written."""

    def compare(old: SnapshotRef, new: SnapshotRef) -> int:
        return compare_snapshots(ground.settings, old.schema, new.schema, SystemClock()).id

    begun = start(connection, "gsqa", snapshot, compare, allow_older=True)
    assert begun.pair is not None
    fates = refresh(connection, begun.version, begun.recipe, begun.pair).fates
    connection.rollback()
    return list(fates)


def stored(connection: Connection, statement: str, **binds: Any) -> list[tuple[Any, ...]]:
    found = [tuple(row) for row in connection.exec_driver_sql(statement, binds)]
    connection.rollback()
    return found


def test_killed_at_any_moment_the_next_call_ends_in_the_same_version(
    make_database: Callable[[], Settings], extracts: Path, tmp_path: Path
) -> None:
    """There and back between two maps; each refresh is killed once, and what was planned is what the next one writes."""
    ground = lay_ground(make_database(), extracts / "liechtenstein-2022-07-24.osm.pbf", "li", per_template=20)
    sample = sample_of(keys_by_layer(ground, ground.published[0].map.schema), 0.005, SEED)
    edited = write_edited(
        extracts / "liechtenstein-2022-07-24.osm.pbf", tmp_path / "edited.osm.pbf", sample, SEED, DAY
    )
    import_map(ground.settings, edited, "edited")
    finished = 0.0
    interrupted = 0
    with connect(ground.settings, Role.WORKER) as connection:
        for turn in range(KILLS):
            snapshot = ("edited", "li")[turn % 2]
            plan = planned(connection, ground, snapshot)
            number = len(stored(connection, VERSIONS)) + 1
            command = ("refresh", "gsqa", "--snapshot", snapshot, "--allow-older", "--json")
            begun = time.monotonic()
            process = start_trigpoint(ground.settings, *command)
            # the first is left alone, and tells how long one takes
            if turn:
                time.sleep(finished * unit(SEED, "kill", turn))
                process.send_signal(signal.SIGKILL)
            process.communicate()
            finished = finished or time.monotonic() - begun
            interrupted += len(stored(connection, VERSIONS)) < number
            wait_until(lambda: stored(connection, NAME_IS_FREE) == [(True,)], "the server to notice")
            done = trigpoint(ground.settings, *command)
            assert done.status == 0, done.err
            assert stored(connection, VERSIONS)[-1] == (number, "published")
            assert stored(connection, TOLD, number=number) == [
                (fate.id, fate.later_id, fate.outcome, fate.reason) for fate in plan
            ]
            before = {row[0]: row for row in stored(connection, STORED, number=number - 1)}
            assert stored(connection, STORED, number=number) == as_planned(plan, before)
    say(f"{interrupted} of {KILLS} refreshes ended before they had written; one takes {finished:.1f} s")
    assert interrupted > KILLS / 2


def as_planned(plan: Sequence[Fate], before: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Id, prompt hash and revision of each question of the version that was planned."""
    later = [fate for fate in plan if fate.later_id is not None]
    return [
        before[one.id] if one.record is None else (one.record.id, one.record.prompt_hash, one.record.revision)
        for one in later
    ]
