"""Routers that are opened over connections of their own, while a transaction goes on in which questions are made."""

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import TypeVar

from sqlalchemy import Connection

from app.core.errors import Conflict
from app.core.log import get_logger
from app.core.progress import Say
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.programs import UnopenedRouter
from app.questions.records import SnapshotRef
from app.routing.errors import RouterKeepsEnding, RouterLost, RouterNotBuilt
from app.routing.opening import check_mode, start_router
from app.routing.programs import find_version
from app.routing.results import Point, Route, Router, Snapped

NETWORK = "road_edge"
"""The layer without which a map has no routers."""
TRIES = 3
"""How often a router is asked whose process ends meanwhile."""
T = TypeVar("T")
log = get_logger(__name__)


class RoutersApart:
    """The routers of a command that makes or proves questions: OSRM's alone, opened at first use, one a map and mode.

    A router that is opened within the command's transaction would end it; so each is opened over a connection of the
    given role.
    """

    def __init__(
        self,
        settings: Settings,
        role: Role,
        say: Say = lambda sentence: None,
        withheld: Collection[UnopenedRouter] = (),
    ) -> None:
        """`say` hears which router is being opened; those of `withheld` are not opened, as if that had failed."""
        self._settings, self._role, self._say = settings, role, say
        self._held: dict[tuple[str, str, str], Router | None] = {}
        self._withheld = frozenset(withheld)
        self._unopened: set[UnopenedRouter] = set()

    @cached_property
    def engine(self) -> str | None:
        """OSRM and its version; None where it is not installed."""
        version = find_version(self._settings)
        return version and f"OSRM {version}"

    @property
    def unopened(self) -> Sequence[UnopenedRouter]:
        """Those that failed so far although the program is installed and their map has roads; in order."""
        return sorted(self._unopened)

    def without(self, withheld: Collection[UnopenedRouter]) -> "RoutersApart":
        """The routers as they were when these could not be opened."""
        return RoutersApart(self._settings, self._role, self._say, withheld) if withheld else self

    def can_route(self, snapshot: SnapshotRef, mode: str) -> bool:
        """Whether the map has a router for the mode. Raises what `start_router` raises where one is killed."""
        return self._hold(snapshot, mode) is not None

    def open(self, connection: Connection, snapshot: SnapshotRef, mode: str) -> Router:
        """The router of a map for a mode, which leaves the connection as it is.

        Raises RouterNotBuilt where there is none.
        """
        check_mode(mode)
        router = self._hold(snapshot, mode)
        if router is None:
            raise RouterNotBuilt(f"There is no router for {mode} on {snapshot.reference}.")
        return router

    def open_second_path(self, connection: Connection, snapshot: SnapshotRef, mode: str) -> Router:
        """Raises RouterNotBuilt: questions are not made from what is sought in this process."""
        raise RouterNotBuilt("No network is read into this process while questions are made or proved.")

    def forget(self, snapshot: SnapshotRef, mode: str) -> None:
        """Nothing is to be done: who asks the router again starts its process again."""

    def _hold(self, snapshot: SnapshotRef, mode: str) -> Router | None:
        key = (snapshot.schema, snapshot.checksum, mode)
        if key not in self._held:
            self._held[key] = self._open(snapshot, mode)
        return self._held[key]

    def _open(self, snapshot: SnapshotRef, mode: str) -> Router | None:
        version = find_version(self._settings)
        if version is None or NETWORK not in snapshot.layers:
            return None
        unopened = UnopenedRouter(snapshot.reference, mode)
        if unopened in self._withheld:
            self._unopened.add(unopened)
            return None
        self._say(
            f"Opening the router for {mode} on {snapshot.reference}; it is built if it is not there yet."
        )
        try:
            with connect(self._settings, self._role) as connection:
                router = start_router(self._settings, connection, snapshot, mode, version)
        except (RouterNotBuilt, Conflict) as error:
            self._say(f"There is no router for {mode} on {snapshot.reference}: {error}")
            log.warning("no router", snapshot=snapshot.reference, mode=mode, error=str(error))
            self._unopened.add(unopened)
            return None
        return AskedAgain(router)


class AskedAgain:
    """A router that is asked again where its process ends: the next request starts it anew."""

    def __init__(self, router: Router) -> None:
        self._router = router
        self.engine = router.engine

    @property
    def fastest_kmh(self) -> float:
        """The highest speed of any edge."""
        return self._router.fastest_kmh

    def nearest(self, point: Point) -> Snapped:
        """The nearest place on the network. Raises RouteRefused where it is too far away."""
        return self._router.nearest(point)

    def routes(self, start: Point, end: Point, alternatives: int = 0) -> list[Route]:
        """As the router's; raises RouterKeepsEnding where it does not answer after several tries."""
        return _ask(lambda: self._router.routes(start, end, alternatives))

    def matrix(self, starts: Sequence[Point], ends: Sequence[Point]) -> list[list[float | None]]:
        """As the router's; raises RouterKeepsEnding where it does not answer after several tries."""
        return _ask(lambda: self._router.matrix(starts, ends))


def _ask(question: Callable[[], T]) -> T:
    for number in range(1, TRIES + 1):
        try:
            return question()
        except RouterLost as error:
            if number == TRIES:
                raise RouterKeepsEnding() from error
    raise AssertionError("the last try answers or raises")
