"""Tries tools on their pages in Chromium, as somebody with a key does; run by .local/walk's Python.

usage: tool_walker.py ADDRESS FOLDER, with {"key": …, "calls": {name: [tool, {field: text}]}} on standard input. Prints
what the pages said as JSON; screenshots go to FOLDER.
"""

import json
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from walker import ARGUMENTS, SIZES, faults_of

PAGES = "/snapshots/tools/tools"
READY = ".map.moving[data-state='ready']"
PATIENCE = 20_000
LOOKS = [("desktop", "light", True), ("phone", "dark", True), ("phone", "light", False)]
"""Width, colours, and whether scripts run."""


def try_tool(page: Any, tool: str, fields: dict[str, str], scripts: bool) -> dict[str, Any]:
    """Fill in the form of a tool, send it, and say what the page shows."""
    for name, text in fields.items():
        field = page.locator(f"form.tool [name='{name}']")
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(text)
        else:
            field.fill(text)
    page.get_by_role("button", name=f"Call {tool}").click()
    page.wait_for_selector("#answer", timeout=PATIENCE)
    found: dict[str, Any] = {"said": page.inner_text("[data-cell='sentence']")}
    if scripts and page.locator("figure[data-answer]").count():
        page.wait_for_selector(READY, timeout=PATIENCE)
        found["moving"] = page.locator(".map.moving").count()
    found["pictures"] = page.locator("figure.map > svg.map:visible").count()
    found["sideways"] = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    found["faults"] = faults_of(page) if scripts else []
    return found


def click_on_middle(page: Any) -> str:
    """What the map says of the place in its middle."""
    page.locator(".map.moving").click()
    said = page.locator("figure.map [role=status]").filter(has_text="Chosen:")
    said.wait_for(timeout=PATIENCE)
    return str(said.inner_text())


def walk(browser: Any, address: str, folder: Path, told: dict[str, Any]) -> dict[str, Any]:
    """Every call in every look."""
    found: dict[str, Any] = {"console": [], "elsewhere": []}
    for size, scheme, scripts in LOOKS:
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, java_script_enabled=scripts
        )
        page = context.new_page()
        page.on("console", lambda said: found["console"].append(said.text))
        page.on("pageerror", lambda error: found["console"].append(str(error)))
        page.on(
            "request",
            lambda sent: None if address in sent.url else found["elsewhere"].append(sent.url),
        )
        look = f"{size} {scheme}{'' if scripts else ' without'}"
        found[look] = {}
        page.goto(f"{address}{PAGES}")
        page.fill("input[name=key]", told["key"])
        page.get_by_role("button", name="Use this key").click()
        for name, (tool, fields) in told["calls"].items():
            page.goto(f"{address}{PAGES}/{tool}")
            found[look][name] = try_tool(page, tool, fields, scripts)
            if scripts and name == "one place":
                found[look][name]["picked"] = click_on_middle(page)
            file = f"tool_{name}_{look}.png".replace(" ", "_")
            page.screenshot(path=str(folder / file), full_page=True)
        context.close()
    return found


def main() -> None:
    """As the usage says."""
    address, folder = sys.argv[1:]
    told = json.load(sys.stdin)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        found = walk(browser, address, Path(folder), told)
        browser.close()
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
