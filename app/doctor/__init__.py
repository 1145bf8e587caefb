"""Doctor: checks of an installation, each carrying how to mend what it finds. Reads everything, changes nothing."""

# In the order in which a person would look: machine, database, queue, sandbox, optional programs, endpoints.
from app.doctor import environment, database, queue, sandbox, router, drawing, endpoints, schedules  # isort: skip
from app.doctor.registry import Finding, State, examine

__all__ = [
    "Finding",
    "State",
    "database",
    "drawing",
    "endpoints",
    "environment",
    "examine",
    "queue",
    "router",
    "sandbox",
    "schedules",
]
