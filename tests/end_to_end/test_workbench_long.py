"""Chromium: a question is written by hand from an empty page to a board, with a second person who answers it."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.core.settings import PROJECT_ROOT, Settings
from tests.support.command_line import trigpoint
from tests.support.routers import own_routers
from tests.support.service import serving
from tests.support.tool_maps import bearing, import_open_and_closed
from tests.support.workbench import do_jobs

pytestmark = pytest.mark.long
WALK = PROJECT_ROOT / ".local" / "walk"
SCREENSHOTS = WALK / "screenshots"
WALKER = Path(__file__).parent / "workbench_walker.py"


@pytest.fixture(scope="module")
def walked(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    if not (WALK / "bin" / "python").is_file():
        pytest.fail(f"{WALK} is absent: scripts/browser makes it")
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    with own_routers(make_database(), tmp_path_factory.mktemp("routers")) as settings:
        import_open_and_closed(settings, tmp_path_factory.mktemp("tools"))
        keys = {
            name: bearing(settings, "maintainer", 100_000)["Authorization"].removeprefix("Bearer ")
            for name in ("ada", "ben")
        }
        with serving(settings) as address:
            command = [str(WALK / "bin" / "python"), str(WALKER), address, str(SCREENSHOTS)]
            with subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            ) as walker:
                assert walker.stdin is not None
                assert walker.stdout is not None
                walker.stdin.write(json.dumps(keys) + "\n")
                walker.stdin.flush()
                if walker.stdout.readline() == "published\n":
                    do_jobs(settings)
                    run = trigpoint(settings, "evaluate", "by_hand", "--solver", "oracle", "--json")
                    assert run.status == 0, run.err
                said, wrong = walker.communicate("go on\n", timeout=200)
    assert walker.returncode == 0, wrong[-3000:]
    found: dict[str, Any] = json.loads(said)
    return found


def test_a_question_comes_from_an_empty_page_to_a_board(walked: dict[str, Any]) -> None:
    assert "Café Élan" in walked["hits"]
    assert walked["after_closing"] == "which place to eat is closest to the café?"
    assert not walked["key_is_seen"]
    board = " ".join(walked["board"].split())
    assert "1 questions of mapeval" in board
    assert "written by hand" in board
    assert "oracle" in board
    assert walked["signed_out"]


def test_nothing_is_amiss_on_its_pages(walked: dict[str, Any]) -> None:
    assert (walked["console"], walked["elsewhere"]) == ([], [])
    assert {name: one for name, one in walked["faults"].items() if one} == {}
    assert {name: one for name, one in walked["sideways"].items() if one} == {}
