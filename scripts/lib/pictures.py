"""Pictures of pages of the demo, as PNG; run by .local/walk's Python, which has Playwright (scripts/browser).

usage: pictures.py ADDRESS FOLDER
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

WIDTH = 1100
PICTURES = {
    "board": ("leaderboards/demo_knowledge", 860),
    "inspector": ("datasets/demo_gsqa/questions/0ea0ce6bf4737ceb6a3f65fbdb5be37e", 1240),
}
"""File: page, and how many pixels of it are shown."""


def main() -> None:
    """As the usage says."""
    address, folder = sys.argv[1], Path(sys.argv[2])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for name, (path, height) in PICTURES.items():
            page = browser.new_page(viewport={"width": WIDTH, "height": height}, color_scheme="light")
            answer = page.goto(f"{address.rstrip('/')}/{path}")
            if answer is None or not answer.ok:
                sys.exit(
                    f"error: {page.url} did not answer as it should\n  what to do: run `make demo`, then this again"
                )
            file = folder / f"{name}.png"
            page.screenshot(path=str(file))
            sys.stdout.write(f"{file}\n")
        browser.close()


if __name__ == "__main__":
    main()
