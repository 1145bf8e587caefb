"""A worker is killed at each kind of step of the solver `geoflow`: the episode goes on, and no answered call is paid twice."""

import copy
import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from app.core.settings import Settings
from app.predictions.messages import WORK, Messenger, make_celery
from tests.app.geoflow.test_operators import CENTRE, KRONE, plan
from tests.support.agent_runs import make_town_of_questions, plan_agent
from tests.support.processes import Workers, query, scalar, wait_until
from tests.support.routers import own_routers
from tests.support.runs import check_whole, wait_for_end
from tests.support.turns_endpoint import Message, Turns, in_turn, serving_turns

GRAPH = plan(
    {"k": "Krone", "x": "Atlantis", "c": CENTRE},
    KRONE,
    ("lost", "geocode", {"place": "x", "anchor": "krone"}),
    ("m", "haversine", {"origin": "lost", "destination": "krone"}),
)
"""Its measure has no value: the map has no Atlantis. So the model is asked for an answer, too."""
GRAPH["concepts"] = [one for one in GRAPH["concepts"] if one["id"] != "c"]
BROKEN = copy.deepcopy(GRAPH)
BROKEN["steps"][2]["inputs"] = {"origin": "lost"}
SAID = [{"content": json.dumps(BROKEN)}, {"content": json.dumps(GRAPH)}]
ANSWER = {"content": "4"}
CALLS = ["chat", "chat", "tool", "tool", "chat"]

pytestmark = pytest.mark.long


class Held:
    """Says what the model says, and stands still at the call of that number until it is let go."""

    def __init__(self, at: int | None) -> None:
        self.at = at
        self.stands, self.go = threading.Event(), threading.Event()

    def say(self, body: dict[str, Any]) -> Message:
        """The reply; the first time at the call that is held, only after `go`."""
        number = 2 if _is_answer(body) else sum(one["role"] == "assistant" for one in body["messages"])
        if number == self.at and not self.stands.is_set():
            self.stands.set()
            self.go.wait(60)
        return ANSWER if number == 2 else in_turn(SAID)(body)


def _is_answer(body: dict[str, Any]) -> bool:
    """Whether the model is shown what the steps gave."""
    return "geocode (failed)" in json.dumps(body["messages"])


@contextmanager
def tools_held(settings: Settings, superuser: str) -> Iterator[None]:
    """Nothing can read the names of the map's places meanwhile."""
    with psycopg.connect(superuser) as blocker:
        (schema,) = query(settings, "select schema_name from snapshot")[0]
        blocker.execute(f'lock table "{schema}".poi in access exclusive mode')
        yield
        blocker.rollback()


@pytest.mark.parametrize("kind", ["plan", "repair", "tool", "answer"])
def test_an_episode_goes_on_after_a_kill(
    quick: Settings, workers: Workers, tmp_path: Path, superuser_of: Any, kind: str
) -> None:
    with own_routers(quick, tmp_path / "routers") as settings:
        workers.settings = settings
        version = make_town_of_questions(settings, tmp_path)
        held = Held({"plan": 0, "repair": 1, "answer": 2}.get(kind))
        with serving_turns(held.say) as turns:
            run_id = plan_agent(settings, version, turns.url, "geoflow")
            Messenger(make_celery(settings)).send(WORK)
            _kill_at(settings, workers, kind, held, turns, superuser_of(settings))
            held.go.set()
            workers.start()
            wait_for_end(settings, run_id)
    check_whole(settings, run_id, 1)
    steps = query(
        settings,
        "select kind from step where run_id = :id and state = 'done' order by ordinal",
        id=run_id,
    )
    assert [row[0] for row in steps] == CALLS
    asked = Counter(json.dumps(body, sort_keys=True) for body in turns.asked)
    in_flight = kind != "tool"
    assert sorted(asked.values()) == ([1, 1, 2] if in_flight else [1, 1, 1]), (
        "only what was in flight is asked again"
    )
    assert scalar(settings, "select reasked from run where id = :id", id=run_id) == int(in_flight)
    told = scalar(settings, "select detail -> 'geoflow' from prediction where run_id = :id", id=run_id)
    assert (told["source"], told["rule"], told["stage"]) == ("repair", "model", "data")


def _kill_at(
    settings: Settings, workers: Workers, kind: str, held: Held, turns: Turns, superuser: str
) -> None:
    """Start a worker, and kill it while it waits for the call of that kind."""
    if kind == "tool":
        with tools_held(settings, superuser):
            victim = workers.start()
            waits = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
            wait_until(
                lambda: len(turns.asked) == 2 and scalar(settings, waits), "a call of a tool that waits"
            )
            victim.kill()
        return
    victim = workers.start()
    wait_until(held.stands.is_set, "the call that is held")
    victim.kill()
