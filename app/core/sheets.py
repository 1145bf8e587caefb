"""Rows as CSV (RFC 4180) for spreadsheets, which take a text that begins with certain signs for a formula."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from app.core.identity import canonical_json

STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A cell of text that begins so could be a formula to a spreadsheet."""


def as_sheet(columns: Sequence[str], rows: Iterable[Iterable[Any]]) -> str:
    """A line of headings and a line a row; texts that could be a formula begin with an apostrophe."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(value) for value in row])
    return buffer.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, list | dict):
        return canonical_json(value)
    if isinstance(value, str) and value.lstrip(" ").startswith(STARTS_A_FORMULA):
        return f"'{value}"
    return value
