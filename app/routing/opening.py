"""The one way to a router: of a snapshot, for a mode."""

from sqlalchemy import Connection

from app.core.errors import UsageError
from app.core.settings import Settings
from app.questions.records import SnapshotRef
from app.questions.second_path.reading import MODES
from app.routing.building import RouterFiles, build_router, discard_router
from app.routing.errors import RouteRefused, RouterNotBuilt
from app.routing.network import read_network
from app.routing.one_path import OnePathRouter
from app.routing.osrm import OsrmRouter
from app.routing.programs import find_version
from app.routing.results import Router

TRANSIT = "transit"
NEVER_STARTED = "never-started"
"""A file beside those of a router: it did not start when they were new."""


def open_router(settings: Settings, connection: Connection, snapshot: SnapshotRef, mode: str) -> Router:
    """The router of a snapshot for a mode, one of MODES; built at first use. Without OSRM the second path answers.

    Raises RouteRefused for transit, UsageError for another mode, Conflict where the map has no network,
    RouterNotBuilt where the router cannot be built or does not start, RouterLost where a program is killed meanwhile.
    """
    check_mode(mode)
    version = find_version(settings)
    if version is None:
        return OnePathRouter(read_network(connection, snapshot.schema, mode), mode)
    return start_router(settings, connection, snapshot, mode, version)


def start_router(
    settings: Settings,
    connection: Connection,
    snapshot: SnapshotRef,
    mode: str,
    version: str,
    *,
    retry: bool = False,
) -> OsrmRouter:
    """OSRM's router, its process started. If it does not start, its files are built anew, once.

    A router that did not start with new files either is not built for each caller: only with `retry`.
    Raises what `open_router` raises.
    """
    files = build_router(settings, connection, snapshot, mode, version)
    try:
        return _start(settings, files, mode)
    except RouterNotBuilt:
        if files.built or ((files.folder / NEVER_STARTED).exists() and not retry):
            raise
    discard_router(files)
    return _start(settings, build_router(settings, connection, snapshot, mode, version), mode)


def _start(settings: Settings, files: RouterFiles, mode: str) -> OsrmRouter:
    """The router with these files; notes in their folder whether it never started with them."""
    note = files.folder / NEVER_STARTED
    try:
        router = OsrmRouter(settings, files, mode)
    except RouterNotBuilt:
        if files.built and files.folder.is_dir():
            note.touch()
        raise
    note.unlink(missing_ok=True)
    return router


def check_mode(mode: str) -> None:
    """Raise RouteRefused for transit, UsageError for what is no mode."""
    if mode == TRANSIT:
        raise RouteRefused("Transit is unavailable: the map has no timetables.", "unavailable")
    if mode not in MODES:
        raise UsageError(f"There is no mode {mode!r}. The modes are {', '.join(MODES)}.")
