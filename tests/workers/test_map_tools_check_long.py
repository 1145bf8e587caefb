"""Agents through real workers: 200 questions of map_tools_check are answered right in each manner of calling tools.

The model is scripted: it replays the tool plans, and needs what tools tell it. Models that misbehave end as they should.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.predictions.messages import WORK, Messenger, make_celery
from app.questions.generating import Recipe, generate
from app.questions.snapshots import find_snapshots
from app.questions.storing import store
from tests.support.agent_runs import plan_agent
from tests.support.factories import MadeMap, MadeVersion
from tests.support.processes import Workers, query, scalar, wait_until
from tests.support.scripted_agent import MANNERS, Fault, Script, load_scripts, serving_agent
from tests.support.town import Imported, benchmarks, import_map

pytestmark = pytest.mark.long
TERMS: dict[str, dict[str, Any]] = {
    "native": {"manner": "native"},
    "parallel": {"manner": "native"},
    "json": {"manner": "json", "lenient": False},
    "fenced": {"manner": "json", "lenient": True},
}
"""The terms of a run by the manner of its model."""
PATIENCE = 600.0
PREDICTIONS = """
select prediction.state, prediction.detail, score.outcome
from prediction
left join score on score.prediction_id = prediction.id and score.profile = 'trigpoint'
where prediction.run_id = :id
"""


def make_check(settings: Settings, name: str, each: int) -> MadeVersion:
    """A version of so many questions of each template on Liechtenstein."""
    with connect(settings, Role.WORKER) as connection:
        maps = find_snapshots(connection, ["liechtenstein"])
        recipe = Recipe(benchmarks()["map_tools_check"], maps, 1, each, each, 0.0, register="mixed")
        version = store(connection, name, 1, generate(connection, recipe, lambda *told: None), SystemClock())
        connection.commit()
    return MadeVersion(version.id, name, 1, MadeMap(maps[0].id, maps[0].schema))


@pytest.fixture
def at_work(quick: Settings, liechtenstein: Imported, tmp_path: Path) -> Iterator[Settings]:
    """A database with Liechtenstein, and two workers whose leases last long enough for slow machines."""
    settings = quick.model_copy(update={"lease_seconds": 60.0, "concurrency": 8})
    import_map(settings, liechtenstein.file, "liechtenstein")
    workers = Workers(settings, tmp_path)
    try:
        for _ in range(2):
            workers.start()
        yield settings
    finally:
        workers.kill_all()


def ask(settings: Settings, version: MadeVersion, url: str, **terms: Any) -> list[Any]:
    """The rows of PREDICTIONS of a run that came to its end."""
    run_id = plan_agent(settings, version, url, **terms)
    Messenger(make_celery(settings)).send(WORK)
    ended = "select status from run where id = :id and status in ('complete', 'incomplete')"
    assert wait_until(lambda: query(settings, ended, id=run_id), "the run's end", PATIENCE)
    assert scalar(settings, "select status from run where id = :id", id=run_id) == "complete"
    scored = "select count(*) from board_aggregate where run_id = :id"
    wait_until(lambda: scalar(settings, scored, id=run_id), "the run's scores", PATIENCE)
    assert scalar(settings, "select reasked from run where id = :id", id=run_id) == 0
    return query(settings, PREDICTIONS, id=run_id)


def test_every_question_is_answered_right_in_each_manner(at_work: Settings) -> None:
    version = make_check(at_work, "check", 20)
    scripts = load_scripts(at_work, version.reference)
    assert len(scripts) == 200
    calls = sum(len(one.steps) for one in scripts)
    for manner in MANNERS:
        with serving_agent(scripts, manner) as agent:
            found = ask(at_work, version, agent.url, **TERMS[manner])
        assert Counter((row.state, row.outcome) for row in found) == {("answered", "correct"): 200}, manner
        counts = [row.detail["agent"] for row in found]
        assert sum(one["tool_calls"] for one in counts) == calls
        assert sum(one["failed_calls"] + one["repeated_calls"] for one in counts) == 0
        assert sum(one["chat_calls"] for one in counts) == len(agent.requests) == _replies(scripts, manner)
        faults = len(agent.requests) if manner == "fenced" else 0
        assert sum(one["format_faults"] for one in counts) == faults


def _replies(scripts: list[Script], manner: str) -> int:
    """How many replies lead to all answers."""
    rounds = [len(one.rounds) if manner == "parallel" else len(one.steps) for one in scripts]
    return sum(rounds) + len(scripts)


OUTCOMES: dict[Fault, tuple[str, str | None]] = {
    "garbage": ("answered", None),
    "loop": ("no_answer", "loop"),
    "invent": ("answered", None),
}
"""The state and the outcome of episodes with a model that misbehaves so."""


def test_models_that_misbehave_end_as_they_should(at_work: Settings) -> None:
    version = make_check(at_work, "few", 2)
    scripts = load_scripts(at_work, version.reference)
    for fault, expected in OUTCOMES.items():
        with serving_agent(scripts, "native", fault) as agent:
            found = ask(at_work, version, agent.url, manner="native")
        assert {(row.state, row.detail.get("outcome")) for row in found} == {expected}, fault
        assert "correct" not in {row.outcome for row in found if row.outcome}
        if fault == "invent":
            assert {row.detail["agent"]["failed_calls"] for row in found} == {4}
    with serving_agent(scripts, "json", "garbage") as agent:
        found = ask(at_work, version, agent.url, manner="json")
    assert {(row.state, row.detail["outcome"]) for row in found} == {("no_answer", "loop")}
    assert {row.detail["agent"]["format_faults"] for row in found} == {5}
