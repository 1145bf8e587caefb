"""Task `trigpoint.submission`: score submissions. One thread of a process does it: the others are for runs."""

import threading

from celery import shared_task
from sqlalchemy.exc import DBAPIError

from app.core.errors import ServiceUnavailable
from app.core.log import get_logger
from app.core.settings import Role
from app.db.engine import connect
from app.db.outages import first_line, will_pass
from app.predictions.messages import SUBMISSION
from app.scores.submitted import score_submissions
from workers.process import here

logger = get_logger(__name__)
_at_work = threading.Lock()


@shared_task(name=SUBMISSION)
def submission() -> None:
    """Score what was submitted; where another thread does so already, return: it finds what there is."""
    if not _at_work.acquire(blocking=False):
        return
    try:
        _score()
    except (DBAPIError, ServiceUnavailable) as error:
        if isinstance(error, DBAPIError) and not will_pass(error):
            raise
        logger.warning("submissions wait for the next sweep", reason=first_line(error))
    finally:
        _at_work.release()


def _score() -> None:
    process = here()
    # Not the engine that ends idle transactions: scoring computes for long between two statements.
    with connect(process.settings, Role.WORKER) as connection:
        score_submissions(connection, process.clock, process.owner)
