"""What counts, areas, distances, lengths and numbers of facts share: the value falls from 1 to 0 at an error of 0.2.

Correct up to a relative error of 0.1, as in GS-QA (Table 13). Zero lies at twice that, so that a wide guess is worth on
average what it is right: a longer slope would lift guessing above a solver that is right more often.
"""

from app.scores.reading.reading import Reading
from app.scores.score import Component, Outcome, Score, unparseable

CORRECT_UP_TO = 0.1
ZERO_AT = 2 * CORRECT_UP_TO


def score_relative(reading: Reading[float], truth: float, parsed_as: str) -> Score:
    """The score of a number read against a `truth` above 0; `parsed_as` is the number's name in `parsed`."""
    if reading.value is None:
        return unparseable(reading.reason or "", relative_error=1.0)
    if not truth > 0:
        raise ValueError(f"a relative error needs gold above 0, not {truth}")
    error = abs(reading.value - truth) / truth
    return Score(
        Outcome.CORRECT if error <= CORRECT_UP_TO else Outcome.WRONG,
        max(0.0, 1.0 - error / ZERO_AT),
        {"relative_error": Component(min(error, 1.0), 1.0, True)},
        {parsed_as: reading.value},
    )
