"""Refreshes of Liechtenstein that are killed: the next call ends in the version that was planned."""

import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from app.core.clock import SystemClock
from app.core.seeds import unit
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.records import SnapshotRef
from app.questions.refresh.refreshing import Fate, refresh
from app.questions.refresh.starting import start
from osm_import.comparing import compare_snapshots
from tests.support.command_line import trigpoint
from tests.support.edited_extracts import sample_of, write_edited
from tests.support.processes import start_trigpoint, wait_until
from tests.support.refreshes import Ground, keys_by_layer, lay_ground, stored
from tests.support.town import import_map

pytestmark = pytest.mark.long
DAY = "2022-07-25T20:21:51Z"
KILLS = 11
SEED = 9

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


def test_killed_at_any_moment_the_next_call_ends_in_the_same_version(
    make_database: Callable[[], Settings], extracts: Path, tmp_path: Path
) -> None:
    """There and back between two maps; each refresh is killed once, and what was planned is what the next one writes."""
    ground = lay_ground(make_database(), extracts / "liechtenstein-2022-07-24.osm.pbf", "li", per_template=20)
    sample = sample_of(keys_by_layer(ground), 0.005, SEED)
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
    assert interrupted > KILLS / 2


def as_planned(plan: Sequence[Fate], before: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Id, prompt hash and revision of each question of the version that was planned."""
    later = [fate for fate in plan if fate.later_id is not None]
    return [
        before[one.id] if one.record is None else (one.record.id, one.record.prompt_hash, one.record.revision)
        for one in later
    ]
