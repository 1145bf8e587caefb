"""Requests that leave at once: in the turn of the event loop that makes them, not in the one after."""

from collections.abc import Coroutine, Generator
from typing import Any

import aiohttp
from aiohttp.abc import AbstractStreamWriter


class PromptRequest(aiohttp.ClientRequest):
    """Writes its body together with its headers, as aiohttp does by itself from Python 3.12 on.

    Before, a task writes the body a turn later, behind all that other calls have to do until then: where many are in
    flight, each comes to the endpoint a millisecond later (`scripts/bench-runs --only warm`).
    """

    def write_bytes(
        self, writer: AbstractStreamWriter, conn: Any, content_length: int | None = None
    ) -> Coroutine[Any, Any, None]:
        """Begin to write; what is returned goes on where the other side does not take all at once."""
        return _Begun(super().write_bytes(writer, conn, content_length))


class _Begun(Coroutine[Any, Any, None]):
    """A coroutine that has run up to where it first waits, or to its end."""

    def __init__(self, coroutine: Coroutine[Any, Any, None]) -> None:
        self._coroutine = coroutine
        self._awaited: Any = None
        self._end: Exception | None = None
        self._is_taken_up = False
        try:
            self._awaited = coroutine.send(None)
        except Exception as end:  # StopIteration, or what its task is to end with
            self._end = end

    def send(self, value: Any) -> Any:
        """Tell what it waits for, and from then on what it waits for next."""
        if self._end is not None:
            raise self._end
        if self._is_taken_up:
            return self._coroutine.send(value)
        self._is_taken_up = True
        return self._awaited

    def throw(self, *raised: Any) -> Any:
        """Raise where it waits."""
        self._is_taken_up = True
        return self._coroutine.throw(*raised)

    def close(self) -> None:
        """End it."""
        self._coroutine.close()

    def __await__(self) -> Generator[Any, Any, None]:
        raise NotImplementedError("only for a task")
