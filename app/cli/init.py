"""`trigpoint init`: prepare an existing PostgreSQL and write the file of settings."""

import os
from typing import Annotated

import typer

from app.cli.output import emit, say
from app.core.settings import Settings
from app.operations.install import install
from app.predictions.messages import Messenger, make_celery


def init(
    database: Annotated[
        str, typer.Option(help="the name of the database; it is made if it does not exist")
    ] = "trigpoint",
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Prepare an existing PostgreSQL and Redis for Trigpoint: make roles, database and tables, and write the settings.

    Set TRIGPOINT_SUPERUSER_URL (a superuser of the server; its password is not stored) and TRIGPOINT_REDIS_URL.
    """
    done = install(database, os.environ)
    Messenger(make_celery(Settings.load())).check()
    result = {
        "database": done.database_url,
        "settings_file": str(done.settings_file),
        "revision": done.revision,
    }
    emit(
        result,
        as_json,
        f"The database {done.database_url} is ready; its tables are at revision {done.revision}.",
        f"The settings and passwords are in {done.settings_file}, which only you can read.",
    )
    say(
        "Next: `trigpoint doctor` checks the installation; `trigpoint import FILE --name NAME` imports a map."
    )
