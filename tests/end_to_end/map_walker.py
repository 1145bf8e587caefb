"""Moves a data set's map in Chromium, by keys, wheel, pointer, touch and buttons; run by .local/walk's Python.

usage: map_walker.py ADDRESS PATH FOLDER. Prints what the map said at each step as JSON; screenshots go to FOLDER.
"""

import json
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from walker import ARGUMENTS, SIZES, faults_of

CANVAS = "canvas.map"
SETTLED = f"{CANVAS}[data-state='ready'], {CANVAS}[data-state='partial']"
PATIENCE = 20_000
FIRST_MARK = """async (canvas) => {
  const { Tiles, placeOf, tilesOf } = await import("/static/tiles.js");
  const [west, south, east, north] = canvas.dataset.box.split(" ").map(Number);
  const [low, high] = [placeOf(west, south), placeOf(east, north)];
  const box = { west: low.x, south: low.y, east: high.x, north: high.y };
  const tiles = new Tiles(canvas.closest("figure").dataset.tiles);
  const { marks } = await tiles.load(tilesOf(box, Number(canvas.dataset.level)));
  const [mark] = marks.filter((one) => one.x > low.x && one.x < high.x && one.y > high.y && one.y < low.y);
  const right = ((mark.x - low.x) / (high.x - low.x)) * canvas.clientWidth;
  return [right, ((mark.y - high.y) / (low.y - high.y)) * canvas.clientHeight];
}"""
"""Where on the canvas the first mark in view stands."""


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
        told = self.page.eval_on_selector(CANVAS, "canvas => ({...canvas.dataset})")
        told["said"] = self.page.inner_text("figure.map [role=status] >> nth=0")
        self.steps[step] = told

    def middle(self) -> tuple[float, float]:
        """The middle of the canvas on the screen."""
        box = self.page.locator(CANVAS).first.bounding_box()
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
    page.locator("figure.map summary").first.click()
    listed = page.locator("figure.map details tbody tr")
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
    style = page.eval_on_selector(CANVAS, "canvas => getComputedStyle(canvas).outlineStyle")
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
    moved.note("wheel")
    page.mouse.down()
    page.mouse.move(x - 20, y + 30, steps=4)
    page.mouse.up()
    moved.note("drag")
    page.keyboard.press("Home")
    moved.note("before the click")
    right, down = page.eval_on_selector(CANVAS, FIRST_MARK)
    page.locator(CANVAS).first.click(position={"x": right, "y": down})
    moved.note("click")
    moved.steps["click"]["picked"] = page.inner_text(".picked")
    moved.steps["click"]["leads"] = page.get_attribute(".picked a", "href")


def lacking(moved: MovedMap) -> None:
    """Tiles of a level that was not seen yet, which the server does not give, are told, and asked for again."""
    page = moved.page
    page.route("**/*.mvt", lambda route: route.fulfill(status=503))
    for _ in range(5):
        page.get_by_role("button", name="Zoom in").click()
    page.wait_for_selector(f"{CANVAS}[data-state='partial']", timeout=PATIENCE)
    moved.note("lacking")
    page.unroute("**/*.mvt")
    page.get_by_role("button", name="Load again").click()
    page.wait_for_selector(f"{CANVAS}[data-state='ready']", timeout=PATIENCE)
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
    page.locator(CANVAS).first.scroll_into_view_if_needed()
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
    moved.note("pinch")
    found = {"steps": moved.steps, "faults": faults_of(page), "console": moved.console}
    found["sideways"] = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    page.screenshot(path=str(folder / f"map_{path.rpartition('/')[2]}_phone_dark.png"), full_page=True)
    context.close()
    return found


def without(browser: Any, address: str, path: str) -> dict[str, Any]:
    """Without an answer from REST, and without scripts: the picture stays."""
    page = browser.new_page()
    page.route("**/map", lambda route: route.fulfill(status=503))
    page.goto(address + path)
    page.wait_for_function("document.getElementById('map-note').textContent !== ''", timeout=PATIENCE)
    found = {"note": page.inner_text("#map-note"), "picture": page.locator("svg.map").first.is_visible()}
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + path)
    found["unscripted"] = page.locator("svg.map").first.is_visible()
    found["canvases"] = page.locator(CANVAS).count()
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
        }
        browser.close()
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
