"""Doctor: the sandbox, in which models' SQL runs. Logs in as both of its roles; changes nothing."""

from collections.abc import Iterator

import psycopg

from app.core.errors import SettingsError
from app.core.settings import Settings
from app.doctor.registry import Report, check, fail, ok, remedy, warn
from app.map_tools.sandbox import Sandbox


@check(
    "sandbox",
    remedy(
        "Run `make up`: it starts the sandbox; with containers, look at `docker-compose logs sandbox`.",
        "The sandbox is started by a checkout (`make up`) or by the containers; set TRIGPOINT_SANDBOX_URL to it.",
    ),
)
def check_sandbox(settings: Settings) -> Iterator[Report]:
    """The sandbox lets models' SQL in. Where its passwords are not given, this process runs none."""
    if settings.password_sandbox is None or settings.password_reader is None:
        yield warn(
            "not examined: no password of the roles reader and sandbox here; only text_to_sql needs them",
            "Ask again where TRIGPOINT_PASSWORD_READER and TRIGPOINT_PASSWORD_SANDBOX are set.",
        )
        return
    try:
        copies = Sandbox(settings).count_copies()
    except SettingsError as error:
        yield fail(str(error))
    except psycopg.Error as error:
        yield fail(
            f"{settings.sandbox_url} does not let models' SQL in: {str(error).strip().splitlines()[0]}"
        )
    else:
        yield ok(
            f"{settings.sandbox_url} answers; it holds {copies} maps of this database and may take "
            f"{settings.sandbox_memory_mb:,} MB"
        )
