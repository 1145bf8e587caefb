"""API keys: made, listed, ended, and recognised. A key is 256 random bits, so one round of SHA-256 hides it.

A key reads `trig_PREFIX_SECRET`; the prefix names it in lists and records, the whole of it is shown once.
"""

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, get_args

from sqlalchemy import Connection, Row

from app.access import queries
from app.core.errors import Conflict, NotFound, NotKnown, UsageError
from app.core.words import is_printable, mixed_scripts

KeyRole = Literal["reader", "submitter", "maintainer"]
ROLES: tuple[KeyRole, ...] = get_args(KeyRole)
"""Each may do what those before it may."""
REQUESTS_PER_MINUTE = 600
LONGEST_NAME = 100
_TOKEN = re.compile(r"trig_([0-9a-f]{8})_[A-Za-z0-9_-]{43}", re.ASCII)


@dataclass(frozen=True)
class Caller:
    """Whose key a request bears."""

    id: int
    first_id: int
    """The key with which its line of replacements began: whose something is, this tells."""
    prefix: str
    name: str
    role: KeyRole
    requests_per_minute: int

    def may(self, role: KeyRole) -> bool:
        """Whether the key does for what `role` is needed for."""
        return ROLES.index(self.role) >= ROLES.index(role)


@dataclass(frozen=True)
class StoredKey:
    """A key as lists show it."""

    prefix: str
    name: str
    role: KeyRole
    requests_per_minute: int
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    replaces: str | None

    def state(self, now: datetime) -> Literal["valid", "expired", "revoked"]:
        """Whether it opens anything at `now`."""
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.expires_at is not None and self.expires_at <= now else "valid"

    def as_json(self, now: datetime) -> dict[str, Any]:
        """What `key … --json` prints of it."""
        return {
            "prefix": self.prefix,
            "name": self.name,
            "role": self.role,
            "state": self.state(now),
            "requests_per_minute": self.requests_per_minute,
            "created_at": self.created_at.isoformat(),
            "expires_at": self.expires_at.isoformat() if self.expires_at else None,
            "revoked_at": self.revoked_at.isoformat() if self.revoked_at else None,
            "replaces": self.replaces,
        }


@dataclass(frozen=True)
class Wanted:
    """What a new key is to be; `days` None is for ever."""

    name: str
    role: KeyRole
    requests_per_minute: int = REQUESTS_PER_MINUTE
    days: float | None = 365.0


def create_key(
    connection: Connection, wanted: Wanted, now: datetime, replaces_id: int | None = None
) -> tuple[str, StoredKey]:
    """A new key, which is nowhere to be had again, and what is stored of it. The caller commits."""
    if not wanted.name.strip() or len(wanted.name) > LONGEST_NAME or not is_printable(wanted.name):
        raise UsageError(f"A key's name says whose it is, in at most {LONGEST_NAME} printable characters.")
    if mixed_scripts(wanted.name) is not None:
        raise UsageError("A key's name must not mix alphabets in one word, whose letters look alike.")
    prefix = secrets.token_hex(4)
    token = f"trig_{prefix}_{secrets.token_urlsafe(32)}"
    values = {
        "prefix": prefix,
        "hash": _hash(token),
        "name": wanted.name,
        "role": wanted.role,
        "requests_per_minute": wanted.requests_per_minute,
        "now": now,
        "expires_at": None if wanted.days is None else now + timedelta(days=wanted.days),
        "replaces_id": replaces_id,
    }
    connection.execute(queries.INSERT_KEY, values)
    return token, find_key(connection, prefix)


def replace_key(
    connection: Connection, prefix: str, wanted: Wanted, now: datetime, overlap: timedelta
) -> tuple[str, StoredKey]:
    """A key that follows another, which ends after `overlap`. The caller commits.

    Raises NotFound, Conflict for one that is valid no more.
    """
    old = _row(connection, prefix)
    state = _stored(old).state(now)
    if state != "valid":
        raise Conflict(f"The key {prefix} is {state}: make a new one without --replaces.")
    connection.execute(queries.END_KEY, {"prefix": prefix, "at": now + overlap})
    return create_key(connection, wanted, now, old.id)


def find_key(connection: Connection, prefix: str) -> StoredKey:
    """The key with that prefix. Raises NotFound."""
    return _stored(_row(connection, prefix))


def find_first_id(connection: Connection, prefix: str, role: KeyRole, now: datetime) -> int:
    """The key with which the line of the key with that prefix began: whose something is, this tells.

    Raises NotFound, Conflict for a key that is not valid, or that does not do for what `role` is needed for.
    """
    found = find_key(connection, prefix)
    if found.state(now) != "valid":
        raise Conflict(f"The key {prefix} is {found.state(now)}. Name a valid one.")
    if ROLES.index(found.role) < ROLES.index(role):
        raise Conflict(f"The key {prefix} is a {found.role}'s; this needs a key of the role {role}.")
    first_id: int = connection.execute(queries.FIRST_OF_LINE, {"prefix": prefix}).scalar_one()
    return first_id


def list_keys(connection: Connection) -> list[StoredKey]:
    """Every key there ever was, the oldest first."""
    return [_stored(row) for row in connection.execute(queries.LIST_KEYS)]


def revoke_key(connection: Connection, prefix: str, now: datetime) -> bool:
    """The key opens nothing from now on; whether it did before. The caller commits. Raises NotFound."""
    _row(connection, prefix)
    return connection.execute(queries.REVOKE_KEY, {"prefix": prefix, "now": now}).one_or_none() is not None


def recognise(connection: Connection, token: str, now: datetime) -> Caller:
    """Whose key `token` is. Raises NotKnown; that a key has ended is told to nobody but who has all of it."""
    shape = _TOKEN.fullmatch(token)
    row = None
    if shape is not None:
        binds = {"prefix": shape[1], "hash": _hash(token)}
        row = connection.execute(queries.KNOWN_KEY, binds).one_or_none()
    if row is None:
        raise NotKnown(
            "The API key is not known here: look whether all of it was sent. Whoever runs this service makes keys, by "
            "`trigpoint key create`.",
            given=True,
        )
    if row.revoked_at is not None:
        raise NotKnown(f"The API key {row.prefix} was revoked. Ask a maintainer for another.", given=True)
    if row.expires_at is not None and row.expires_at <= now:
        raise NotKnown(f"The API key {row.prefix} has expired. Ask a maintainer for another.", given=True)
    return Caller(row.id, row.first_id, row.prefix, row.name, row.role, row.requests_per_minute)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _row(connection: Connection, prefix: str) -> Row[Any]:
    row = connection.execute(queries.FIND_KEY, {"prefix": prefix}).one_or_none()
    if row is None:
        raise NotFound(f"There is no key {prefix!r}; `trigpoint key list` shows the prefixes of all keys.")
    return row


def _stored(row: Row[Any]) -> StoredKey:
    return StoredKey(
        row.prefix,
        row.name,
        row.role,
        row.requests_per_minute,
        row.created_at,
        row.expires_at,
        row.revoked_at,
        row.replaces,
    )
