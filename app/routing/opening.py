"""The one way to a router: of a snapshot, for a mode."""

from sqlalchemy import Connection

from app.core.errors import UsageError
from app.core.settings import Settings
from app.questions.records import SnapshotRef
from app.questions.second_path.reading import MODES
from app.routing.building import build_router
from app.routing.errors import RouteRefused
from app.routing.network import read_network
from app.routing.one_path import OnePathRouter
from app.routing.osrm import OsrmRouter
from app.routing.programs import find_version
from app.routing.results import Router

TRANSIT = "transit"


def open_router(settings: Settings, connection: Connection, snapshot: SnapshotRef, mode: str) -> Router:
    """The router of a snapshot for a mode, one of MODES; built at first use. Without OSRM the second path answers.

    Raises RouteRefused for transit, UsageError for another mode, Conflict where the map has no network,
    RouterNotBuilt where the router cannot be built.
    """
    check_mode(mode)
    version = find_version(settings)
    if version is None:
        return OnePathRouter(read_network(connection, snapshot.schema, mode), mode)
    return OsrmRouter(settings, build_router(settings, connection, snapshot, mode, version), mode)


def check_mode(mode: str) -> None:
    """Raise RouteRefused for transit, UsageError for what is no mode."""
    if mode == TRANSIT:
        raise RouteRefused("Transit is unavailable: the map has no timetables.", "unavailable")
    if mode not in MODES:
        raise UsageError(f"There is no mode {mode!r}. The modes are {', '.join(MODES)}.")
