"""`angle`: an azimuth; 1 at no error, falling to 0 at 36°, twice what is correct.

Gold: {"azimuth"} in degrees, or {"objects", "tolerated"}, any of whose azimuths is right.
Correct up to 18°: GS-QA (Table 13) calls an angle error of at most 0.1 correct, of the circular error over 180°.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from app.scores.reading.angles import read_azimuth
from app.scores.registry import scorer
from app.scores.score import Component, Outcome, Score, unparseable
from app.scores.scorers._any_of import accepted_numbers

CORRECT_UP_TO = 18.0
ZERO_AT = 2 * CORRECT_UP_TO


@scorer("angle", version=4, graded=True)
def score_angle(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """How near the azimuth in `answer` lies to the nearest accepted one, the shorter way round."""
    reading = read_azimuth(answer)
    if reading.value is None:
        return unparseable(reading.reason or "", error_degrees=180.0)
    error = min(circular_error(reading.value, truth) for truth in accepted_numbers(gold, "azimuth"))
    return Score(
        Outcome.CORRECT if error <= CORRECT_UP_TO else Outcome.WRONG,
        max(0.0, 1.0 - error / ZERO_AT),
        {"error_degrees": Component(error, 180.0, True)},
        {"azimuth": reading.value},
    )


def circular_error(one: float, other: float) -> float:
    """Degrees between two azimuths, in [0, 180]."""
    apart = abs(one - other) % 360.0
    return min(apart, 360.0 - apart)
