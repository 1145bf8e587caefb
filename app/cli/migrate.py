"""`trigpoint migrate`: bring the service's tables to the newest revision."""

from app.cli.output import say
from app.core.settings import Role, Settings
from app.db import migrating
from app.db.engine import connect


def migrate() -> None:
    """Create or update the service's tables (as trigpoint_owner)."""
    settings = Settings.load()
    with connect(settings, Role.OWNER) as connection:
        there, newest = migrating.revisions(connection, settings)
    if there == newest:
        say(f"The tables are at revision {newest} already.")
        return
    migrating.migrate(settings)
    say(f"The tables are at revision {newest} now.")
