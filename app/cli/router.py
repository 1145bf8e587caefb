"""`trigpoint router …`: builds the files from which routes are computed; ends the processes that compute them."""

from typing import Annotated

import typer
from sqlalchemy import Connection

from app.cli import output
from app.core.errors import UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.records import SnapshotRef
from app.questions.second_path.reading import MODES
from app.questions.snapshots import find_snapshots
from app.routing.building import RouterFiles
from app.routing.folders import router_folder
from app.routing.opening import check_mode, start_router
from app.routing.processes import find_process, stop_process, stop_routers
from app.routing.programs import find_version

NO_PROGRAMS = (
    "OSRM's programs are not installed, so there is nothing to build: routes are computed by the slower Python router. "
    "`trigpoint doctor` says how to install them."
)
AsJson = Annotated[bool, typer.Option("--json", help="print one JSON object")]

router = typer.Typer(help="Routers: build them before they are first used, end them.", no_args_is_help=True)


@router.command()
def build(
    snapshot: Annotated[
        str, typer.Option(metavar="NAME[@TIMESTAMP]", help="the map: its newest, or that of a timestamp")
    ],
    mode: Annotated[str | None, typer.Option(help="car, bicycle or foot; by default all three")] = None,
    as_json: AsJson = False,
) -> None:
    """Build the routers of a map, and see that they start. Else they are built when a route is first asked for."""
    settings = Settings.load()
    modes = MODES if mode is None else (mode,)
    for one in modes:
        check_mode(one)
    version = find_version(settings)
    if version is None:
        raise UsageError(NO_PROGRAMS)
    with connect(settings, Role.MAINTAINER) as connection:
        (map_,) = find_snapshots(connection, [snapshot])
        made = [_build(settings, connection, map_, one, version) for one in modes]
    output.emit(
        {"routers": [{**one.manifest, "built": one.built} for one in made]},
        as_json,
        *(
            f"The router for {one.manifest['mode']} on {one.manifest['snapshot']} "
            + (f"is built: {one.manifest['edges']:,} edges." if one.built else "was built already.")
            for one in made
        ),
    )


def _build(
    settings: Settings, connection: Connection, snapshot: SnapshotRef, mode: str, version: str
) -> RouterFiles:
    """Files with which the router starts; it goes on only if it ran before."""
    ran = find_process(router_folder(settings, snapshot.schema, mode)) is not None
    files = start_router(settings, connection, snapshot, mode, version, retry=True).files
    if not ran:
        stop_process(files.folder)
    return files


@router.command()
def stop(as_json: AsJson = False) -> None:
    """End all router processes of this database. The next route starts its router again."""
    stopped = stop_routers(Settings.load())
    said = f"Ended: {', '.join(stopped)}." if stopped else "No router is running."
    output.emit({"stopped": stopped}, as_json, said)
