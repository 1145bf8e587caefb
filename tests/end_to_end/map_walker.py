"""Moves a data set's map in Chromium, by keys, wheel, pointer, touch and buttons; run by .local/walk's Python.

usage: map_walker.py ADDRESS PATH FOLDER. Prints what the map said at each step as JSON; screenshots go to FOLDER.
"""

import json
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from walker import ALONE, ARGUMENTS, SIZES, faults_of

sys.path.append(str(Path(__file__).parents[1] / "support"))
from vector_tiles import read_tile, tile_at

MAP = ".map.moving"
SETTLED = f"{MAP}[data-state='ready'], {MAP}[data-state='partial']"
PATIENCE = 20_000
PIXEL = """([lon, lat]) => {
  const place = document.querySelector(".map.moving");
  const [west, south, east, north] = place.dataset.box.split(" ").map(Number);
  const height = (degrees) => Math.asinh(Math.tan((degrees * Math.PI) / 180));
  const down = (height(north) - height(lat)) / (height(north) - height(south));
  return [((lon - west) / (east - west)) * place.clientWidth, down * place.clientHeight];
}"""
"""Where on the map a place in degrees stands."""


class MovedMap:
    """A page with a map, and what was seen of it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.console: list[str] = []
        self.steps: dict[str, dict[str, Any]] = {}
        page.on("console", lambda said: self.console.append(said.text))
        page.on("pageerror", lambda error: self.console.append(str(error)))

    def note(self, step: str) -> None:
        """What the map says once it stands still."""
        self.page.wait_for_selector(SETTLED, timeout=PATIENCE)
        told = self.page.eval_on_selector(MAP, "place => ({...place.dataset})")
        told["said"] = self.page.inner_text("figure.map [role=status] >> nth=0")
        self.steps[step] = told

    def note_moved(self, step: str, since: str) -> None:
        """What the map says once it stands still elsewhere than in the step `since`: moves by hand begin a little later."""
        self.page.wait_for_selector(f"{MAP}:not([data-box='{self.steps[since]['box']}'])", timeout=PATIENCE)
        self.note(step)

    def first_mark(self) -> tuple[float, float]:
        """Where on the map the first mark in view stands, as the tiles tell."""
        told = self.page.eval_on_selector(MAP, "place => ({...place.dataset})")
        west, south, east, north = map(float, told["box"].split())
        z, (left, top) = int(told["level"]), tile_at(int(told["level"]), west, north)
        right, bottom = tile_at(z, east, south)
        tiles = self.page.get_attribute("figure.map", "data-tiles")
        for x, y in ((x, y) for x in range(left, right + 1) for y in range(top, bottom + 1)):
            body = self.page.request.get(
                f"{self.page.url.split('/datasets')[0]}{tiles}/{z}/{x}/{y}.mvt"
            ).body()
            for point in (point for points in read_tile(body, z, x, y).values() for point in points):
                if west < point.lon < east and south < point.lat < north:
                    found = self.page.evaluate(PIXEL, [point.lon, point.lat])
                    return found[0], found[1]
        raise AssertionError("no mark is in view")

    def middle(self) -> tuple[float, float]:
        """The middle of the map on the screen."""
        box = self.page.locator(MAP).first.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def walk(browser: Any, address: str, path: str, folder: Path) -> dict[str, Any]:
    """Every way to move the map, one after the other, on a desktop."""
    context = browser.new_context(viewport=dict(zip(("width", "height"), SIZES["desktop"])))
    page = context.new_page()
    moved = MovedMap(page)
    page.goto(address + path)
    moved.note("begin")
    by_keys(moved)
    by_pointer(moved)
    page.get_by_role("button", name="Show all").click()
    moved.note("shown all")
    page.locator("figure.map .marks summary").first.click()
    listed = page.locator("figure.map .marks tbody tr")
    listed.first.wait_for(timeout=PATIENCE)
    rows = listed.all_inner_texts()
    faults = faults_of(page)
    page.screenshot(path=str(folder / f"map_{path.rpartition('/')[2]}_desktop.png"), full_page=True)
    console = list(moved.console)
    lacking(moved)
    context.close()
    return {"steps": moved.steps, "rows": rows, "faults": faults, "console": console}


def by_keys(moved: MovedMap) -> None:
    """Tab comes to the map, and its keys move it."""
    page = moved.page
    page.keyboard.press("Tab")
    while page.evaluate("document.activeElement.tagName") != "CANVAS":
        page.keyboard.press("Tab")
    style = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    for number in range(1, 4):
        page.keyboard.press("+")
        moved.note(f"plus {number}")
    for key in ("ArrowRight", "ArrowDown", "-", "ArrowLeft", "ArrowUp", "Home"):
        page.keyboard.press(key)
        moved.note(key)
    moved.steps["Home"]["focus"] = style


def by_pointer(moved: MovedMap) -> None:
    """The wheel, a drag, and a click on a mark."""
    page = moved.page
    x, y = moved.middle()
    page.mouse.move(x + 40, y)
    page.mouse.wheel(0, -400)
    moved.note_moved("wheel", "Home")
    page.mouse.down()
    page.mouse.move(x - 20, y + 30, steps=4)
    page.mouse.up()
    moved.note_moved("drag", "wheel")
    page.keyboard.press("Home")
    moved.note("before the click")
    right, down = moved.first_mark()
    page.locator(MAP).first.click(position={"x": right, "y": down})
    page.wait_for_selector(".picked a", timeout=PATIENCE)
    moved.note("click")
    moved.steps["click"]["picked"] = page.inner_text(".picked")
    moved.steps["click"]["leads"] = page.get_attribute(".picked a", "href")


def lacking(moved: MovedMap) -> None:
    """Tiles of a level that was not seen yet, which the server does not give, are told, and asked for again."""
    page = moved.page
    page.route("**/*.mvt", lambda route: route.fulfill(status=503))
    for _ in range(5):
        page.get_by_role("button", name="Zoom in").click()
    page.wait_for_selector(f"{MAP}[data-state='partial']", timeout=PATIENCE)
    moved.note("lacking")
    page.unroute("**/*.mvt")
    page.get_by_role("button", name="Load again").click()
    page.wait_for_selector(f"{MAP}[data-state='ready']", timeout=PATIENCE)
    moved.note("again")


def phone(browser: Any, address: str, path: str, folder: Path) -> dict[str, Any]:
    """Two fingers zoom; dark colours."""
    context = browser.new_context(
        viewport=dict(zip(("width", "height"), SIZES["phone"])), has_touch=True, color_scheme="dark"
    )
    page = context.new_page()
    moved = MovedMap(page)
    page.goto(address + path)
    moved.note("begin")
    page.locator(MAP).first.scroll_into_view_if_needed()
    x, y = moved.middle()
    session = context.new_cdp_session(page)

    def touch(kind: str, apart: float | None) -> None:
        points = (
            [] if apart is None else [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}]
        )
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 30)
    for apart in (45, 60, 75, 90):
        touch("touchMove", apart)
    touch("touchEnd", None)
    moved.note_moved("pinch", "begin")
    found = {"steps": moved.steps, "faults": faults_of(page), "console": moved.console}
    found["sideways"] = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    page.screenshot(path=str(folder / f"map_{path.rpartition('/')[2]}_phone_dark.png"), full_page=True)
    context.close()
    return found


def note_of(page: Any, address: str) -> dict[str, Any]:
    """What a page says whose map cannot be moved."""
    page.goto(address)
    # A function to wait for would be evaluated in the page, which its content security policy forbids.
    page.locator("#map-note:not(:empty)").wait_for(state="attached", timeout=PATIENCE)
    return {"note": page.inner_text("#map-note"), "picture": page.locator("svg.map").first.is_visible()}


def without_webgl(playwright: Any, address: str) -> dict[str, Any]:
    """In a browser that cannot draw with WebGL: the picture stays."""
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", args=[*ALONE, "--disable-3d-apis"]
    )
    found = note_of(browser.new_page(), address)
    browser.close()
    return found


def without(browser: Any, address: str, path: str) -> dict[str, Any]:
    """Without an answer from REST, and without scripts: the picture stays."""
    page = browser.new_page()
    page.route("**/map", lambda route: route.fulfill(status=503))
    found = note_of(page, address + path)
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + path)
    found["unscripted"] = page.locator("svg.map").first.is_visible()
    found["canvases"] = page.locator(MAP).count()
    return found


def main() -> None:
    """As the usage says."""
    address, path, folder = sys.argv[1:]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        found = {
            "desktop": walk(browser, address, path, Path(folder)),
            "phone": phone(browser, address, path, Path(folder)),
            "without": without(browser, address, path),
            "without_webgl": without_webgl(playwright, address + path),
        }
        browser.close()
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
