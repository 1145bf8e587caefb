"""How far off answers are, against the true distance: medians and quartiles by how far away the right answer is.

Reads gold, predictions and scores of public questions as the api role; errors are what the scorers stored of them.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row

from app.core.identity import canonical_json
from app.leaderboard import queries_offsets
from app.leaderboard.models import Board
from app.questions.versions import find_version
from app.scores.profiles import default_profile

COMPONENTS: Mapping[str, str] = MappingProxyType(
    {"distance": "relative_error", "angle": "error_degrees", "location": "error_metres"}
)
"""The scorers whose error has a size, and what the component is called that holds it."""
MOST_BINS = 4
LEAST_IN_A_BIN = 5


class Bin(NamedTuple):
    """Questions whose right answer is about as far away: metres from the reference point, the middle by median."""

    nearest: float
    middle: float
    farthest: float
    questions: int


class Spread(NamedTuple):
    """The errors of a run's answers in a bin: `n` answers that could be read, their median and quartiles."""

    n: int
    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Panel:
    """A scorer's answers: `runs` gives of each run a spread a bin, None where it has no answer that could be read."""

    scorer: str
    bins: list[Bin]
    runs: dict[int, list[Spread | None]]


def read_offsets(connection: Connection, board: Board) -> list[Panel]:
    """A panel a scorer that the version has answers of; of the board's runs that have a score."""
    version = find_version(connection, f"{board.dataset}@{board.version}")
    runs = [row.run for row in board.rows if row.score is not None]
    rows = connection.execute(
        queries_offsets.OFFSETS,
        {
            "version_id": version.id,
            "runs": runs,
            **default_profile().scorer_binds(),
            "components": canonical_json(dict(COMPONENTS)),
        },
    ).all()
    by_scorer: dict[str, list[Row[Any]]] = defaultdict(list)
    for row in rows:
        by_scorer[row.scorer].append(row)
    return [_panel(scorer, by_scorer[scorer], runs) for scorer in COMPONENTS if by_scorer[scorer]]


def _panel(scorer: str, rows: Sequence[Row[Any]], runs: Sequence[int]) -> Panel:
    bins = bins_of(list({row.question: row.metres for row in rows}.values()))
    errors: dict[tuple[int, int], list[float]] = defaultdict(list)
    for row in rows:
        if row.attempted:
            errors[row.run, bin_of(bins, row.metres)].append(row.error)
    return Panel(
        scorer,
        bins,
        {run: [spread_of(errors[run, place]) for place in range(len(bins))] for run in runs},
    )


def bins_of(metres: Sequence[float]) -> list[Bin]:
    """Up to four bins of about as many questions; fewer where there are few. Equal distances are never parted."""
    count = max(1, min(MOST_BINS, len(metres) // LEAST_IN_A_BIN))
    cuts = sorted(set(quantiles(metres, n=count, method="inclusive"))) if count > 1 else []
    parts: dict[int, list[float]] = defaultdict(list)
    for one in metres:
        parts[bisect_left(cuts, one)].append(one)
    return [Bin(min(part), median(part), max(part), len(part)) for _, part in sorted(parts.items())]


def spread_of(errors: Sequence[float]) -> Spread | None:
    """Median and quartiles; None of nothing."""
    if not errors:
        return None
    if len(errors) == 1:
        return Spread(1, errors[0], errors[0], errors[0])
    low, middle, high = quantiles(errors, n=4, method="inclusive")
    return Spread(len(errors), middle, low, high)


def bin_of(bins: Sequence[Bin], metres: float) -> int:
    """The place of the bin that holds it."""
    return bisect_right([one.nearest for one in bins], metres) - 1
