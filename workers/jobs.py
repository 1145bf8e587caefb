"""Tasks `trigpoint.job` and `trigpoint.import`: look for jobs.

One thread of a process does them: the others are for runs and scores.
"""

import threading

from celery import shared_task

from app.operations.jobs import JobWorker, work_jobs
from app.predictions.messages import IMPORT, JOB
from workers.process import here

_at_work = threading.Lock()


@shared_task(name=JOB)
def job() -> None:
    """Do jobs until none is waiting; where another thread does so already, return: it finds what there is."""
    if not _at_work.acquire(blocking=False):
        return
    try:
        process = here()
        work_jobs(
            JobWorker(
                process.database, process.settings, process.clock, process.owner, lambda: process.is_stopping
            )
        )
    finally:
        _at_work.release()


@shared_task(name=IMPORT)
def import_() -> None:
    """The same, of a worker that has the owner's password."""
    job()
