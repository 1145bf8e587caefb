"""Doctor: checks of an installation, each carrying how to mend what it finds. Reads everything, changes nothing."""

# In the order in which a person would look: the machine, the database, the queue, the sandbox, the endpoints.
from app.doctor import environment, database, queue, sandbox, router, endpoints, schedules  # isort: skip
from app.doctor.registry import Finding, State, examine

__all__ = [
    "Finding",
    "State",
    "database",
    "endpoints",
    "environment",
    "examine",
    "queue",
    "router",
    "sandbox",
    "schedules",
]
