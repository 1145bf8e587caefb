"""Sessions of maintainers on pages: opened with a key, known by a cookie, ended by sign-out or after some hours.

The cookie holds 256 random bits, of which only the SHA-256 is stored. A form that writes sends a token that follows
from the cookie, and so belongs to one session; a page of another server has neither.
"""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from app.access import queries
from app.access.keys import Caller
from app.core.errors import NotAllowed, NotKnown

LASTS = timedelta(hours=8)
SIGN_IN, SIGN_OUT = "page_session.open", "page_session.end"
"""What the record of maintainers' actions says."""
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)


@dataclass(frozen=True)
class PageSession:
    """Who is signed in, until when, and what the forms of the session's pages send."""

    id: int
    caller: Caller
    ends_at: datetime
    form_token: str

    def check_form(self, sent: str) -> None:
        """Raise NotAllowed where `sent` is not what the forms of this session send."""
        if not hmac.compare_digest(self.form_token.encode(), sent.encode()):
            raise NotAllowed(
                "This form is not of your session: it was sent from another page, or you have signed in again since. "
                "Nothing was changed. Load the page again."
            )


def open_session(connection: Connection, caller: Caller, now: datetime) -> str:
    """Open a session for who bears a maintainer's key; the value of its cookie, which is nowhere to be had again.

    The caller commits. Raises NotAllowed for a key of another role.
    """
    if not caller.may("maintainer"):
        raise NotAllowed(
            f"Only maintainers sign in here; the key {caller.prefix} is a {caller.role}'s.", "maintainer"
        )
    token = secrets.token_urlsafe(32)
    values = {"token_hash": _hash(token), "key_id": caller.id, "now": now, "ends_at": now + LASTS}
    connection.execute(queries.INSERT_SESSION, values)
    return token


def find_session(connection: Connection, token: str, now: datetime) -> PageSession:
    """The session whose cookie has that value. Raises NotKnown where there is none, it has ended, or its key has."""
    row = None
    if _TOKEN.fullmatch(token):
        row = connection.execute(queries.KNOWN_SESSION, {"token_hash": _hash(token)}).one_or_none()
    is_open = row is not None and row.ends_at > now
    if row is None or not is_open or row.role != "maintainer" or row.revoked_at is not None:
        raise NotKnown("You are not signed in, or your session has ended. Sign in.")
    if row.expires_at is not None and row.expires_at <= now:
        raise NotKnown(f"The key {row.prefix}, with which you signed in, has expired. Sign in with another.")
    caller = Caller(row.id, row.first_id, row.prefix, row.name, row.role, row.requests_per_minute)
    return PageSession(row.session_id, caller, row.ends_at, _form_token(token))


def end_session(connection: Connection, session: PageSession, now: datetime) -> None:
    """End a session: its cookie opens nothing from now on. The caller commits."""
    connection.execute(queries.END_SESSION, {"id": session.id, "now": now})


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _form_token(token: str) -> str:
    return hashlib.sha256(b"trigpoint form " + token.encode()).hexdigest()
