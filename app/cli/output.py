"""The only place that prints: results to stdout (one JSON object with --json), progress to stderr."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from app.cli.cells import for_terminal
from app.cli.tables import lay_out, wrap_sentence
from app.core.errors import UsageError
from app.core.identity import canonical_json

progress = Console(stderr=True, highlight=False)
results = Console(highlight=False, soft_wrap=True)


def say(message: str) -> None:
    """One line of progress, to stderr."""
    progress.print(_sentence(message, progress), markup=False, soft_wrap=True)


def emit(result: Mapping[str, Any], as_json: bool, *renderings: str | Table) -> None:
    """The result: one JSON object with --json, else what a person reads."""
    if as_json:
        sys.stdout.write(canonical_json(result) + "\n")
        return
    for rendering in renderings:
        if isinstance(rendering, str):
            results.print(_sentence(rendering, results), markup=False)
        else:
            for text in lay_out(rendering, results.width):
                results.print(text)


def _sentence(said: str, console: Console) -> str:
    """A sentence in lines as wide as the terminal, or as COLUMNS says; without either it stays on one line."""
    shown = for_terminal(said)
    has_width = console.is_terminal or "COLUMNS" in os.environ
    return wrap_sentence(shown, console.width) if has_width else shown


def line(text: str) -> None:
    """One line of a result that is a stream, such as JSON Lines."""
    sys.stdout.write(text + "\n")


def write(content: str) -> None:
    """A result that is a file, as it is."""
    sys.stdout.write(content)


def write_file(to: Path, content: str | bytes) -> None:
    """Write a result to a file, a text as UTF-8. Raises UsageError where it cannot be written."""
    try:
        to.write_bytes(content if isinstance(content, bytes) else content.encode())
    except OSError as error:
        raise UsageError(f"{to} cannot be written: {error.strerror}. Name another file.") from error
