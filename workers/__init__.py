"""Workers: the Celery application, one thin module a stage, the sweeper, the schedule."""
