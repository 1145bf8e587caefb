"""Chromium moves a data set's map: what it says to draw is what the tiles hold, by keys, wheel, pointer and touch."""

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.core.settings import PROJECT_ROOT, Settings
from tests.support.command_line import generate
from tests.support.planted_secrets import make_hidden
from tests.support.service import serving
from tests.support.town import import_map, make_town
from tests.support.vector_tiles import Point, read_tile, tile_at

pytestmark = pytest.mark.long
WALK = PROJECT_ROOT / ".local" / "walk"
SCREENSHOTS = WALK / "screenshots"
WALKER = Path(__file__).parent / "map_walker.py"
DATASETS = ["/datasets/open", "/datasets/half_hidden"]


@pytest.fixture(scope="module")
def address(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if not (WALK / "bin" / "python").is_file():
        pytest.fail(f"{WALK} is absent: scripts/browser makes it")
    settings = make_database()
    import_map(settings, make_town().write(tmp_path_factory.mktemp("map") / "town.osm"), "town")
    done = generate(
        settings, "gsqa", "town", "open", "--per-template", "6", "--bank", "12", "--hidden", "0.3"
    )
    assert done.status == 0, done.err
    make_hidden(settings)
    with serving(settings) as address:
        yield address


@pytest.fixture(scope="module", params=DATASETS)
def walked(request: pytest.FixtureRequest, address: str) -> dict[str, Any]:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    command = [str(WALK / "bin" / "python"), str(WALKER), address, request.param, str(SCREENSHOTS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found | {
        "site": address,
        "tiles": f"{address}/v1{request.param}/tiles",
        "map": f"{address}/v1{request.param}/map",
    }


def points_within(tiles: str, z: int, box: tuple[float, ...]) -> dict[str, list[Point]]:
    """The points of the level's tiles that lie in the box (west, south, east, north)."""
    west, south, east, north = box
    left, top = tile_at(z, west, north)
    right, bottom = tile_at(z, east, south)
    found: dict[str, list[Point]] = {"questions": [], "answers": []}
    for x in range(left, right + 1):
        for y in range(top, bottom + 1):
            for layer, points in read_tile(httpx.get(f"{tiles}/{z}/{x}/{y}.mvt").content, z, x, y).items():
                found[layer] += [p for p in points if west <= p.lon <= east and south <= p.lat <= north]
    return found


def test_what_is_drawn_is_what_the_tiles_hold(walked: dict[str, Any]) -> None:
    totals = {
        layer: sum(cell[layer] for one in httpx.get(walked["map"]).json()["grounds"] for cell in one["cells"])
        for layer in ("questions", "answers")
    }
    steps = walked["desktop"]["steps"] | {
        f"phone {name}": told for name, told in walked["phone"]["steps"].items()
    }
    for step, told in steps.items():
        if told["state"] == "partial":
            continue
        box = tuple(map(float, told["box"].split()))
        found = points_within(walked["tiles"], int(told["level"]), box)
        counted = {layer: sum(p.values[layer] for p in points) for layer, points in found.items()}
        assert {layer: int(told[layer]) for layer in counted} == counted, step
        assert int(told["marks"]) == sum(map(len, found.values())), step
        assert f"In view: {counted['questions']} of {totals['questions']} questions" in told["said"], step
        if totals["answers"]:
            assert f"{counted['answers']} of {totals['answers']} answers" in told["said"], step
    assert int(steps["begin"]["questions"]) == totals["questions"] > 0, "at first all are in view"


def test_every_way_moves_the_map(walked: dict[str, Any]) -> None:
    steps = walked["desktop"]["steps"]
    wide = {name: float(one["box"].split()[2]) - float(one["box"].split()[0]) for name, one in steps.items()}
    west = {name: float(one["box"].split()[0]) for name, one in steps.items()}
    south = {name: float(one["box"].split()[1]) for name, one in steps.items()}
    assert wide["plus 1"] == pytest.approx(wide["begin"] / 2)
    assert wide["plus 3"] == pytest.approx(wide["begin"] / 8)
    assert west["ArrowRight"] == pytest.approx(west["plus 3"] + wide["plus 3"] / 5)
    assert south["ArrowDown"] < south["ArrowRight"]
    assert wide["-"] == pytest.approx(wide["plus 2"])
    assert west["ArrowLeft"] < west["-"]
    assert south["ArrowUp"] > south["ArrowLeft"]
    assert steps["Home"]["box"] == steps["begin"]["box"] == steps["shown all"]["box"]
    assert wide["wheel"] < wide["Home"]
    assert wide["drag"] == pytest.approx(wide["wheel"])
    assert (west["drag"] > west["wheel"], south["drag"] > south["wheel"]) == (True, True)
    assert steps["Home"]["focus"] != "none", "where the keyboard is can be seen"
    pinched = walked["phone"]["steps"]
    assert pinched["pinch"]["box"] != pinched["begin"]["box"]


def test_a_mark_that_is_clicked_says_what_it_is(walked: dict[str, Any]) -> None:
    told = walked["desktop"]["steps"]["click"]
    assert told["picked"].startswith("Chosen: ")
    assert "question" in told["picked"]
    assert httpx.get(walked["site"] + told["leads"]).status_code == 200


def test_the_list_says_what_is_drawn(walked: dict[str, Any]) -> None:
    marks = int(walked["desktop"]["steps"]["shown all"]["marks"])
    assert len(walked["desktop"]["rows"]) == min(50, marks)


def test_a_tile_that_cannot_be_loaded_is_told(walked: dict[str, Any]) -> None:
    steps = walked["desktop"]["steps"]
    assert "cannot be loaded: the server answers 503." in steps["lacking"]["said"]
    assert "cannot be loaded" not in steps["again"]["said"]
    assert steps["again"]["box"] == steps["lacking"]["box"]


def test_without_scripts_or_rest_the_picture_stays(walked: dict[str, Any]) -> None:
    found = walked["without"]
    assert "The map cannot be moved: the server answers 503." in found["note"]
    assert (found["picture"], found["unscripted"], found["canvases"]) == (True, True, 0)


def test_without_webgl_the_picture_stays(walked: dict[str, Any]) -> None:
    found = walked["without_webgl"]
    assert "The map cannot be moved: this browser draws no maps with WebGL." in found["note"]
    assert found["picture"]


def test_nothing_is_amiss(walked: dict[str, Any]) -> None:
    for look in (walked["desktop"], walked["phone"]):
        assert look["console"] == []
        assert look["faults"] == []
    assert walked["phone"]["sideways"] <= 0
