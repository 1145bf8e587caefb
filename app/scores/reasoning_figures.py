"""Figures of the reasoning of a run's answers to public questions: computed by each version of the checker once.

Reads stored answers and the prompts that were asked, writes `reasoning_figures`. Checking is pure: the same answers and
checker give the same rows, whoever computes them. Rows of an older checker stay.
"""

from typing import NamedTuple

from sqlalchemy import Connection

from app.core.identity import canonical_json
from app.core.log import get_logger
from app.questions.prompts import prompt_as_text
from app.scores import queries_reasoning as queries
from app.scores.profiles import TRIGPOINT
from app.scores.reasoning import UNCHECKED, Reasoning, check_reasoning, checker_version
from app.solvers.run_kinds import ANSWERS

logger = get_logger(__name__)
AT_ONCE = 25
"""Answers that are checked between two commits: each takes up to a third of a second."""


class Figures(NamedTuple):
    """What is stored of an answer: how many stated steps could be checked, how many not, and which broke first.

    `checked` is null where the check itself failed, which says nothing about the answer.
    """

    checked: int | None
    unchecked: int = 0
    broken_step: str | None = None
    broken_class: str | None = None
    is_cut: bool = False


NOTHING = Figures(checked=0)
"""Of an answer to a question whose steps are not known."""
FAILED = Figures(checked=None)


def figures_of(reasoning: Reasoning | None) -> Figures:
    """The figures of a checked answer."""
    if reasoning is None:
        return NOTHING
    broken = reasoning.first_broken
    return Figures(
        checked=len(reasoning.told()),
        unchecked=sum(step.verdict == UNCHECKED for step in reasoning.steps),
        broken_step=broken and broken.quantity,
        broken_class=broken and broken.failure,
        is_cut=reasoning.cut,
    )


def check_answer(benchmark: str, template: str, prompt: str, answer: str) -> Figures:
    """The figures of an answer; FAILED, with a line in the log, where the checker cannot cope with it."""
    try:
        return figures_of(check_reasoning(benchmark, template, prompt, answer))
    except Exception:
        # Whatever a model writes must not hold up the figures of all other answers.
        logger.exception("reasoning not checked", benchmark=benchmark, template=template)
        return FAILED


def runs_to_check(connection: Connection) -> list[int]:
    """Scored runs with answers that the checker of today has not checked; as the worker role."""
    known = {name: checker_version(name) for name in connection.execute(queries.BENCHMARKS).scalars()}
    versions = {name: version for name, version in known.items() if version is not None}
    binds = {"versions": canonical_json(versions), "profile": TRIGPOINT.name, "kind": ANSWERS}
    return list(connection.execute(queries.RUNS_TO_CHECK, binds).scalars())


def check_some(connection: Connection, run_id: int) -> bool:
    """Check the next answers of a run and write their figures; whether more are left. The caller commits.

    The last call notes that the run is checked. A run of a benchmark without a checker has nothing to be checked.
    """
    run = connection.execute(queries.CHECKED_RUN, {"run_id": run_id, "kind": ANSWERS}).one_or_none()
    version = None if run is None else checker_version(run.benchmark)
    if run is None or version is None:
        return False
    key = {"run_id": run_id, "version": version}
    answers = connection.execute(queries.UNCHECKED_ANSWERS, {**key, "most": AT_ONCE}).all()
    if not answers:
        connection.execute(queries.DELETE_STALE_FIGURES, {"run_id": run_id})
        connection.execute(queries.SET_CHECKED, {**key, "profile": TRIGPOINT.name})
        return False
    rows = [
        {
            "prediction_id": row.id,
            "task": row.task,
            **check_answer(
                run.benchmark, row.template, prompt_as_text(row.prompt), row.answer or ""
            )._asdict(),
        }
        for row in answers
    ]
    connection.execute(queries.INSERT_FIGURES, {**key, "rows": canonical_json(rows)})
    return True


def forget_figures(connection: Connection, run_id: int) -> None:
    """Delete what the checker of today found in a run, so that it is checked again. The caller commits."""
    run = connection.execute(queries.CHECKED_RUN, {"run_id": run_id, "kind": ANSWERS}).one_or_none()
    version = None if run is None else checker_version(run.benchmark)
    if version is not None:
        connection.execute(queries.DELETE_FIGURES, {"run_id": run_id, "version": version})
