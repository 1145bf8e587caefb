"""Doctor: the chat endpoints that are registered; asks each for its list of models, which costs nothing."""

import os
import urllib.error
import urllib.request
from collections.abc import Iterator

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.core.errors import TrigpointError
from app.core.settings import Role, Settings
from app.db.engine import connect, use_service_tables
from app.doctor import queries
from app.doctor.registry import Report, check, ok, warn

WAIT_SECONDS = 5.0


@check(
    "endpoints",
    "Start the endpoint, or give `trigpoint evaluate` the URL at which it answers now.",
)
def check_endpoints(settings: Settings) -> Iterator[Report]:
    """Every registered endpoint answers; one that is down is a warning, since no stored result depends on it."""
    if settings.password_worker is None:
        yield warn(
            "not examined: no password of the role worker here",
            "Ask again where the worker's password is set.",
        )
        return
    try:
        with connect(settings, Role.WORKER) as connection:
            use_service_tables(connection)
            rows = list(connection.execute(text(queries.ENDPOINTS)))
    except (TrigpointError, DBAPIError):
        yield warn("not examined: the table of endpoints cannot be read", "Repair the database first.")
        return
    if not rows:
        yield ok("none is registered")
    for row in rows:
        if row.key_variable and not os.environ.get(row.key_variable):
            yield warn(
                f"{row.name}: its key is expected in {row.key_variable}, which is not set",
                "Set it where workers start.",
            )
            continue
        problem = ask(row.url, os.environ.get(row.key_variable or "", ""))
        yield (
            ok(f"{row.name} answers at {row.url}")
            if problem is None
            else warn(f"{row.name} at {row.url}: {problem}")
        )


def ask(url: str, key: str) -> str | None:
    """What is wrong with an endpoint, None when it answers. Refusing this one path still shows a server."""
    if not url.startswith(("http://", "https://")):
        return "not an http URL"
    request = urllib.request.Request(
        url.rstrip("/") + "/models", headers={"Authorization": f"Bearer {key}"} if key else {}
    )
    try:
        with urllib.request.urlopen(request, timeout=WAIT_SECONDS) as answer:
            kind = answer.headers.get_content_type()
            return (
                None
                if kind == "application/json"
                else f"answers {kind}, not JSON: is this the base URL, ending in /v1?"
            )
    except urllib.error.HTTPError as error:
        return f"refuses the key (HTTP {error.code})" if error.code in (401, 403) else None
    except (OSError, ValueError) as error:
        return f"does not answer: {getattr(error, 'reason', error)}"
