"""Scoring a finished run from its stored answers."""

from sqlalchemy import Connection

from app.core.log import get_logger
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.predictions.scoring_lock import only_one
from app.scores.grounds import Grounds
from app.scores.scoring import score_run

logger = get_logger(__name__)


def score_finished_run(connection: Connection, run_id: int, grounds: Grounds | None = None) -> None:
    """Score the run and commit, unless somebody does so just now; `grounds` where they were read before."""
    with only_one(connection, run_id) as alone:
        if not alone:
            return
        score_run(connection, run_id, grounds)
        connection.commit()
        logger.info("scored", run=run_id)


def score_again(settings: Settings, run_id: int) -> None:
    """Score a run whose scores are of older rules by the rules of today."""
    with connect(settings, Role.WORKER) as connection:
        score_run(connection, run_id)
        connection.commit()
