"""Task `trigpoint.job`: look for jobs. One thread of a process does them: the others are for runs and scores."""

import threading

from celery import shared_task

from app.predictions.jobs import work_jobs
from app.predictions.messages import JOB
from workers.process import here

_at_work = threading.Lock()


@shared_task(name=JOB)
def job() -> None:
    """Do jobs until none is waiting; where another thread does so already, return: it finds what there is."""
    if not _at_work.acquire(blocking=False):
        return
    try:
        process = here()
        work_jobs(process.database, process.settings, process.clock, process.owner)
    finally:
        _at_work.release()
