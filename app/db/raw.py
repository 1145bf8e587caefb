"""Connections of the driver's own, for COPY and for commands that start without SQLAlchemy: it takes 0.2 s to load."""

from typing import Any

import psycopg

from app.core.errors import ServiceUnavailable
from app.core.settings import Role, Settings

OPTIONS = "-c search_path=trigpoint,public -c timezone=UTC -c client_min_messages=warning"
"""What every session of ours has set."""


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
        )
    except psycopg.OperationalError as error:
        raise not_let_in(settings, role, str(error)) from error


def not_let_in(settings: Settings, role: Role, reason: str) -> ServiceUnavailable:
    """What to say where PostgreSQL refuses a connection for `reason`."""
    return ServiceUnavailable(
        f"PostgreSQL at {settings.database_url} does not let {role.login} in: {reason.strip().splitlines()[0]}. "
        "Run `make up`, or look at `trigpoint doctor`."
    )
