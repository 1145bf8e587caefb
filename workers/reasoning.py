"""Task `trigpoint.reasoning`: check the reasoning of a scored run's answers, apart from its scores."""

from celery import shared_task
from sqlalchemy.exc import DBAPIError

from app.core.errors import ServiceUnavailable
from app.core.log import get_logger
from app.core.settings import Role
from app.db.engine import connect
from app.db.outages import first_line, will_pass
from app.operations.check_reasoning import check_scored_run
from app.predictions.messages import REASONING
from workers.process import here

logger = get_logger(__name__)


@shared_task(name=REASONING)
def check(run_id: int) -> None:
    """Check the run; where the database goes away, a sweep asks again for what is left."""
    try:
        _check(run_id)
    except (DBAPIError, ServiceUnavailable) as error:
        if isinstance(error, DBAPIError) and not will_pass(error):
            raise
        logger.warning("reasoning not checked yet", run=run_id, reason=first_line(error))


def _check(run_id: int) -> None:
    # Not the engine that ends idle transactions: checking computes for long between two statements.
    with connect(here().settings, Role.WORKER) as connection:
        check_scored_run(connection, run_id)
