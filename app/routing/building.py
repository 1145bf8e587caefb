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

from sqlalchemy import Connection

from app.core.settings import Settings
from app.questions.records import SnapshotRef
from app.routing.edge_index import EdgeIndex
from app.routing.errors import RouterNotBuilt
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

    Raises Conflict where the map has no network, RouterNotBuilt where OSRM does not take it.
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
        manifest = wanted | made | {"seconds": round(time.monotonic() - began, 1)}
        (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")
        return RouterFiles(folder, manifest, True)


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """What was built in a folder, None where nothing was, or not to the end."""
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
    except (FileNotFoundError, ValueError):
        return None
    return manifest


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
    if done.returncode:
        said = log.read_text(errors="replace").strip().splitlines()
        raise RouterNotBuilt(
            f"{program.name} ended with status {done.returncode}: {said[-1] if said else 'it said nothing'}. "
            f"The router of this map was not built; see {log}."
        )
