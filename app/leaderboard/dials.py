"""How scores change with what makes questions hard, such as the number of options. Public questions alone.

A question counts by the mean of its answers, and an answer that is none counts 0. Scores are shares of 1.
"""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from app.core.errors import NotFound
from app.leaderboard.amounts import read_amounts
from app.leaderboard.analyses import Outcome, read_outcomes_of
from app.leaderboard.models import Board
from app.leaderboard.offsets import Bin, bin_of, bins_of
from app.questions.versions import find_version
from app.scores.intervals import wilson_of
from app.scores.paper_rules import find_profile_for
from app.scores.profiles import Profile

DialName = Literal["options", "letters", "distance", "answers", "hops", "region", "nearness", "noise"]


class DialKind(NamedTuple):
    """What the amount of a dial is, and in which unit."""

    meaning: str
    unit: str


DIALS: Mapping[DialName, DialKind] = {
    "options": DialKind("options of a question", "options"),
    "letters": DialKind("letters of the prompt", "letters"),
    "distance": DialKind("metres to the right answer", "m"),
    "answers": DialKind("right objects of a question", "objects"),
    "hops": DialKind("calls of tools that lead to the answer", "calls"),
    "region": DialKind("radius of the circle that decides the answer, km", "km"),
    "nearness": DialKind("mean distance between the options, km", "km"),
    "noise": DialKind("lines of the context that the answer does not need", "lines"),
}
"""All dials: the last four are also ranges or amounts that `trigpoint generate` takes."""
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
    unit: str
    questions: int = Field(description="public questions that have the amount")
    runs: list[DialCurve]
    interval: str = INTERVAL


def read_dial(connection: Connection, board: Board, dial: DialName) -> Dial:
    """Curves of the board's runs that have a score. Raises NotFound as `read_curves`."""
    names = {row.run: row.name for row in board.rows if row.score is not None}
    profile = find_profile_for(board.benchmark, board.profile)
    return read_curves(connection, f"{board.dataset}@{board.version}", names, profile, dial)


def read_curves(
    connection: Connection, reference: str, names: Mapping[int, str], profile: Profile, dial: DialName
) -> Dial:
    """Curves of runs of a version, over up to four groups of about as many questions; `names` by run, in their order.

    Raises NotFound where fewer than two groups can be made: then nothing can be compared.
    """
    version = find_version(connection, reference)
    amounts = read_amounts(connection, version, dial)
    bins = bins_of(list(amounts.values())) if amounts else []
    if len(bins) < 2:
        raise NotFound(
            f"The public questions of {reference} do not differ enough in {DIALS[dial].meaning} ({len(amounts)} of "
            f"them have such a number). Other dials: {', '.join(one for one in DIALS if one != dial)}."
        )
    found = read_outcomes_of(connection, list(names), profile)
    runs = [
        DialCurve(run=run, name=names[run], points=_points(outcomes, amounts, bins))
        for run, outcomes in found.items()
    ]
    return Dial(
        dial=dial, meaning=DIALS[dial].meaning, unit=DIALS[dial].unit, questions=len(amounts), runs=runs
    )


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
