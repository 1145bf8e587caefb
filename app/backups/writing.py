"""Backup: the service's tables and all its maps, as they were at one moment, into one file.

Reads as the owner under one exported snapshot and holds the maps' rows, so that none is dropped meanwhile; writes
nothing to the database. Maps that are just being imported are left out.
"""

import hashlib
import json
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

import psycopg
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from app import __version__
from app.backups import queries
from app.backups.archive import Writer, new_file
from app.backups.manifest import FORMAT, Manifest, measure
from app.core.clock import Clock
from app.core.errors import BackupFailed, Conflict, Held
from app.core.progress import Progress
from app.core.settings import Role, Settings
from app.db import migrating
from app.db.engine import connect
from app.db.naming import map_date, reference_schema, snapshot_reference
from app.db.programs import find_programs, first_error, login
from app.db.tables import SCHEMA
from app.exports.versions import export_published
from app.questions.versions import PublishedVersion

COMPRESSION = "--compress=1"
"""The fastest: coordinates gain little from more, and the time that a backup takes is the database's."""


class Pinned(NamedTuple):
    """What stays as it is while the backup is made: maps by reference, and the schemas to dump."""

    maps: list[str]
    schemas: list[str]


def backup(settings: Settings, path: Path, clock: Clock, progress: Progress) -> Manifest:
    """Write everything to a new file, readable by its owner only; gives what the file says of itself.

    Raises Conflict where the file is there already or the tables are not at this program's revision, UsageError where
    it cannot be written, SettingsError where pg_dump is missing, Held or BackupFailed where the database or the disk
    does not let us; then no file is left.
    """
    with new_file(path) as stream, Writer(stream) as writer, connect(settings, Role.OWNER) as connection:
        revision = _check_revision(connection, settings)
        server = connection.exec_driver_sql(queries.SERVER).one()
        programs = find_programs(settings, server.major)
        connection.rollback()
        with _one_sentence():
            pinned = _pin(connection)
            snapshot = connection.exec_driver_sql(queries.EXPORT_SNAPSHOT).scalar_one()
            exports = export_hashes(connection, published_versions(connection), progress)
            measured = measure(lambda statement: _ask(connection, statement), pinned.schemas, progress)
            progress.start("writing", None)
            with _dump(settings, programs, pinned.schemas, snapshot) as dump:
                written = writer.write_dump(dump, progress)
        manifest = Manifest(
            trigpoint_backup=FORMAT,
            trigpoint=__version__,
            revision=revision,
            postgresql=server.postgresql,
            postgresql_major=server.major,
            postgis=server.postgis or "",
            made_at=map_date(clock.now()) or "",
            dump_sha256=written.sha256,
            dump_bytes=written.size,
            schemas=pinned.schemas,
            maps=pinned.maps,
            versions=exports,
            measured=measured,
        )
        writer.finish(manifest)
    return manifest


def published_versions(connection: Connection) -> list[PublishedVersion]:
    """Every published data set version, by name and number."""
    return [PublishedVersion(*row) for row in connection.exec_driver_sql(queries.PUBLISHED_VERSIONS)]


def export_hashes(
    connection: Connection, versions: Sequence[PublishedVersion], progress: Progress
) -> dict[str, dict[str, str]]:
    """SHA-256 by file name of each version's export, hidden gold included; by `name@version`."""
    progress.start("exports", len(versions))
    hashes = {}
    for version in versions:
        files = export_published(connection, version, with_gold=True, include_hidden=True)
        hashes[version.reference] = {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)}
        progress.advance(1)
    return hashes


def _check_revision(connection: Connection, settings: Settings) -> str:
    there, newest = migrating.revisions(connection, settings)
    if there is None:
        raise Conflict(
            "There is nothing to back up: the service's tables are missing. Run `trigpoint migrate`."
        )
    if there != newest:
        raise Conflict(
            f"The tables are at revision {there}, and this Trigpoint works at {newest}. "
            "Run `trigpoint migrate`, or back up with the Trigpoint that made them."
        )
    return there


def _pin(connection: Connection) -> Pinned:
    """Lock the maps that are there in common with others; from here on this transaction sees one moment."""
    connection.execution_options(isolation_level="REPEATABLE READ")
    for last in (False, False, True):
        try:
            # Locking comes first: it fails where the map changed after the moment that is seen.
            connection.exec_driver_sql(f"{queries.WAIT_FOR_LOCK}; {queries.WAIT_LONG}")
            maps = list(connection.exec_driver_sql(queries.PIN_SNAPSHOTS))
            break
        except DBAPIError as error:
            connection.rollback()
            if last or not isinstance(error.orig, psycopg.errors.SerializationFailure):
                raise
    there = set(connection.exec_driver_sql(queries.EXISTING_SCHEMAS).scalars())
    schemas = [SCHEMA]
    for one in maps:
        reference = snapshot_reference(one.name, one.data_timestamp)
        if one.schema_name not in there:
            raise Conflict(
                f"{reference} has lost its schema {one.schema_name}: a backup would not hold that map. "
                f"Remove it (`trigpoint snapshot drop {one.schema_name}`) and import it again."
            )
        schemas += [one.schema_name, *({reference_schema(one.id)} & there)]
    return Pinned([snapshot_reference(one.name, one.data_timestamp) for one in maps], schemas)


@contextmanager
def _one_sentence() -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        reason = (str(error.orig).strip().splitlines() or ["no reason given"])[0]
        if isinstance(error.orig, psycopg.errors.LockNotAvailable | psycopg.errors.SerializationFailure):
            raise Held(
                "A map is being dropped or published at the moment. Try again when that is done."
            ) from error
        raise BackupFailed(
            f"PostgreSQL stopped the backup ({reason}); no file was left. `trigpoint doctor` says what is wrong."
        ) from error


def _ask(connection: Connection, statement: str) -> list[Any]:
    result = connection.exec_driver_sql(statement)
    return [json.loads(row[0]) for row in result] if result.returns_rows else []


@contextmanager
def _dump(settings: Settings, programs: Path, schemas: Sequence[str], snapshot: str) -> Iterator[IO[bytes]]:
    """pg_dump's output, as it comes; raises BackupFailed where it did not end well."""
    command = [
        str(programs / "pg_dump"),
        "--format=custom",
        COMPRESSION,
        "--no-password",
        "--strict-names",
        "--lock-wait-timeout=4s",
        f"--snapshot={snapshot}",
        *(f"--schema={schema}" for schema in schemas),
    ]
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(
            command,
            env=login(settings),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=said,
            start_new_session=True,  # Ctrl-C is ours to answer
        ) as process,
    ):
        if process.stdout is None:
            raise BackupFailed("pg_dump gives no output here.")
        try:
            yield process.stdout
        except BaseException:
            process.kill()
            raise
        if process.wait() != 0:
            raise BackupFailed(f"pg_dump stopped: {first_error(said)}. No file was left; try again.")
