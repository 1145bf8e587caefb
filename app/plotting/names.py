"""Names of models fit for a picture: short, without what controls text, told apart. Pure."""

import unicodedata
from collections import Counter
from collections.abc import Iterable

from app.leaderboard.models import Row

MOST_CELLS = 44
"""Small letters of a name that a picture shows, about 40 of any: it is made wider for them where it must be."""
MARKS_IN_A_ROW = 2
ELLIPSIS = "…"
BROAD = "WMm@%—\ufffd"
_UNFIT = ("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp")


def fitted(label: str, most: int) -> str:
    """`label` in at most `most` cells, its middle left out; what no font can show is replaced."""
    clean = "".join(_shown(unicodedata.normalize("NFC", label))) or "–"
    if cells_of(clean) <= most:
        return clean
    head, tail = most // 2, (most - 1) // 2
    return cut(clean, head).rstrip() + ELLIPSIS + cut(clean[::-1], tail)[::-1].lstrip()


def names_of(rows: Iterable[Row], most: int) -> dict[int, str]:
    """The rows' names by run; where two would read alike, the run's number stands behind them."""
    shown = list(rows)
    names = {row.run: fitted(row.name, most) for row in shown}
    alike = Counter(names.values())
    return {
        row.run: names[row.run]
        if alike[names[row.run]] == 1
        else f"{fitted(row.name, most - len(str(row.run)) - 2)} #{row.run}"
        for row in shown
    }


def _shown(label: str) -> Iterable[str]:
    marks = 0
    for c in label:
        marks = marks + 1 if unicodedata.combining(c) else 0
        if marks <= MARKS_IN_A_ROW:
            yield "\ufffd" if unicodedata.category(c) in _UNFIT else c


def cells_of(text: str) -> float:
    """How many small letters wide a name is."""
    return sum(map(_cells, text))


def _cells(c: str) -> float:
    """How many small letters wide a sign is."""
    if unicodedata.combining(c):
        return 0
    if unicodedata.east_asian_width(c) in "WF":
        return 2
    return 1.65 if c in BROAD else 1.15 if c.isupper() else 1


def cut(text: str, most: float) -> str:
    """The beginning of `text` that is at most so many small letters wide."""
    kept, used = "", 0.0
    for c in text:
        used += _cells(c)
        if used > most:
            break
        kept += c
    return kept
