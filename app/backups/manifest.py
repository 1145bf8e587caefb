"""What a backup says of itself: counts and digests of its tables, everything that protects them, hashes of exports.

Written beside the dump, compared with the database that a restore has made, before that database is committed.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from app.backups import queries
from app.core.progress import Progress
from app.db.tables import SCHEMA

FORMAT = 1
"""Raised when a backup is written that an older Trigpoint could not restore."""

Ask = Callable[[str], list[Any]]
"""Runs one statement of queries.py; gives its rows, read from JSON."""


class TableDigest(BaseModel):
    """A table's rows: their number, and an order-free sum of hashes of their texts."""

    model_config = ConfigDict(frozen=True)

    rows: int
    digest: str


class Measured(BaseModel):
    """What a database holds: each table's digest by name; [kind, name, definition] of all that is not rows."""

    model_config = ConfigDict(frozen=True)

    tables: dict[str, TableDigest]
    structure: list[tuple[str, str, str]]


class Manifest(BaseModel):
    """One backup; times in UTC, sizes in bytes, hashes SHA-256 in hexadecimal."""

    model_config = ConfigDict(frozen=True)

    trigpoint_backup: int
    trigpoint: str
    revision: str
    postgresql: str
    postgresql_major: int
    postgis: str
    made_at: str
    dump_sha256: str
    dump_bytes: int
    schemas: list[Annotated[str, Field(pattern=f"^({SCHEMA}|osm_[a-z0-9_]+|reference_[0-9]+)$")]]
    maps: list[str]
    versions: dict[str, dict[str, str]]
    """By `name@version`: hash by file name of its export, hidden gold included."""
    measured: Measured

    @property
    def rows(self) -> int:
        """All rows of all tables."""
        return sum(table.rows for table in self.measured.tables.values())


def measure(ask: Ask, schemas: Sequence[str], progress: Progress) -> Measured:
    """Count and hash every table of these schemas, and list everything else about them."""
    ask(queries.PLAIN_TEXT)
    names = ask(queries.tables(schemas))
    progress.start("comparing", len(names))
    tables = {}
    for name in names:
        (row,) = ask(queries.table_digest(name))
        tables[name] = TableDigest(**row)
        progress.advance(1)
    return Measured(tables=tables, structure=ask(queries.structure(schemas)))


def differences(stored: Measured, found: Measured, same_server: bool) -> list[str]:
    """What is not as it was, in words; nothing where all is.

    Another major version of PostgreSQL may word definitions differently: then only names are compared, and rights.
    """
    faults = []
    for name in sorted({*stored.tables, *found.tables}):
        one, other = stored.tables.get(name), found.tables.get(name)
        if one is None or other is None:
            faults.append(f"table {name} is {'new' if one is None else 'missing'}")
        elif one.rows != other.rows:
            faults.append(f"table {name} has {other.rows:,} rows instead of {one.rows:,}")
        elif one.digest != other.digest:
            faults.append(f"table {name} has other rows")
    before, after = (
        {(kind, name): definition if same_server else "" for kind, name, definition in one.structure}
        for one in (stored, found)
    )
    for key in sorted({*before, *after}):
        if before.get(key) != after.get(key):
            state = "missing" if key not in after else "new" if key not in before else "different"
            faults.append(f"{key[0]} {key[1]} is {state}")
    return faults
