"""Task `trigpoint.schedules`: ask for the jobs of schedules that are due. Beat sends it; two beats do no harm."""

from celery import shared_task
from sqlalchemy.exc import DBAPIError

from app.core.errors import ServiceUnavailable
from app.core.log import get_logger
from app.db.outages import first_line, will_pass
from app.jobs.kinds import message_of
from app.predictions.messages import SCHEDULES
from app.schedules.schedules import ask_for_due
from workers.process import here

logger = get_logger(__name__)


@shared_task(name=SCHEDULES)
def schedules() -> None:
    """Look once; whoever has the owner's password works what is asked for. A sweep finds what nobody heard of."""
    process = here()
    try:
        with process.database.begin() as connection:
            asked = ask_for_due(connection, process.clock.now())
        if asked:
            logger.info("schedules are due", schedules=asked)
            process.messenger.send(message_of("refresh_schedule"))
    except (DBAPIError, ServiceUnavailable) as error:
        if isinstance(error, DBAPIError) and not will_pass(error):
            raise
        logger.warning("schedules wait for the next look", reason=first_line(error))
