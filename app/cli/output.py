"""The only place that prints: results to stdout (one JSON object with --json), progress to stderr."""

import sys
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from app.core.identity import canonical_json

progress = Console(stderr=True, highlight=False)
results = Console(highlight=False, soft_wrap=True)


def say(message: str) -> None:
    """One line of progress, to stderr."""
    progress.print(message, markup=False, soft_wrap=True)


def emit(result: Mapping[str, Any], as_json: bool, *renderings: str | Table) -> None:
    """The result: one JSON object with --json, else what a person reads."""
    if as_json:
        sys.stdout.write(canonical_json(result) + "\n")
        return
    for rendering in renderings:
        results.print(rendering, markup=False) if isinstance(rendering, str) else results.print(rendering)


def line(text: str) -> None:
    """One line of a result that is a stream, such as JSON Lines."""
    sys.stdout.write(text + "\n")
