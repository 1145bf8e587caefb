"""Prepares an existing PostgreSQL for Trigpoint, and writes the file of settings.

What `make up` does in a checkout with servers of its own, for servers that somebody else runs. Safe to run again.
"""

import os
import re
import secrets
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

import psycopg
from dotenv import dotenv_values, set_key
from psycopg.rows import TupleRow

from app.core.errors import Conflict, ServiceUnavailable, SettingsError, UsageError
from app.core.settings import Role, Settings, settings_file
from app.db import migrating
from app.db.programs import find_programs

SQL = Path(migrating.__file__).parent
OLDEST_POSTGRES = 15
EXTENSIONS = ("postgis", "btree_gist", "pg_trgm")
_DATABASE = re.compile(r"[a-z_][a-z0-9_]{0,62}")


@dataclass(frozen=True)
class Installation:
    """What was made: the database, the file of settings, and the revision of the tables."""

    database_url: str
    settings_file: Path
    revision: str | None


@dataclass(frozen=True)
class _Server:
    """A PostgreSQL server and its superuser; as text, only its address."""

    host: str
    port: int
    user: str
    password: str
    major: int

    @property
    def address(self) -> str:
        """Host and port as a URL has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    def __repr__(self) -> str:
        return f"PostgreSQL at {self.address}"


def install(database: str, environment: Mapping[str, str]) -> Installation:
    """Make roles, database, extensions and tables, and write the file of settings.

    `environment` holds TRIGPOINT_SUPERUSER_URL (a superuser of the server) and TRIGPOINT_REDIS_URL. Passwords that the
    file of settings holds are kept, missing ones are drawn. Raises UsageError, SettingsError, ServiceUnavailable, and
    Conflict where the server or the database belongs to somebody else.
    """
    if not _DATABASE.fullmatch(database):
        raise UsageError(
            f"--database {database!r}: at most 63 small letters, digits and '_'; the first one is not a digit."
        )
    server = _look_at(environment, "TRIGPOINT_SUPERUSER_URL")
    path = settings_file()
    values = _read_settings(path)
    _refuse_what_belongs_to_others(server, database, values)
    values |= {
        "TRIGPOINT_DATABASE_URL": f"postgresql://{server.address}/{database}",
        "TRIGPOINT_REDIS_URL": _find_redis(environment, values),
    }
    for role in Role:
        values.setdefault(_password_of(role.value), secrets.token_hex(20))
    _refuse_contradictions(environment, values)
    # Written before the roles are made: if the command breaks off in between, its passwords are known next time.
    _write_settings(path, values)
    settings = Settings.load()
    passwords = {f"{role.value}_password": values[_password_of(role.value)] for role in Role}
    _run_script(settings, server, "bootstrap.sql", {"database": database} | passwords)
    migrating.migrate(settings)
    return Installation(values["TRIGPOINT_DATABASE_URL"], path, migrating.newest(settings))


def _find_redis(environment: Mapping[str, str], values: Mapping[str, str]) -> str:
    url = environment.get("TRIGPOINT_REDIS_URL") or values.get("TRIGPOINT_REDIS_URL")
    if not url:
        raise SettingsError("Set TRIGPOINT_REDIS_URL, for example redis://:PASSWORD@127.0.0.1:6379/0.")
    return url


def _refuse_contradictions(environment: Mapping[str, str], values: Mapping[str, str]) -> None:
    """Raise SettingsError where the environment holds another value: it would win over the file of settings."""
    for name, value in values.items():
        if environment.get(name, value) != value:
            raise SettingsError(
                f"The environment sets {name} to another value than the one wanted; unset it."
            )


def _password_of(role: str) -> str:
    return f"TRIGPOINT_PASSWORD_{role.upper()}"


def _read_settings(path: Path) -> dict[str, str]:
    return {name: value or "" for name, value in dotenv_values(path).items()} if path.is_file() else {}


def _write_settings(path: Path, values: Mapping[str, str]) -> None:
    """Set these values in the file, in one step; its other lines stay. Only its owner may read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.new")
    before = path.read_text() if path.is_file() else ""
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(before)
    for name, value in values.items():
        set_key(fresh, name, value, quote_mode="auto")
    fresh.chmod(0o600)
    fresh.replace(path)


def _look_at(environment: Mapping[str, str], variable: str) -> _Server:
    """The server that a variable names, once it is known to suit. Raises SettingsError and ServiceUnavailable."""
    url = environment.get(variable)
    if not url:
        raise SettingsError(
            f"Set {variable} to the address of a PostgreSQL {OLDEST_POSTGRES} or newer with a superuser, for example "
            "postgresql://postgres:PASSWORD@127.0.0.1:5432/postgres."
        )
    parts = urlsplit(url)
    if not parts.hostname or not parts.username:
        raise SettingsError(f"{variable} must look like postgresql://USER:PASSWORD@HOST:PORT/postgres.")
    login = (parts.hostname, parts.port or 5432, unquote(parts.username), unquote(parts.password or ""))
    with _connected(*login) as connection:
        server = _Server(*login, connection.info.server_version // 10000)
        _refuse_unsuitable(connection, server, variable)
    return server


def _connected(host: str, port: int, user: str, password: str) -> psycopg.Connection[TupleRow]:
    try:
        return psycopg.connect(
            host=host, port=port, user=user, password=password, dbname="postgres", connect_timeout=10
        )
    except psycopg.OperationalError as error:
        raise ServiceUnavailable(
            f"PostgreSQL at {host}:{port} does not let {user} in: {str(error).strip().splitlines()[0]}"
        ) from error


def _refuse_unsuitable(connection: psycopg.Connection[TupleRow], server: _Server, variable: str) -> None:
    """Raise SettingsError where the server is too old or lacks an extension, or the role is no superuser."""
    if server.major < OLDEST_POSTGRES:
        raise SettingsError(f"{server} has version {server.major}; {OLDEST_POSTGRES} or newer is needed.")
    if connection.execute("select rolsuper from pg_roles where rolname = current_user").fetchone() != (True,):
        raise SettingsError(f"{server.user} is not a superuser of {server}; {variable} must name one.")
    offered = {row[0] for row in connection.execute("select name from pg_available_extensions")}
    missing = [name for name in EXTENSIONS if name not in offered]
    if missing:
        raise SettingsError(
            f"{server} does not offer {', '.join(missing)}. Install the packages there (Debian: "
            f"postgresql-{server.major}-postgis-3), then run the command again."
        )


def _refuse_what_belongs_to_others(server: _Server, database: str, values: Mapping[str, str]) -> None:
    """Raise Conflict where the server has our roles but we do not know their passwords, or the database is not ours.

    New passwords would lock the other installation out. The script takes rights away from a database's other users.
    """
    with _connected(server.host, server.port, server.user, server.password) as connection:
        asked = connection.execute("select 1 from pg_roles where rolname = %s", (Role.OWNER.login,))
        has_roles = asked.fetchone() is not None
        asked = connection.execute(
            "select pg_get_userbyid(datdba) from pg_database where datname = %s", (database,)
        )
        owner = asked.fetchone()
    if has_roles and _password_of(Role.OWNER.value) not in values:
        raise Conflict(
            f"{server} has the role {Role.OWNER.login} already, so another installation of Trigpoint uses it. Name the "
            "file of settings of that installation in TRIGPOINT_ENV_FILE, or use another server."
        )
    if owner is not None and owner != (Role.OWNER.login,):
        raise Conflict(
            f"{server} has a database {database} that belongs to {owner[0]}. Give another name with --database."
        )


def _run_script(settings: Settings, server: _Server, script: str, variables: Mapping[str, str]) -> None:
    """Run a script of `app/db` with psql. Passwords go through its input, never through the list of processes."""
    psql = find_programs(settings, server.major) / "psql"
    set_variables = [f"\\set {name} {_quoted(value)}" for name, value in variables.items()]
    lines = [*set_variables, (SQL / script).read_text()]
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "TRIGPOINT_"))}
    clean |= {
        "PGHOST": server.host,
        "PGPORT": str(server.port),
        "PGUSER": server.user,
        "PGPASSWORD": server.password,
        "PGDATABASE": "postgres",
        # A statement that fails must not leave a password in the server's log.
        "PGOPTIONS": "-c log_min_error_statement=panic -c client_min_messages=warning",
    }
    done = subprocess.run(
        [psql, "-X", "-q", "-w", "-v", "ON_ERROR_STOP=1", "-f", "-"],
        cwd=SQL,  # where a script finds what it includes
        env=clean,
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = next((line for line in done.stderr.splitlines() if "ERROR" in line), done.stderr.strip()[:300])
        raise ServiceUnavailable(f"{server} could not be prepared: {said}")


def _quoted(value: str) -> str:
    """The value as psql reads it back from a quoted argument. Raises SettingsError for one of several lines."""
    if "\n" in value or "\r" in value:
        raise SettingsError("A password in the file of settings has several lines; replace it.")
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"
