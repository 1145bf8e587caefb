"""Connections of the driver's own, for COPY and for commands that start without SQLAlchemy: it takes 0.2 s to load."""

from typing import Any

import psycopg

from app.core.errors import ServiceUnavailable
from app.core.settings import SET_UP, Role, Settings

OPTIONS = (
    "-c search_path=trigpoint,public -c timezone=UTC -c client_min_messages=warning"
    " -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=4"
)
"""What every session of ours has set; one whose client's host is cut off ends, with its locks, after 30 s."""
KEEPALIVES: dict[str, Any] = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 4}
"""The same for our end: who waits for an answer of a host that is cut off learns of it after 30 s, not after hours."""

REFUSALS = ("FATAL:", "no password supplied")
"""Signs that PostgreSQL was reached."""


def connect_raw(settings: Settings, role: Role) -> psycopg.Connection[Any]:
    """One connection as `role`; the caller commits and closes it.

    Raises ServiceUnavailable where PostgreSQL does not let us in.
    """
    try:
        return psycopg.connect(
            settings.role_url(role).replace("postgresql+psycopg:", "postgresql:", 1),
            application_name=f"trigpoint {role.value}",
            connect_timeout=10,
            options=OPTIONS,
            **KEEPALIVES,
        )
    except psycopg.OperationalError as error:
        raise not_let_in(settings, role, str(error)) from error


def not_let_in(settings: Settings, role: Role, reason: str) -> ServiceUnavailable:
    """What to say where there is no connection, for the driver's `reason`: nobody answers, or refuses us."""
    first = reason.strip().splitlines()[0]
    refused = any(sign in first for sign in REFUSALS)
    what = f"does not let {role.login} in" if refused else "does not answer"
    why = first.rpartition(" failed: ")[2].removeprefix("FATAL:").strip()
    return ServiceUnavailable(
        f"PostgreSQL at {settings.database_url} {what}: {why}. Run `{SET_UP}`, or look at `trigpoint doctor`."
    )
