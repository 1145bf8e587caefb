"""Doctor: PostgreSQL. Logs in as each role whose password this process was given, and reads versions and catalogues."""

import re
from collections.abc import Callable, Iterator
from importlib import import_module

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from app.core.errors import SettingsError, TrigpointError
from app.core.settings import SET_UP, Role, Settings
from app.db import migrating
from app.db.engine import connect
from app.db.programs import find_programs
from app.db.revisions import REMEDY, describe_difference
from app.doctor import queries
from app.doctor.registry import Report, check, fail, ok, remedy, warn

OLDEST = {
    "server": ("PostgreSQL", 15, 0),
    "postgis": ("PostGIS", 3, 3),
    "geos": ("GEOS", 3, 9),
    "proj": ("PROJ", 7, 2),
}
EXTENSIONS = ("btree_gist", "pg_trgm", "postgis")
UPGRADE = f"Install PostgreSQL 15 or newer with PostGIS 3.3 or newer, then run `{SET_UP}`."


def known_roles(settings: Settings) -> list[Role]:
    """The roles that this process has a password for."""
    return [role for role in Role if getattr(settings, f"password_{role.value}") is not None]


@check(
    "roles",
    remedy(
        "Run `make up`: it starts PostgreSQL and makes the roles; with containers, look at `docker-compose logs db`.",
        "Start PostgreSQL, then run `trigpoint init`: it makes the roles.",
    ),
)
def check_roles(settings: Settings) -> Iterator[Report]:
    """Every role that this process has a password for can log in."""
    roles = known_roles(settings)
    if not roles:
        yield fail("no TRIGPOINT_PASSWORD_… is set, so nothing in the database can be examined")
    entered = []
    for role in roles:
        try:
            with connect(settings, role, at_any_revision=True):
                entered.append(role.value)
        except SettingsError as error:
            yield fail(str(error))
        except TrigpointError as error:
            yield fail(str(error).split(". ")[0])
    if entered:
        missing = [role.value for role in Role if role not in roles]
        note = f" (no password here for {', '.join(missing)})" if missing else ""
        yield ok(f"{', '.join(entered)} log in at {settings.database_url}{note}")


def first_connection(settings: Settings) -> Role | None:
    """A role that can log in, the owner first; None where none can (check_roles has said so)."""
    for role in known_roles(settings):
        try:
            with connect(settings, role, at_any_revision=True):
                return role
        except TrigpointError:
            continue
    return None


def examined(settings: Settings, report: Callable[[Connection], Iterator[Report]]) -> Iterator[Report]:
    """What `report` says of the database, as whichever role can log in."""
    role = first_connection(settings)
    if role is None:
        yield fail("not examined: no role can log in")
        return
    with connect(settings, role, at_any_revision=True) as connection:
        yield from report(connection)


@check("database versions", UPGRADE)
def check_versions(settings: Settings) -> Iterator[Report]:
    """PostgreSQL, PostGIS, GEOS and PROJ are new enough."""
    yield from examined(settings, report_versions)


def report_versions(connection: Connection) -> Iterator[Report]:
    """One report a component."""
    try:
        row = connection.execute(text(queries.VERSIONS)).mappings().one()
    except DBAPIError as error:
        yield fail(
            f"PostGIS does not answer: {str(error.orig).splitlines()[0]}",
            f"Run `{SET_UP}`: it adds the extensions.",
        )
        return
    for key, (name, major, minor) in OLDEST.items():
        numbers = [int(number) for number in re.findall(r"\d+", row[key])[:2]]
        version = (numbers[0], numbers[1] if len(numbers) > 1 else 0)
        yield (
            fail(f"{name} {row[key]} is older than {major}.{minor}")
            if version < (major, minor)
            else ok(f"{name} {row[key]}")
        )


@check("extensions", f"Run `{SET_UP}`: it adds postgis, btree_gist and pg_trgm to the database.")
def check_extensions(settings: Settings) -> Iterator[Report]:
    """The three extensions are there, at the version whose library is installed."""
    yield from examined(settings, report_extensions)


def report_extensions(connection: Connection) -> Iterator[Report]:
    """One report an extension."""
    there = {row.extname: row for row in connection.execute(text(queries.EXTENSIONS))}
    for name in EXTENSIONS:
        if name not in there:
            yield fail(f"{name} is not in the database")
        elif there[name].extversion != there[name].default_version:
            update = f"As superuser: alter extension {name} update;"
            yield warn(
                f"{name} is {there[name].extversion}, installed is {there[name].default_version}", update
            )
        else:
            yield ok(f"{name} {there[name].extversion}")


@check(
    "backups",
    "Install the client programs of the server's version (postgresql-client), or name their folder: TRIGPOINT_PG_BIN.",
)
def check_backups(settings: Settings) -> Iterator[Report]:
    """pg_dump, pg_restore and psql are here and fit the server; without them there is neither backup nor restore."""
    role = first_connection(settings)
    if role is None:
        yield warn("not examined: no role can log in")
        return
    with connect(settings, role, at_any_revision=True) as connection:
        major = int((connection.dialect.server_version_info or (0,))[0])
    try:
        yield ok(f"pg_dump, pg_restore and psql are in {find_programs(settings, major)}")
    except SettingsError as error:
        yield warn(str(error).partition(". ")[0])


@check("migrations", REMEDY)
def check_migrations(settings: Settings) -> Iterator[Report]:
    """The service's tables are at the newest revision."""
    role = first_connection(settings)
    if role is None:
        yield fail("not examined: no role can log in")
        return
    try:
        with connect(settings, role, at_any_revision=True) as connection:
            there, newest = migrating.revisions(connection, settings)
    except DBAPIError as error:
        yield warn(
            f"{role.login} may not see the revision: {str(error.orig).splitlines()[0]}",
            "Ask again as the owner.",
        )
        return
    yield (ok(f"revision {there}") if there == newest else fail(describe_difference(there, newest)))


def libraries() -> dict[str, str]:
    """GEOS and PROJ of the second path, in this process: they need not equal the database's, but both are shown."""
    shapely, pyproj = import_module("shapely"), import_module("pyproj")
    return {"GEOS": ".".join(map(str, shapely.geos_version)), "PROJ": str(pyproj.proj_version_str)}


@check(
    "second path",
    remedy("Run `make up`: it installs the pinned packages.", "Install Trigpoint again with pip."),
)
def check_libraries(settings: Settings) -> Iterator[Report]:
    """GEOS and PROJ that the second path calculates with."""
    yield ok(", ".join(f"{name} {version}" for name, version in libraries().items()) + " in Python")
