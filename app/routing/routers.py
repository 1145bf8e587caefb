"""The routers that a process holds open: reading a network, or its index, takes too long to be done for each call."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Literal

from sqlalchemy import Connection

from app.core.settings import Settings
from app.questions.records import SnapshotRef
from app.routing.network import read_network
from app.routing.one_path import OnePathRouter
from app.routing.opening import check_mode, open_router
from app.routing.results import Router

MOST_OPEN = 8
"""Routers that are held; of one more, the one that was not asked for longest is let go."""

_Key = tuple[str, str, str, Literal["router", "second path"]]


@dataclass
class _Place:
    """Where a router is held. Whoever finds it empty fills it, while others that want the same router wait."""

    lock: Lock = field(default_factory=Lock)
    router: Router | None = None


class Routers:
    """Routers by map and mode; threads may share them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = Lock()
        self._places: OrderedDict[_Key, _Place] = OrderedDict()

    def open(self, connection: Connection, snapshot: SnapshotRef, mode: str) -> Router:
        """The router of a map for a mode; the connection's transaction ends where it has to be opened.

        Raises what `open_router` raises.
        """
        check_mode(mode)
        key: _Key = (snapshot.schema, snapshot.checksum, mode, "router")
        return self._hold(key, connection, lambda: open_router(self._settings, connection, snapshot, mode))

    def open_second_path(self, connection: Connection, snapshot: SnapshotRef, mode: str) -> OnePathRouter:
        """As `open`, but the router that searches in this process, be OSRM installed or not."""
        check_mode(mode)
        key: _Key = (snapshot.schema, snapshot.checksum, mode, "second path")
        router = self._hold(
            key, connection, lambda: OnePathRouter(read_network(connection, snapshot.schema, mode), mode)
        )
        assert isinstance(router, OnePathRouter)
        return router

    def forget(self, snapshot: SnapshotRef, mode: str) -> None:
        """Open the router anew when it is next asked for: its process was lost, or its files are gone."""
        with self._lock:
            self._places.pop((snapshot.schema, snapshot.checksum, mode, "router"), None)

    def _hold(self, key: _Key, connection: Connection, make: Callable[[], Router]) -> Router:
        with self._lock:
            place = self._places.setdefault(key, _Place())
            self._places.move_to_end(key)
            while len(self._places) > MOST_OPEN:
                self._places.popitem(last=False)
        with place.lock:
            if place.router is None:
                connection.rollback()
                try:
                    place.router = make()
                finally:
                    connection.rollback()
            return place.router
