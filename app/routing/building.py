"""Builds the files of a router: the network written out, then osrm-extract, osrm-partition and osrm-customize.

They lie in the settings' folder under router/DATABASE/SCHEMA/MODE. A manifest says of which map and profile they are
and which version of OSRM made them; files of anything else are made anew.
"""

import json
import shutil
import subprocess
import time
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

from sqlalchemy import Connection

from app.core.clock import SystemClock
from app.core.settings import Settings
from app.questions.records import SnapshotRef
from app.routing.edge_index import EdgeIndex
from app.routing.errors import RouterLost, RouterNotBuilt
from app.routing.folders import locked, router_folder
from app.routing.network import Network, read_network
from app.routing.processes import stop_process
from app.routing.programs import program_folder
from app.routing.writing import write_network

PROFILE = Path(__file__).parent / "profile.lua"
MANIFEST, INDEX, NETWORK, BASE = "manifest.json", "edges.npz", "network.osm.pbf", "network.osrm"
FORMAT = 2
"""Raise it where app.routing.writing or EdgeIndex write something else: files of before are then made anew."""
_STAGES: tuple[tuple[str, ...], ...] = (
    # No part of a network counts as too small to begin or end a route in.
    ("osrm-extract", "--small-component-size", "0", "-p", str(PROFILE), NETWORK),
    ("osrm-partition", BASE),
    ("osrm-customize", BASE),
)


class RouterFiles(NamedTuple):
    """A built router: the folder of its files, and what the manifest says."""

    folder: Path
    manifest: dict[str, Any]
    built: bool
    """False where the files were there already."""


def build_router(
    settings: Settings, connection: Connection, snapshot: SnapshotRef, mode: str, version: str
) -> RouterFiles:
    """The files of a router, made if they are not there; who asks for the same meanwhile waits.

    Raises Conflict where the map has no network, RouterNotBuilt where OSRM does not take it, RouterLost where a program
    of OSRM is killed meanwhile.
    """
    folder = router_folder(settings, snapshot.schema, mode)
    wanted = {
        "snapshot": snapshot.reference,
        "checksum": snapshot.checksum,
        "mode": mode,
        "format": FORMAT,
        "engine": f"OSRM {version}",
        "profile": sha256(PROFILE.read_bytes()).hexdigest(),
    }
    with locked(folder):
        there = read_manifest(folder)
        if there is not None and wanted.items() <= there.items():
            return RouterFiles(folder, there, False)
        stop_process(folder)
        began = time.monotonic()
        network = read_network(connection, snapshot.schema, mode)
        connection.rollback()
        made = _build(settings, network, folder)
        built_at = SystemClock().now().isoformat()
        manifest = wanted | made | {"seconds": round(time.monotonic() - began, 1), "built_at": built_at}
        (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")
        return RouterFiles(folder, manifest, True)


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """What was built in a folder, None where nothing was, or not to the end."""
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
    except (FileNotFoundError, ValueError):
        return None
    return manifest


def load_index(files: RouterFiles) -> EdgeIndex:
    """The index of a router's edges. Raises RouterNotBuilt where its file is gone or damaged."""
    try:
        return EdgeIndex.load(files.folder / INDEX)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise RouterNotBuilt(f"{files.folder / INDEX} cannot be read: {error}.") from error


def discard_router(files: RouterFiles) -> None:
    """Remove the files of a router, unless somebody has built others meanwhile."""
    with locked(files.folder):
        if read_manifest(files.folder) in (None, files.manifest):
            stop_process(files.folder)
            shutil.rmtree(files.folder, ignore_errors=True)


def _build(settings: Settings, network: Network, folder: Path) -> dict[str, Any]:
    """Make the files in a folder beside, and put it in place."""
    fresh = folder.with_name(f"{folder.name}.new")
    for old in (fresh, folder):
        shutil.rmtree(old, ignore_errors=True)
    fresh.mkdir()
    written = write_network(network, fresh / NETWORK)
    EdgeIndex.of(network).save(fresh / INDEX)
    for program, *arguments in _STAGES:
        _run(program_folder(settings) / program, arguments, fresh)
    (fresh / NETWORK).unlink()
    fresh.rename(folder)
    return {
        "network": written,
        "edges": len(network.rows.edges),
        "restrictions": len(network.rows.turns),
        "barriers": len(network.rows.blocked),
    }


def _run(program: Path, arguments: list[str], folder: Path) -> None:
    log = folder / f"{program.name}.log"
    with log.open("wb") as stream:
        done = subprocess.run(
            [program, *arguments], cwd=folder, stdout=stream, stderr=subprocess.STDOUT, check=False
        )
    if done.returncode < 0:
        raise RouterLost(
            f"{program.name} was ended by signal {-done.returncode} while it built the router; ask again, and the "
            "router is built from the beginning."
        )
    if done.returncode:
        said = log.read_text(errors="replace").strip().splitlines()
        raise RouterNotBuilt(
            f"{program.name} ended with status {done.returncode}: {said[-1] if said else 'it said nothing'}. "
            f"The router of this map was not built; see {log}."
        )
