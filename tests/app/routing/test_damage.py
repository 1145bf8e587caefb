"""Routers whose files are damaged or gone, or whose programs are killed, are built anew; a caller hears one error."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection

from app.agent_tools.errors import ToolError
from app.core.settings import Settings
from app.questions.records import SnapshotRef
from app.routing.building import INDEX, build_router, read_manifest
from app.routing.errors import RouterNotBuilt
from app.routing.folders import router_folder
from app.routing.opening import open_router, start_router
from app.routing.processes import stop_process
from app.routing.programs import VERSION, program_folder
from tests.app.agent_tools.conftest import Call, caller
from tests.app.routing.conftest import at

START, END = at(-300, 1000), at(0, 500)


@pytest.fixture
def folder(settings: Settings, connection: Connection, snapshot: SnapshotRef) -> Path:
    """The files of a router that was built and does not run."""
    made = build_router(settings, connection, snapshot, "car", VERSION).folder
    stop_process(made)
    return made


def spoil(name: str) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        (folder / name).write_bytes(b"nothing")

    return damage


DAMAGES = pytest.mark.parametrize("damage", [spoil("network.osrm.mldgr"), spoil(INDEX), shutil.rmtree])


@DAMAGES
def test_a_router_that_does_not_start_is_built_anew(
    settings: Settings,
    connection: Connection,
    snapshot: SnapshotRef,
    folder: Path,
    damage: Callable[[Path], None],
) -> None:
    before = open_router(settings, connection, snapshot, "car").routes(START, END)
    built_at = (read_manifest(folder) or {})["built_at"]
    stop_process(folder)
    damage(folder)
    assert open_router(settings, connection, snapshot, "car").routes(START, END) == before
    assert (read_manifest(folder) or {})["built_at"] > built_at


def travel(call: Call) -> float:
    (lon, lat), (to_lon, to_lat) = START, END
    seconds: float = call("travel_time", origin=f"{lat},{lon}", destination=f"{to_lat},{to_lon}").seconds
    return seconds


@pytest.mark.parametrize("runs", [True, False])
@pytest.mark.parametrize("damage", [spoil("network.osrm.mldgr"), shutil.rmtree])
def test_a_router_that_is_held_open_fails_once(
    settings: Settings, connection: Connection, folder: Path, damage: Callable[[Path], None], runs: bool
) -> None:
    call = caller(settings, connection, "streets")
    before = travel(call)
    if not runs:
        stop_process(folder)
    damage(folder)
    if not (runs and folder.exists()):  # a process that runs has read its files
        with pytest.raises(ToolError, match="ask again, and they are built anew") as lost:
            travel(call)
        assert lost.value.kind == "try_again"
    assert travel(call) == before


@pytest.fixture
def programs(settings: Settings, tmp_path: Path) -> Settings:
    """Settings with a folder of OSRM's programs in which tests may replace some."""
    folder = tmp_path / "osrm"
    shutil.copytree(program_folder(settings), folder, symlinks=True)
    return settings.model_copy(update={"osrm_bin": folder, "local_dir": tmp_path})


def replace(settings: Settings, program: str, script: str) -> None:
    file = program_folder(settings) / program
    file.unlink()
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


def test_a_build_that_is_killed_is_one_clear_error(
    programs: Settings, connection: Connection, snapshot: SnapshotRef
) -> None:
    replace(programs, "osrm-extract", "kill -9 $$")
    with pytest.raises(ToolError, match=r"osrm-extract was ended by signal 9 while .* ask again") as lost:
        travel(caller(programs, connection, "streets"))
    assert lost.value.kind == "try_again"
    whole = programs.model_copy(update={"osrm_bin": None})
    call = caller(whole, connection, "streets")
    try:
        assert travel(call) == pytest.approx(80, abs=0.1)
    finally:
        stop_process(router_folder(whole, snapshot.schema, "car"))


def test_a_router_that_never_starts_is_not_built_for_each_caller(
    programs: Settings, connection: Connection, snapshot: SnapshotRef
) -> None:
    replace(
        programs,
        "osrm-routed",
        f"if [ $1 = --version ]; then echo {VERSION}; else echo no memory; exit 1; fi",
    )
    folder = router_folder(programs, snapshot.schema, "car")
    with pytest.raises(RouterNotBuilt, match="osrm-routed did not start: no memory"):
        open_router(programs, connection, snapshot, "car")
    built_at = (read_manifest(folder) or {})["built_at"]
    with pytest.raises(ToolError, match="does not start") as refused:
        travel(caller(programs, connection, "streets"))
    assert refused.value.kind == "unavailable"
    assert (read_manifest(folder) or {})["built_at"] == built_at
    with pytest.raises(RouterNotBuilt):
        start_router(programs, connection, snapshot, "car", VERSION, retry=True)
    assert (read_manifest(folder) or {})["built_at"] > built_at
