"""Looks at pages in Chromium; run by .local/walk's Python, which has Playwright and axe-core (scripts/browser).

usage: walker.py look ADDRESS FOLDER <pages as JSON>   or   walker.py live ADDRESS. Prints what it found as JSON.
"""

import json
import sys
from pathlib import Path
from typing import Any

import axe_playwright_python
from playwright.sync_api import sync_playwright

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}
WEBGL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]
"""What lets Chromium draw with WebGL where there is no graphics card."""
ALONE = ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
ARGUMENTS = [*ALONE, *WEBGL]
LOOKS = [
    ("desktop", "light", True),
    ("desktop", "dark", True),
    ("phone", "light", True),
    ("phone", "light", False),
]
"""Width, colours, and whether scripts run."""
MOVED = ".map.moving[data-state='ready']"
AS_WITHOUT = """() => {
  document.querySelectorAll("[data-by-script]").forEach((added) => added.remove());
  document.querySelectorAll("svg[hidden]").forEach((replaced) => replaced.removeAttribute("hidden"));
}"""
"""Takes a map that moves away, and puts the picture back that it stands for."""
CUT = """() => [...document.querySelectorAll(".answers [data-cell='outcome'] .outcome")]
  .filter((shown) => {
    const { left, right, width } = shown.getBoundingClientRect();
    const scroll = shown.closest(".scroll")?.getBoundingClientRect() ?? { left: 0, right: window.innerWidth };
    return !width || left < scroll.left || right > scroll.right;
  })
  .map((shown) => shown.textContent)"""
"""What became of answers, where it cannot be seen without scrolling sideways."""
TEXT = "document.body.innerText.replace(/\\s+/g, ' ')"


def look(page: Any, address: str, path: str, file: Path, scripts: bool) -> dict[str, Any]:
    """One page at one size."""
    found: dict[str, Any] = {"console": [], "elsewhere": []}
    page.on("console", lambda said: found["console"].append(said.text))
    page.on("pageerror", lambda error: found["console"].append(str(error)))
    page.on(
        "request",
        lambda request: None if request.url.startswith(address) else found["elsewhere"].append(request.url),
    )
    answer = page.goto(address + path)
    if scripts and page.locator("script[src='/static/maplibre/maplibre-gl.js']").count():
        page.wait_for_selector(MOVED, timeout=30_000)
    found["status"] = answer.status
    found["cut"] = page.evaluate(CUT)
    found["sideways"] = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    page.screenshot(path=str(file), full_page=True)
    return found


def faults_of(page: Any) -> list[str]:
    """What axe-core takes for serious, with the elements."""
    page.evaluate(AXE)
    violations = page.evaluate(
        "axe.run(document, {resultTypes: ['violations']}).then(found => found.violations)"
    )
    return [
        f"{one['id']}: {node['html'][:120]} ({node.get('failureSummary', '')[:200]})"
        for one in violations
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]


def walk(browser: Any, address: str, folder: Path, pages: dict[str, str]) -> list[dict[str, Any]]:
    """Every page in every look."""
    found = []
    for name, path in pages.items():
        for size, scheme, scripts in LOOKS:
            width, height = SIZES[size]
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, java_script_enabled=scripts
            )
            page = context.new_page()
            file = folder / f"{name}_{size}_{scheme}{'' if scripts else '_without'}.png"
            told = look(page, address, path, file, scripts)
            told |= {
                "page": name,
                "path": path,
                "look": f"{size} {scheme} {'with' if scripts else 'without'} scripts",
            }
            told["faults"] = faults_of(page) if scripts else []
            if scripts and size == "desktop" and scheme == "light":
                page.evaluate("document.activeElement.blur()")
                page.keyboard.press("Tab")
                told["first"] = page.evaluate("document.activeElement.className")
            page.evaluate(AS_WITHOUT)
            told["text"] = page.evaluate(TEXT)
            found.append(told)
            context.close()
    return found


def live(browser: Any, address: str) -> list[str]:
    """A run's page as it goes on: says that it is open, then waits until it says that nothing more comes."""
    page = browser.new_page()
    said: list[str] = []
    page.on("console", lambda line: said.append(line.text))
    page.goto(address)
    sys.stdout.write("open\n")
    sys.stdout.flush()
    page.wait_for_selector('#live[data-lives="no"]', timeout=30_000)
    said.append(page.inner_text("#status"))
    return said


def main() -> None:
    """As the usage says."""
    what, address, *rest = sys.argv[1:]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        if what == "live":
            found: Any = live(browser, address)
        else:
            found = walk(browser, address, Path(rest[0]), json.load(sys.stdin))
        browser.close()
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
