"""How uvicorn serves the application: connections that send nothing, or half of a request's head, are ended."""

import asyncio

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

SECONDS_TO_NEXT_HEAD = 15.0
"""In which the head of the next request must be there whole, from the connection's begin or the last answer's end."""


class TimedProtocol(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it, which waits for the rest of a head, or of a body nobody reads, for ever."""

    _ending: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Stop waiting once a head is whole; other bytes win no time."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Begin to wait for the next head."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        super().connection_lost(exc)
        self._stop()

    def _watch(self) -> None:
        in_hand: RequestResponseCycle | None = self.cycle
        if in_hand is not None and not in_hand.response_complete:
            self._stop()
        elif self._ending is None and not self.transport.is_closing():
            self._ending = self.loop.call_later(SECONDS_TO_NEXT_HEAD, self.transport.close)

    def _stop(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None


def server_config(app: FastAPI) -> uvicorn.Config:
    """What `trigpoint serve` runs."""
    return uvicorn.Config(
        app,
        http=TimedProtocol,
        ws="none",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=int(SECONDS_TO_NEXT_HEAD),
    )
