"""Task `trigpoint.job`: look for jobs."""

from celery import shared_task

from app.predictions.jobs import work_jobs
from app.predictions.messages import JOB
from workers.process import here


@shared_task(name=JOB)
def job() -> None:
    """Do jobs until none is waiting."""
    process = here()
    work_jobs(process.database, process.settings, process.clock, process.owner)
