"""Chromium tries tools on their pages: forms, answers, maps that move, and pictures without scripts."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.core.settings import PROJECT_ROOT, Settings
from tests.support.routers import own_routers
from tests.support.service import serving
from tests.support.tool_maps import bearing, import_open_and_closed

pytestmark = pytest.mark.long
WALK = PROJECT_ROOT / ".local" / "walk"
SCREENSHOTS = WALK / "screenshots"
WALKER = Path(__file__).parent / "tool_walker.py"
HERE = "50.0,10.0"
LOOKS = {"desktop light": True, "phone dark": True, "phone light without": False}
"""Whether scripts run."""


@pytest.fixture(scope="module")
def walked(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    if not (WALK / "bin" / "python").is_file():
        pytest.fail(f"{WALK} is absent: scripts/browser makes it")
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    with own_routers(make_database(), tmp_path_factory.mktemp("routers")) as settings:
        map_ = import_open_and_closed(settings, tmp_path_factory.mktemp("tools"))
        key = bearing(settings)["Authorization"].removeprefix("Bearer ")
        calls = {
            "places": ["nearby", {"where": HERE, "type": "restaurant", "attributes": '{"cuisine": "pizza"}'}],
            "one place": ["place_search", {"query": "Linde", "limit": "1"}],
            "area": ["area_of", {"place": map_.key("Stadtpark")}],
            "route": [
                "directions",
                {"origin": map_.key("Café Élan"), "destination": map_.key("Krone"), "mode": "foot"},
            ],
            "number": ["calculator", {"expression": "6 * 7"}],
        }
        with serving(settings) as address:
            command = [str(WALK / "bin" / "python"), str(WALKER), address, str(SCREENSHOTS)]
            done = subprocess.run(
                command,
                input=json.dumps({"key": key, "calls": calls}),
                capture_output=True,
                text=True,
                timeout=200,
                check=False,
            )
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("look", LOOKS)
def test_tools_answer_in_words_and_on_a_map(walked: dict[str, Any], look: str) -> None:
    said = {name: one["said"] for name, one in walked[look].items()}
    assert "Krone" in said["places"]
    assert "Linde" not in said["places"]
    assert "Stadtpark has an area of" in said["area"]
    assert "You arrive at Krone" in said["route"]
    assert said["number"] == "6 * 7 = 42"
    drawn = {name: (one.get("moving", 0), one["pictures"]) for name, one in walked[look].items()}
    shown = (1, 0) if LOOKS[look] else (0, 1)
    assert drawn == {"places": shown, "one place": shown, "area": shown, "route": shown, "number": (0, 0)}


@pytest.mark.parametrize("look", [look for look, scripts in LOOKS.items() if scripts])
def test_a_place_that_is_clicked_says_its_name(walked: dict[str, Any], look: str) -> None:
    assert walked[look]["one place"]["picked"] == "Chosen: Linde"


def test_nothing_is_amiss(walked: dict[str, Any]) -> None:
    assert (walked["console"], walked["elsewhere"]) == ([], [])
    for look in LOOKS:
        for name, one in walked[look].items():
            assert (one["faults"], max(0, one["sideways"])) == ([], 0), (look, name)
