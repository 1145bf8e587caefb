"""Runs of judges over planted responses, written as a worker would leave them: no endpoint is asked."""

from collections.abc import Callable, Sequence

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.predictions.runs import store_endpoint
from app.solvers.judge import judging
from app.solvers.judging.rubrics import find_rubric
from tests.support.factories import MadeVersion, QuestionSpec, make_run
from tests.support.faulty_responses import write_verdict
from tests.support.processes import query
from tests.support.scored_runs import score

Costs = dict[str, float]
"""What a judge takes off, by criterion or `answer`."""


def judged_question(task: str, number: int = 0, split: str = "public") -> QuestionSpec:
    """A question of two, that is judged by the rubric of a task; a scorer counts, too."""
    told = {"rubric": task, "reference": "two", "facts": {"number": number}}
    gold = {"judge": told, "count": 2}
    parameters = {"task": task, "category": "restaurant", "anchor": f"n{number}"}
    return QuestionSpec(task, "count", f"How many? ({task} {number})", gold, parameters, split=split)


def verdict_of(task: str, costs: Costs) -> str:
    """A judge's reply that takes so many points off."""
    rubric = find_rubric(task)
    maxima = {part: rubric.maximum_of(part) for part in rubric.parts()}
    return write_verdict(maxima, [(part, "a fault", points) for part, points in costs.items()])


def make_verdicts(
    settings: Settings, version: MadeVersion, of: int, verdicts: Sequence[str | None], judge: str = "examiner"
) -> int:
    """A judge's run with these replies, scored under both profiles."""
    told = judging(of, schema=True)
    run_id = make_run(
        settings, version, verdicts, solver="judge", label=f"run {of}, judged by {judge}", presentation=told
    )
    with connect(settings, Role.WORKER) as connection:
        stored = store_endpoint(connection, "http://127.0.0.1:9/v1", judge, None, SystemClock().now())
        connection.commit()
    query(settings, "update run set endpoint_id = :endpoint where id = :id", endpoint=stored.id, id=run_id)
    score(settings, run_id)
    return run_id


def verdicts_by(tasks: Sequence[str], costs: Callable[[int, str], Costs]) -> list[str]:
    """A reply for each question of these tasks, by its place and task."""
    return [verdict_of(task, costs(place, task)) for place, task in enumerate(tasks)]
