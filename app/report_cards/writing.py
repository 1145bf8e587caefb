"""Writes a card as files: HTML that stands alone, JSON, a snippet for a model card on the hub, and PDF.

HTML, JSON and snippet are the same bytes for the same card; a PDF holds the moment at which Chromium made it.
"""

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from app.core.errors import UsageError
from app.report_cards.model_index import model_index
from app.report_cards.models import CardContent
from app.report_cards.rendering import render_card

HTML, JSON, SNIPPET, PDF = "report-card.html", "report-card.json", "model-index.yaml", "report-card.pdf"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SECONDS = 120
"""How long Chromium may take for a PDF."""


class Written(NamedTuple):
    """The files of a card; `no_pdf` says why there is no PDF, where one was asked for."""

    html: Path
    json: Path
    snippet: Path
    pdf: Path | None
    no_pdf: str | None


def write_card(card: CardContent, folder: Path, pdf: bool = False, source: str | None = None) -> Written:
    """Write the files into the folder, which is made if it is not there; files of an earlier card are replaced.

    `source` is the address at which the card will stand. Without Chromium there is no PDF, and the rest is written.
    Raises UsageError where the folder cannot be written to.
    """
    files = {HTML: render_card(card), JSON: card.as_json() + "\n", SNIPPET: model_index(card, source)}
    html = folder / HTML
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            _replace(folder / name, content)
        (folder / PDF).unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(
            f"{folder}: cannot be written to: {error.strerror}. Give the same command with another --to; it asks "
            "nothing again."
        ) from error
    no_pdf = print_pdf(html, folder / PDF) if pdf else None
    made = folder / PDF if pdf and no_pdf is None else None
    return Written(html, folder / JSON, folder / SNIPPET, made, no_pdf)


def check_folder(folder: Path) -> None:
    """Raise UsageError where a card can surely not be written into the folder. Nothing is made.

    So nobody waits for a card's runs, and pays for them, to hear this at the end.
    """
    try:
        there = next(one for one in (folder.absolute(), *folder.absolute().parents) if one.exists())
    except OSError as error:  # such as a name that is too long
        raise UsageError(f"{folder}: cannot be made: {error.strerror}. Choose another --to.") from error
    if not there.is_dir():
        raise UsageError(f"{there} is not a folder. Choose another --to.")
    if not os.access(there, os.W_OK | os.X_OK):
        raise UsageError(f"{there}: cannot be written to. Choose another --to.")
    for name in (HTML, JSON, SNIPPET, PDF):
        if (folder / name).is_dir():
            raise UsageError(f"{folder / name} is a folder. Choose another --to.")


def _replace(path: Path, content: str) -> None:
    """Write a file as a whole: whoever opens it meanwhile, or after a kill, finds the old one or the new one."""
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        fresh.write_text(content, encoding="utf-8")
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def print_pdf(html: Path, to: Path) -> str | None:
    """Print a page with Chromium; None, or why that did not work."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        return "there is no Chromium; `scripts/browser` installs one"
    with TemporaryDirectory(prefix="trigpoint-pdf-") as profile:
        # The page is our own and runs no script; Chromium's sandbox does not start for root.
        command = [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={profile}",
            "--no-pdf-header-footer",
            f"--print-to-pdf={to.resolve()}",
            html.resolve().as_uri(),
        ]
        try:
            ended = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return f"Chromium did not make a PDF within {SECONDS} seconds"
    if ended.returncode or not to.is_file():
        return f"Chromium made no PDF (exit {ended.returncode})"
    return None
