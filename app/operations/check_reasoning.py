"""Checking the reasoning of a scored run's answers, a few between two commits."""

from sqlalchemy import Connection

from app.core.log import get_logger
from app.predictions.scoring_lock import only_one
from app.scores.reasoning_figures import check_some

logger = get_logger(__name__)


def check_scored_run(connection: Connection, run_id: int) -> None:
    """Check all answers that are not checked yet; leave it to whoever scores or checks the run just now.

    What was committed before a stop stands. The run can be scored between two commits.
    """
    more = True
    while more:
        with only_one(connection, run_id) as alone:
            if not alone:
                return
            more = check_some(connection, run_id)
            connection.commit()
    logger.info("reasoning checked", run=run_id)
