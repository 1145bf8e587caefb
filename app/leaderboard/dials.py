"""How scores change with what makes questions hard, such as the number of options. Public questions alone.

A question counts by the mean of its answers, and an answer that is none counts 0. Scores are shares of 1.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from app.core.errors import NotFound
from app.leaderboard import queries_dials as queries
from app.leaderboard.analyses import Outcome, read_outcomes
from app.leaderboard.models import Board
from app.leaderboard.offsets import Bin, bin_of, bins_of
from app.questions.versions import find_version
from app.scores.intervals import wilson_of

DialName = Literal["options", "letters", "distance", "answers"]
MEANINGS: Mapping[DialName, str] = {
    "options": "options of a question",
    "letters": "letters of the prompt",
    "distance": "metres to the right answer",
    "answers": "right objects of a question",
}
"""What the amount of a dial is."""
INTERVAL = "wilson 95"


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class DialPoint(_Model):
    """The score of a run on the questions with about the same amount."""

    least: float
    middle: float = Field(description="median of the amounts")
    most: float
    n: int = Field(description="questions that the run answered")
    score: float
    low: float
    high: float


class DialCurve(_Model):
    """A run's scores by amount; groups without a question of the run are left out."""

    run: int
    name: str
    points: list[DialPoint]


class Dial(_Model):
    """The scores of runs by one dial."""

    dial: str
    meaning: str
    questions: int = Field(description="public questions that have the amount")
    runs: list[DialCurve]
    interval: str = INTERVAL


def read_dial(connection: Connection, board: Board, dial: DialName) -> Dial:
    """Curves of the board's runs that have a score, over up to four groups of about as many questions.

    Raises NotFound where fewer than two groups can be made: then nothing can be compared.
    """
    reference = f"{board.dataset}@{board.version}"
    version = find_version(connection, reference)
    rows = connection.execute(queries.DIALS, {"version_id": version.id, "dial": dial})
    amounts = {row.question: row.amount for row in rows if row.amount is not None}
    bins = bins_of(list(amounts.values())) if amounts else []
    if len(bins) < 2:
        raise NotFound(
            f"The public questions of {reference} do not differ enough in {MEANINGS[dial]} ({len(amounts)} of them "
            f"have such a number). Other dials: {', '.join(one for one in MEANINGS if one != dial)}."
        )
    names = {row.run: row.name for row in board.rows}
    found = read_outcomes(connection, board)
    runs = [
        DialCurve(run=run, name=names[run], points=_points(outcomes, amounts, bins))
        for run, outcomes in found.items()
    ]
    return Dial(dial=dial, meaning=MEANINGS[dial], questions=len(amounts), runs=runs)


def _points(
    outcomes: Sequence[Outcome], amounts: Mapping[str, float], bins: Sequence[Bin]
) -> list[DialPoint]:
    values: dict[int, list[float]] = defaultdict(list)
    for one in outcomes:
        if one.question in amounts:
            values[bin_of(bins, amounts[one.question])].append(one.value)
    return [_point(bins[place], values[place]) for place in sorted(values)]


def _point(one: Bin, values: Sequence[float]) -> DialPoint:
    score = math.fsum(values) / len(values)
    low, high = wilson_of(score, len(values))
    return DialPoint(
        least=one.nearest,
        middle=one.middle,
        most=one.farthest,
        n=len(values),
        score=score,
        low=low,
        high=high,
    )
