"""Task `trigpoint.work`: look for work."""

from celery import shared_task

from app.predictions.messages import WORK
from workers.process import here


@shared_task(name=WORK)
def work() -> None:
    """Claim batches and work them until none is waiting."""
    here().work()
