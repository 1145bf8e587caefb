"""Restore: a backup into an empty database, compared with its manifest in the transaction that makes it.

Reads the file wholly before it touches anything. Roles, extensions and the rights on the database itself are no part
of a backup: scripts/bootstrap makes them. What was restored is proved again (app.backups.reproving).
"""

from pathlib import Path
from typing import Any

from alembic.script import ScriptDirectory
from sqlalchemy import Row

from app.backups import queries
from app.backups.archive import Archive, open_archive
from app.backups.manifest import Manifest, differences, measure
from app.backups.psql import Session
from app.core.errors import BackupFailed, BadBackup, Conflict, Held, SettingsError
from app.core.progress import Progress
from app.core.settings import Role, Settings
from app.db import migrating
from app.db.engine import connect
from app.db.programs import find_programs

SHOWN = 5


def restore(settings: Settings, path: Path, progress: Progress) -> Manifest:
    """Fill an empty database with a backup and bring its tables to this program's revision.

    Raises UsageError or BadBackup for a file that cannot be restored, SettingsError where the server or this machine
    lacks something, Conflict where the database is not empty, Held where somebody uses it, BackupFailed where it could
    not be done. Whatever is raised but by a migration, the database is as it was.
    """
    with open_archive(path) as archive:
        newest = _check_revision(archive, settings)
        with connect(settings, Role.OWNER) as connection:
            server = connection.exec_driver_sql(queries.SERVER).one()
        _check_server(archive.manifest, server, settings)
        programs = find_programs(settings, server.major)
        archive.check(progress)
        with Session(settings, programs) as session:
            _empty(session, settings)
            progress.start("restoring", archive.manifest.dump_bytes)
            session.feed(archive.chunks(), progress)
            _compare(session, archive, server.major, progress)
            session.ask(queries.FAIL_UNFINISHED)
            progress.start("analyzing", None)
            session.ask(queries.analyze(archive.manifest.measured.tables))
            session.commit()
    if archive.manifest.revision != newest:
        progress.start("migrating", None)
        migrating.migrate(settings)
    return archive.manifest


def _check_revision(archive: Archive, settings: Settings) -> str:
    """The newest revision that this program knows; raises BadBackup where the backup's is none of those it knows."""
    script = ScriptDirectory.from_config(migrating.alembic_config(settings))
    if archive.manifest.revision not in {one.revision for one in script.walk_revisions()}:
        raise BadBackup(
            f"{archive.path} holds tables of revision {archive.manifest.revision}, made by Trigpoint "
            f"{archive.manifest.trigpoint}; this one knows none newer than {script.get_current_head()}. "
            "Restore it with that version or a newer one."
        )
    return script.get_current_head() or ""


def _check_server(manifest: Manifest, server: Row[Any], settings: Settings) -> None:
    if server.major < manifest.postgresql_major:
        raise SettingsError(
            f"The backup was made on PostgreSQL {manifest.postgresql}, and this server is {server.postgresql}. "
            "Restore it on a server that is not older."
        )
    missing = [*server.roles_missing, *(f"extension {name}" for name in server.extensions_missing)]
    if missing:
        raise SettingsError(
            f"The database at {settings.database_url} lacks {', '.join(missing)}, which are not part of a backup. "
            "Let a superuser prepare it: scripts/bootstrap DATABASE."
        )


def _empty(session: Session, settings: Settings) -> None:
    """Make sure, under locks, that there is nothing to lose, and drop the tables that hold nothing."""
    session.ask(f"{queries.WAIT_FOR_LOCK};\n{queries.NOTICE_DEAD_CLIENTS};")
    session.ask(queries.PLAIN_TEXT)
    if session.ask(queries.TRY_RESTORE_LOCK) != [True]:
        raise Held("Another restore into this database is running.")
    session.ask(queries.LOCK_SERVICE_TABLES)
    tables = session.ask(queries.SERVICE_TABLES)
    full = session.ask(queries.tables_with_rows(tables)) if tables else []
    full += [f"schema {name}" for name in session.ask(queries.MAP_SCHEMAS)]
    if full:
        raise Conflict(
            f"The database at {settings.database_url} is not empty: there are rows or maps in {_listed(full)}. "
            "A restore replaces nothing; give it an empty database (TRIGPOINT_DATABASE_URL)."
        )
    session.ask(queries.DROP_SERVICE_TABLES)


def _compare(session: Session, archive: Archive, major: int, progress: Progress) -> None:
    manifest = archive.manifest
    found = measure(session.ask, manifest.schemas, progress)
    faults = differences(manifest.measured, found, same_server=major == manifest.postgresql_major)
    if faults:
        raise BackupFailed(
            f"What {archive.path} gave is not what was backed up: {_listed(faults)}. Nothing was restored."
        )


def _listed(words: list[str]) -> str:
    more = f" and {len(words) - SHOWN} more" if len(words) > SHOWN else ""
    return ", ".join(words[:SHOWN]) + more
