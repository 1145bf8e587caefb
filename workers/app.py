"""The Celery application that `trigpoint worker` starts: settings, routes, tasks, the sweeper's thread, the schedule.

Entry point of worker and beat processes. Tasks take ids, open what they need, and may run twice without harm.
"""

from app.core import log
from app.core.settings import Settings
from app.predictions.messages import SCHEDULES, SWEEP, make_celery
from workers import process

SWEEPS_A_LOOK = 12
"""So seldom workers look for schedules that are due: each minute by default, what is due is counted in hours."""

settings = Settings.load()
log.configure(settings.log_level)
app = make_celery(
    settings,
    worker_hijack_root_logger=False,
    worker_send_task_events=False,
    beat_scheduler="workers.beat:Beat",
    beat_max_loop_interval=max(1.0, settings.sweep_seconds),
    beat_schedule={
        "sweep": {"task": SWEEP, "schedule": max(1.0, settings.sweep_seconds)},
        "schedules": {"task": SCHEDULES, "schedule": max(1.0, SWEEPS_A_LOOK * settings.sweep_seconds)},
    },
    include=[
        "workers.jobs",
        "workers.reasoning",
        "workers.runs",
        "workers.schedules",
        "workers.scoring",
        "workers.submissions",
        "workers.sweeping",
    ],
)
app.set_default()
process.attach(app, settings)
