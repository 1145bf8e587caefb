"""A planner of rules, which sees texts alone, answers questions of mapqa over Liechtenstein by graphs.

Its rules were written from texts of other questions and from the documentation of graphs, apart from the generators: where
its graphs give the gold, operators and texts say enough.
"""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from app.cli.local_worker import worker_environment
from app.core.settings import Settings
from app.predictions.messages import WORK, Messenger, make_celery
from tests.app.predictions.test_worker import work
from tests.app.solvers.agents.test_rule_agent_long import MARKS, find_wrong
from tests.support.agent_runs import plan_agent_over
from tests.support.command_line import generate
from tests.support.planner import serving_planner
from tests.support.processes import (
    Workers,
    private_redis,
    query,
    scalar,
    start_beat,
    wait_until,
    with_short_leases,
)
from tests.support.runs import hashes_of
from tests.support.scored_runs import score
from tests.support.town import import_map

pytestmark = pytest.mark.long
EACH = "7"
TYPES = 9
LEAST_WELL_FORMED = 0.95
LEAST_RIGHT = 0.7
GRAPHS = """
select
    question.template,
    prediction.detail -> 'geoflow' -> 'before' = '{}' as is_well_formed
from prediction
inner join question on question.version_id = prediction.version_id and question.id = prediction.question_id
where prediction.run_id = :id
order by question.position
"""


@pytest.fixture(scope="module")
def asked(make_database: Callable[[], Settings], extracts: Path) -> Settings:
    """Liechtenstein, and questions of each type of mapqa that were not looked at when the rules were written."""
    settings = make_database()
    import_map(settings, extracts / "liechtenstein-2022-07-24.osm.pbf", "liechtenstein")
    more = ("--seed", "23", "--bank", EACH, "--per-template", EACH, "--register", "mixed")
    done = generate(settings, "mapqa", "liechtenstein", "asked", *more)
    assert done.status == 0, done.err
    return settings


def test_its_graphs_are_well_formed_and_give_the_answers(asked: Settings) -> None:
    with serving_planner() as endpoint:
        run_id = plan_agent_over(asked, "asked", endpoint.url, "geoflow")
        assert work(asked) == [run_id]
    score(asked, run_id)
    graphs, marks = query(asked, GRAPHS, id=run_id), query(asked, MARKS, id=run_id)
    assert len(graphs) == TYPES * int(EACH)
    broken = [row.template for row in graphs if not row.is_well_formed]
    assert len(broken) <= (1 - LEAST_WELL_FORMED) * len(graphs), broken
    right = sum(row.is_right for row in marks)
    assert right >= LEAST_RIGHT * len(graphs), find_wrong(marks)


def test_a_run_whose_worker_is_killed_pays_nothing_twice(asked: Settings, tmp_path: Path) -> None:
    """A call is made again only if it was in flight when the worker died."""
    with private_redis(tmp_path) as broker, serving_planner() as endpoint:
        settings = with_short_leases(asked, broker, tmp_path)
        workers, beat = (
            Workers(settings, tmp_path),
            start_beat(worker_environment(settings), tmp_path / "beat.log"),
        )
        try:
            first = workers.start()
            run_id = plan_agent_over(settings, "asked", endpoint.url, "geoflow", seed=1)
            Messenger(make_celery(settings)).send(WORK)
            done = "select count(*) from step where run_id = :id and state = 'done' and kind = 'chat'"
            wait_until(lambda: scalar(settings, done, id=run_id) >= 5, "graphs", 60)
            first.kill()
            before = scalar(settings, "select count(*) from prediction where run_id = :id", id=run_id)
            workers.start()
            state = "select status from run where id = :id"
            wait_until(lambda: scalar(settings, state, id=run_id) == "complete", "the end of the run", 90)
        finally:
            workers.kill_all()
            beat.kill()
    ended = query(settings, "select question_id, state from prediction where run_id = :id", id=run_id)
    assert before < TYPES * int(EACH) == len({row.question_id for row in ended}) == len(ended)
    assert "error" not in {row.state for row in ended}
    times = Counter(
        body["messages"][0]["content"] + body["messages"][1]["content"] for body in endpoint.asked
    )
    assert sum(times.values()) - len(times) <= len(hashes_of(settings, run_id, "lost"))
    assert len(hashes_of(settings, run_id, "done")) == len(times)
