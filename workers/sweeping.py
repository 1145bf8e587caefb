"""Task `trigpoint.sweep`: one sweep, for installations that run celery beat."""

from celery import shared_task

from app.predictions.messages import SWEEP
from workers.process import here
from workers.sweeper import sweep_once


@shared_task(name=SWEEP)
def sweep() -> None:
    """Take back expired leases and enqueue what is waiting."""
    process = here()
    process.clock.read(process.database)
    sweep_once(process.database, process.settings, process.clock, process.messenger, process.patience)
