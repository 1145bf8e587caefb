"""What `count` and `area` share: the value falls from 1 to 0 as the relative error grows from 0 to 1.

Correct up to a relative error of 0.1, as in GS-QA (Table 13).
"""

from app.scores.reading.reading import Reading
from app.scores.score import Component, Outcome, Score, unparseable

CORRECT_UP_TO = 0.1


def score_relative(reading: Reading[float], truth: float, parsed_as: str) -> Score:
    """The score of a number read against a `truth` above 0; `parsed_as` is the number's name in `parsed`."""
    if reading.value is None:
        return unparseable(reading.reason or "", relative_error=1.0)
    if not truth > 0:
        raise ValueError(f"a relative error needs gold above 0, not {truth}")
    error = abs(reading.value - truth) / truth
    return Score(
        Outcome.CORRECT if error <= CORRECT_UP_TO else Outcome.WRONG,
        max(0.0, 1.0 - error),
        {"relative_error": Component(min(error, 1.0), 1.0, True)},
        {parsed_as: reading.value},
    )
