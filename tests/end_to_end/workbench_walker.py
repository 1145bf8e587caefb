"""Writes a question by hand on the workbench in Chromium, with a second person who answers; run by .local/walk's Python.

usage: workbench_walker.py ADDRESS FOLDER, with {"ada": KEY, "ben": KEY} on standard input. Writes `published` on a line of
its own once it has pressed the button, and waits for a line before it looks at the board. Prints what it saw as JSON;
screenshots go to FOLDER.
"""

import json
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright
from walker import ARGUMENTS, faults_of

PATIENCE = 30_000
SIZES = {"desktop": (1280, 900), "phone": (400, 860)}
READY = ".map.moving[data-state='ready']"
DATASET = "by_hand"
QUESTION = "which place to eat is closest to the café?"
SIGNED_OUT = "/workbench/sign-in"


class Walk:
    """Two people in browsers of their own, and what their pages did."""

    def __init__(self, browser: Any, address: str, folder: Path) -> None:
        self.browser, self.address, self.folder = browser, address, folder
        self.found: dict[str, Any] = {"console": [], "elsewhere": [], "faults": {}, "sideways": {}}

    def open(self, key: str) -> Any:
        """A page that is signed in."""
        page = self.browser.new_context(viewport=self.size("desktop")).new_page()
        page.on("console", lambda said: self.found["console"].append(said.text))
        page.on("pageerror", lambda error: self.found["console"].append(str(error)))
        page.on("request", self.note)
        page.goto(f"{self.address}/workbench")
        assert page.url.endswith(SIGNED_OUT), page.url
        self.look(page, "sign_in")
        page.get_by_label("API key of a maintainer").fill(key)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url(f"{self.address}/workbench")
        return page

    def note(self, sent: Any) -> None:
        """A request to any other server is amiss."""
        if self.address not in sent.url and not sent.url.startswith(("blob:", "data:")):
            self.found["elsewhere"].append(sent.url)

    def size(self, name: str) -> dict[str, int]:
        """The window."""
        width, height = SIZES[name]
        return {"width": width, "height": height}

    def look(self, page: Any, name: str) -> None:
        """Look at a page in both sizes."""
        for size in ("phone", "desktop"):
            page.set_viewport_size(self.size(size))
            page.screenshot(path=str(self.folder / f"workbench_{name}_{size}.png"), full_page=True)
            over = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            self.found["sideways"][f"{name} {size}"] = max(0, over)
        self.found["faults"][name] = faults_of(page)


def write(walk: Walk, page: Any) -> str:
    """From an empty page to a question that is handed in; its address."""
    walk.look(page, "empty")
    page.get_by_label("Data set, new or written by hand").fill(DATASET)
    page.get_by_role("button", name="Write a question").click()
    page.wait_for_selector("form.draft")
    address = str(page.url)
    walk.look(page, "draft_empty")
    page.get_by_label("query", exact=False).first.fill("Café Élan")
    page.locator(".tool").get_by_role("button", name="Search").click()
    page.wait_for_selector("li[data-place]")
    walk.found["hits"] = page.locator("li[data-place] bdi").all_inner_texts()
    page.locator("li[data-place]").first.get_by_role("button", name="Details").click()
    page.get_by_role("button", name="Pin this result").click()
    page.wait_for_selector("[data-evidence]")
    page.locator("[name=draft_question]").fill(QUESTION)
    page.locator("#saved", has_text="Saved.").wait_for(timeout=PATIENCE)
    page.goto("about:blank")
    page.goto(address)
    walk.found["after_closing"] = page.locator("[name=draft_question]").input_value()
    page.get_by_label("query", exact=False).first.fill("Café Élan")
    page.locator(".tool").get_by_role("button", name="Search").click()
    page.locator("li[data-place]").first.get_by_role("button", name="Nearby").click()
    page.locator("[name=type]").fill("restaurant")
    page.locator("[name=limit]").fill("3")
    page.locator(".tool").get_by_role("button", name="Nearby").click()
    page.wait_for_selector(READY, timeout=PATIENCE)
    walk.look(page, "draft_found")
    page.get_by_role("button", name="Pin this result").click()
    page.locator("[data-evidence]").nth(1).wait_for(timeout=PATIENCE)
    for place, option in enumerate(("Linde", "Krone", "Sonne", "Adler")):
        page.get_by_label(f"Option {place + 1}", exact=True).fill(option)
    page.get_by_label("Option 2 is right").check()
    page.locator("[name=draft_class]").select_option("nearby")
    walk.look(page, "draft_written")
    page.get_by_role("button", name="Hand in").click()
    page.get_by_text("Another maintainer has to answer it now").wait_for(timeout=PATIENCE)
    walk.look(page, "handed_in")
    return address


def answer(walk: Walk, page: Any, address: str) -> None:
    """The second person sees no key, and answers."""
    page.goto(address)
    walk.found["key_is_seen"] = page.locator(".tag.yes").count() > 0 or page.locator("[checked]").count() > 0
    walk.look(page, "answering")
    page.get_by_label("Krone").check()
    page.get_by_role("button", name="Answer").click()
    page.locator("[data-cell=state]", has_text="agreed").wait_for(timeout=PATIENCE)


def main() -> None:
    """As the usage says."""
    address, folder = sys.argv[1:]
    keys = json.loads(sys.stdin.readline())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        walk = Walk(browser, address, Path(folder))
        ada = walk.open(keys["ada"])
        draft = write(walk, ada)
        answer(walk, walk.open(keys["ben"]), draft)
        ada.goto(f"{address}/workbench")
        walk.look(ada, "agreed")
        ada.get_by_role("button", name="Publish 1 question").click()
        sys.stdout.write("published\n")
        sys.stdout.flush()
        sys.stdin.readline()
        ada.goto(f"{address}/workbench")
        walk.look(ada, "published")
        ada.get_by_role("link", name=f"{DATASET}@1").click()
        ada.wait_for_selector("#board")
        walk.found["board"] = ada.inner_text("main")
        walk.look(ada, "board")
        ada.goto(f"{address}/workbench")
        ada.get_by_role("button", name="Sign out").click()
        ada.goto(f"{address}/workbench")
        walk.found["signed_out"] = ada.url.endswith(SIGNED_OUT)
        browser.close()
    sys.stdout.write(json.dumps(walk.found) + "\n")


if __name__ == "__main__":
    main()
