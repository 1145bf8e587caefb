"""Processes of routers: found by whoever needs them, started anew after a kill, ended when idle or without a map."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection

from app.core.settings import PROJECT_ROOT, Settings
from app.questions.records import SnapshotRef
from app.routing.building import build_router
from app.routing.errors import RouterLost, RouterNotBuilt
from app.routing.folders import router_folder
from app.routing.keeper import USED
from app.routing.opening import open_router
from app.routing.processes import find_or_start, find_process, remove_routers, stop_process, stop_routers
from app.routing.programs import VERSION, program_folder
from tests.app.routing.conftest import at
from tests.support.routers import hang

START, END = at(-300, 1000), at(0, 500)


@pytest.fixture
def folder(settings: Settings, connection: Connection, snapshot: SnapshotRef) -> Path:
    return build_router(settings, connection, snapshot, "car", VERSION).folder


def wait_for(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 10
    while not true():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_several_that_ask_at_once_get_one_process(settings: Settings, folder: Path) -> None:
    stop_process(folder)
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(find_or_start(settings, folder))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(found)) == 1


def test_after_a_kill_the_next_call_works(
    settings: Settings, connection: Connection, snapshot: SnapshotRef, folder: Path
) -> None:
    router = open_router(settings, connection, snapshot, "car")
    before = router.routes(START, END)
    os.kill(find_or_start(settings, folder).pid, signal.SIGKILL)
    wait_for(lambda: find_process(folder) is None)
    assert router.routes(START, END) == before


def test_a_kill_in_a_request_is_one_clear_error(
    settings: Settings, connection: Connection, snapshot: SnapshotRef, folder: Path
) -> None:
    router = open_router(settings, connection, snapshot, "car")
    pid = find_or_start(settings, folder).pid
    before = (folder / USED).stat().st_mtime_ns

    def kill_in_request() -> None:
        wait_for(lambda: (folder / USED).stat().st_mtime_ns != before)
        os.kill(pid, signal.SIGKILL)

    hang(pid)
    killer = threading.Thread(target=kill_in_request)
    killer.start()
    with pytest.raises(RouterLost, match="The router's process ended, or did not answer in time; ask again"):
        router.routes(START, END)
    killer.join()
    wait_for(lambda: find_process(folder) is None)
    assert router.routes(START, END)


def test_a_process_that_hangs_is_ended(
    settings: Settings,
    connection: Connection,
    snapshot: SnapshotRef,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    router = open_router(settings, connection, snapshot, "car")
    before = router.routes(START, END)
    hang(find_or_start(settings, folder).pid)
    with monkeypatch.context() as patch:
        patch.setattr("app.routing.osrm.ANSWER_S", 0.5)
        with pytest.raises(RouterLost, match="did not answer in time"):
            router.routes(START, END)
    assert router.routes(START, END) == before


def test_files_are_built_once_and_again_for_another_map(
    settings: Settings, connection: Connection, snapshot: SnapshotRef, folder: Path
) -> None:
    again = build_router(settings, connection, snapshot, "car", VERSION)
    assert (again.built, again.manifest["snapshot"]) == (False, snapshot.reference)
    answers = open_router(settings, connection, snapshot, "car").routes(START, END)
    shutil.rmtree(folder)
    anew = build_router(settings, connection, snapshot, "car", VERSION)
    assert (anew.built, anew.manifest["network"]) == (True, again.manifest["network"])
    assert open_router(settings, connection, snapshot, "car").routes(START, END) == answers


def test_a_router_ends_when_nobody_asks(settings: Settings, folder: Path) -> None:
    stop_process(folder)
    program = program_folder(settings) / "osrm-routed"
    command = [sys.executable, "-m", "app.routing.keeper", str(folder), str(program), "1.0"]
    keeper = subprocess.Popen(command, cwd=PROJECT_ROOT)
    wait_for(lambda: find_process(folder) is not None)
    keeper.wait(timeout=10)
    assert find_process(folder) is None


def test_a_router_ends_with_its_map(settings: Settings, folder: Path, snapshot: SnapshotRef) -> None:
    pid = find_or_start(settings, folder).pid
    remove_routers(settings, snapshot.schema)
    assert not folder.exists()
    wait_for(lambda: not Path(f"/proc/{pid}/cwd").exists())


def test_what_osrm_says_of_files_that_it_cannot_read(settings: Settings, folder: Path) -> None:
    stop_process(folder)
    (folder / "network.osrm.mldgr").write_bytes(b"nothing")
    with pytest.raises(RouterNotBuilt, match="osrm-routed did not start: "):
        find_or_start(settings, folder)
    shutil.rmtree(folder)


def test_a_build_that_fails_leaves_no_router(
    settings: Settings, connection: Connection, snapshot: SnapshotRef, tmp_path: Path
) -> None:
    extract = tmp_path / "osrm-extract"
    extract.write_text("#!/bin/sh\necho no space left\nexit 3\n")
    extract.chmod(0o755)
    faulty = settings.model_copy(update={"osrm_bin": tmp_path})
    with pytest.raises(
        RouterNotBuilt, match=r"osrm-extract ended with status 3: no space left\. .* was not built"
    ):
        build_router(faulty, connection, snapshot, "bicycle", VERSION)
    assert not router_folder(settings, snapshot.schema, "bicycle").exists()
    assert build_router(settings, connection, snapshot, "bicycle", VERSION).built


def test_all_routers_are_ended(settings: Settings, folder: Path, snapshot: SnapshotRef) -> None:
    find_or_start(settings, folder)
    assert stop_routers(settings) == [f"{snapshot.schema}/car"]
    assert stop_routers(settings) == []
    assert folder == router_folder(settings, snapshot.schema, "car")
