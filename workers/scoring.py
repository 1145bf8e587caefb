"""Task `trigpoint.score`: score a finished run, apart from inference."""

from celery import shared_task
from sqlalchemy.exc import DBAPIError

from app.core.errors import ServiceUnavailable
from app.core.log import get_logger
from app.core.settings import Role
from app.db.engine import connect
from app.db.outages import first_line, will_pass
from app.operations.score import score_finished_run
from app.predictions.messages import SCORE
from workers.process import here

logger = get_logger(__name__)


@shared_task(name=SCORE)
def score(run_id: int) -> None:
    """Score the run, unless another worker does so just now; where the database goes away, a sweep asks again."""
    try:
        _score(run_id)
    except (DBAPIError, ServiceUnavailable) as error:
        if isinstance(error, DBAPIError) and not will_pass(error):
            raise
        logger.warning("not scored yet", run=run_id, reason=first_line(error))


def _score(run_id: int) -> None:
    # Not the engine that ends idle transactions: scoring computes for long between two statements.
    with connect(here().settings, Role.WORKER) as connection:
        score_finished_run(connection, run_id)
