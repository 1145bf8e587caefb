"""Pages by keyset: a cursor names the last row that was shown, so that page 1000 costs what page 1 does.

A cursor is signed and belongs to one question: another filter, another route or a changed letter make it worthless.
"""

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from fastapi import Request

from app.core.errors import UsageError
from app.core.identity import canonical_json, digest

LONGEST = 500
_SIGN_BYTES = 16
LEFT_OUT = ("cursor", "limit")
"""Parameters that may change from page to page."""


class Cursors:
    """Makes cursors and reads them, under one signing key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def make(self, request: Request, position: Sequence[int | str]) -> str:
        """A cursor for what comes after `position` in the answer to this question."""
        words = canonical_json([_question(request), *position]).encode()
        return urlsafe_b64encode(self._sign(words) + words).decode().rstrip("=")

    def read(self, request: Request, cursor: str | None, kinds: Sequence[type]) -> list[Any] | None:
        """The position in a cursor, a value of each kind; None where there is no cursor. Raises UsageError."""
        if cursor is None:
            return None
        question, *position = self._open(cursor)
        if question != _question(request) or [type(one) for one in position] != list(kinds):
            raise UsageError("The cursor belongs to another question: begin again without `cursor`.")
        return position

    def _open(self, cursor: str) -> list[Any]:
        raw = b""
        if len(cursor) <= LONGEST and cursor.isascii():
            try:
                raw = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
            except ValueError:
                raw = b""
        sign, words = raw[:_SIGN_BYTES], raw[_SIGN_BYTES:]
        same = urlsafe_b64encode(raw).decode().rstrip("=") == cursor
        if not same or not hmac.compare_digest(sign, self._sign(words)):
            raise UsageError(
                "The cursor is not one of ours: take it as `next` gave it, or begin again without it."
            )
        opened: list[Any] = json.loads(words)
        return opened

    def _sign(self, words: bytes) -> bytes:
        return hmac.digest(self._key, words, "sha256")[:_SIGN_BYTES]


def _question(request: Request) -> str:
    asked = sorted(
        (name, value) for name, value in request.query_params.multi_items() if name not in LEFT_OUT
    )
    return digest(request.scope["path"], asked)


def next_address(request: Request, cursor: str) -> str:
    """The address of the page that `cursor` begins."""
    kept = [(name, value) for name, value in request.query_params.multi_items() if name != "cursor"]
    return f"{request.scope['path']}?{urlencode([*kept, ('cursor', cursor)])}"
