"""A short storm over a run of 160 questions; `test_storms_long.py` and `test_servers_long.py` have the long ones.

`TRIGPOINT_STORM_SEED=N` replays the storm of a seed, which a failure names.
"""

import os
from collections.abc import Callable
from pathlib import Path

from app.core.settings import Settings
from tests.workers import fault_plans
from tests.workers.fault_plans import Storm, Trouble
from tests.workers.fault_run import made_arena
from tests.workers.run_history import History, Moment

SEED = int(os.environ.get("TRIGPOINT_STORM_SEED", "2029"))
QUESTIONS, CALM = 160, 40
KILLS = (
    Trouble(fault_plans.kill_one, loses=1),
    Trouble(fault_plans.restart_redis),
    Trouble(fault_plans.kill_beat),
)


def test_a_short_storm(
    make_database: Callable[[], Settings], superuser_of: Callable[[Settings], str], tmp_path: Path
) -> None:
    database = make_database()
    with made_arena(tmp_path, database, superuser_of(database), QUESTIONS, "0.1") as arena:
        Storm(SEED, 0, KILLS, CALM).leaves_whole(arena, QUESTIONS)


def test_the_checker_sees_what_must_not_be() -> None:
    fine = History(1, 0, [Moment("kill", frozenset("a"), 2)], list("abbc"), ["b"], list("abc"), [], 1)
    assert fine.faults() == []
    assert (
        "asked again after trouble 0, kill"
        in History(1, 0, fine.moments, list("abba"), ["b", "a"], list("ab")).faults()[0]
    )
    assert "not counted as lost" in History(0, 0, [], list("aab"), [], list("ab")).faults()[0]
    assert "not what is stored" in History(0, 0, [], list("ab"), [], list("a")).faults()[0]
    assert "left in flight" in History(0, 0, [], ["a"], [], ["a"], ["b"]).faults()[0]
    assert "more than were in flight" in History(0, 0, [], reasked=1).faults()[0]
