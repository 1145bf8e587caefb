"""Scores a run that was carried over: as every run is, but that no answer is judged twice on the same gold."""

from sqlalchemy import Connection

from app.db.engine import without_nested_loops
from app.scores.paper_rules import PROFILE
from app.scores.profiles import TRIGPOINT
from app.scores.queries_carrying import COPY_SCORES
from app.scores.scoring import Scored, score_run


def score_carried(connection: Connection, run_id: int, carried: int) -> Scored:
    """Score the run `carried`, whose answers are those of `run_id`. The caller commits.

    What was judged by the scorers' versions of today stands, where the question's gold is the same; all else is judged.
    """
    binds = {"run_id": run_id, "carried": carried, "profiles": [TRIGPOINT.name, PROFILE]}
    with without_nested_loops(connection):
        connection.execute(COPY_SCORES, binds)
        return score_run(connection, carried)
