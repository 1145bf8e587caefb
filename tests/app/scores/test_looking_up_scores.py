"""Plans of statements that join answers with their scores: however many runs there are, only these runs' rows are read."""

import re
from collections.abc import Sequence

import pytest
from sqlalchemy import Connection, TextClause, text

from app.core.settings import Role, Settings
from app.db.engine import connect, without_nested_loops
from app.scores.profiles import TRIGPOINT
from app.scores.queries import DELETE_STALE_SCORES
from app.scores.queries_ahead import PREDICTIONS_TO_SCORE
from app.scores.queries_carrying import COPY_SCORES
from app.scores.queries_diagnosing import ANSWERS, DELETE_DIAGNOSES
from app.scores.queries_paper import PAPER_MARKS
from app.scores.queries_standing import VALUES_OF_RUNS

BINDS = {
    **TRIGPOINT.scorer_binds(),
    "run_id": 1,
    "carried": 2,
    "runs": [1, 2],
    "version": 1,
    "gold_key": "default",
    "published": "published",
    "published_version": 1,
    "is_published": False,
    "profiles": ["trigpoint"],
    "diagnosed": ["count"],
    "diagnosis": "diagnosis",
}
STATEMENTS = {
    "values of runs": VALUES_OF_RUNS,
    "predictions to score": PREDICTIONS_TO_SCORE,
    "scores carried over": COPY_SCORES,
    "answers to diagnose": ANSWERS,
    "stale scores": DELETE_STALE_SCORES,
    "stale diagnoses": DELETE_DIAGNOSES,
    "marks of a paper": PAPER_MARKS,
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_scores_and_questions_of_other_runs_are_not_read_where_joins_are_by_hashes(
    database: Settings, name: str
) -> None:
    with connect(database, Role.WORKER) as connection, without_nested_loops(connection):
        plan = _plan(connection, STATEMENTS[name])
    assert _conditions(plan, "score") == {"prediction_id"}, plan
    assert _conditions(plan, "question") <= {"version_id"}, plan


def _plan(connection: Connection, statement: TextClause) -> Sequence[str]:
    connection.execute(text("set local enable_seqscan = off"))
    known = {name: BINDS[name] for name in statement.compile().params}
    return connection.execute(text("explain (costs off) " + statement.text), known).scalars().all()


def _conditions(plan: Sequence[str], table: str) -> set[str]:
    """The first column by which each scan of the table finds its rows; `none` of a scan that reads all of them."""
    found = set()
    for place, line in enumerate(plan):
        if re.search(rf"Scan (using \w+ )?on {table}\b", line):
            said = re.search(r"(?:Index|Recheck) Cond: \(+(?:\w+\.)?(\w+)\)? ", plan[place + 1])
            found.add(said[1] if said else "none")
    return found
