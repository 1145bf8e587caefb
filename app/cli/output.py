"""The only place that prints: results to stdout (one JSON object with --json), progress to stderr."""

import sys
from collections.abc import Mapping
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.table import Table

from app.core.identity import canonical_json
from app.core.words import with_hidden_shown

progress = Console(stderr=True, highlight=False)
results = Console(highlight=False, soft_wrap=True)


def say(message: str) -> None:
    """One line of progress, to stderr."""
    progress.print(with_hidden_shown(message), markup=False, soft_wrap=True)


def emit(result: Mapping[str, Any], as_json: bool, *renderings: str | Table) -> None:
    """The result: one JSON object with --json, else what a person reads."""
    if as_json:
        sys.stdout.write(canonical_json(result) + "\n")
        return
    for rendering in renderings:
        if isinstance(rendering, str):
            results.print(with_hidden_shown(rendering), markup=False)
        else:
            results.print(_Shown(rendering))


class _Shown:
    """A table in whose cells nothing controls the terminal, or turns text about."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self._table, options):
            is_text = segment.control is None and segment.text != "\n"
            yield Segment(with_hidden_shown(segment.text), segment.style) if is_text else segment


def line(text: str) -> None:
    """One line of a result that is a stream, such as JSON Lines."""
    sys.stdout.write(text + "\n")
