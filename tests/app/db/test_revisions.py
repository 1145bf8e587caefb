"""Commands refuse tables that are behind before they do anything, and say what `doctor` says."""

from collections.abc import Callable

from alembic import command

from app.core.settings import Role, Settings
from app.db import migrating
from app.db.engine import connect
from app.db.revisions import newest_revision
from tests.support.command_line import trigpoint

COMMANDS = [
    ("evaluate", "any", "--solver", "oracle"),
    ("generate", "gsqa", "--snapshot", "any", "--out", "any"),
    ("recheck", "any"),
    ("worker",),
]


def test_the_newest_migration_is_found_as_alembic_does(make_database: Callable[[], Settings]) -> None:
    assert newest_revision() == migrating.newest(make_database())


def test_commands_refuse_tables_that_are_one_revision_behind(make_database: Callable[[], Settings]) -> None:
    settings = make_database()
    command.downgrade(migrating.alembic_config(settings), "-1")
    with connect(settings, Role.OWNER) as connection:
        there, newest = migrating.revisions(connection, settings)
    assert there != newest
    told = f"he tables are at {there}, the newest is {newest}"
    for wanted in COMMANDS:
        done = trigpoint(settings, *wanted)
        assert (done.status, f"T{told}. Run `trigpoint migrate`" in done.err) == (1, True), done.err
    assert f"t{told}" in trigpoint(settings, "doctor").out
    assert trigpoint(settings, "migrate").status == 0
    assert "There is no published data set" in trigpoint(settings, *COMMANDS[0]).err
