"""A right refusal of a hidden question: its value counts, and no count tells that the question cannot be answered."""

from types import SimpleNamespace
from typing import Any

from app.scores.aggregating import ALL, Part, aggregate_scopes
from app.scores.scoring import mark_prediction

PARTS = [Part(f"q{number}", "T1", False, True) for number in range(20)] + [Part("public", "T1", False)]


def states(unanswerable: set[str]) -> dict[str, int]:
    """The board's counts where these questions cannot be answered; `q0` got no answer, all others a wrong one."""
    marks = []
    for number, part in enumerate(PARTS):
        silent = part.question_id in ("q0", "public")
        row: Any = SimpleNamespace(
            id=number, question_id=part.question_id, state="no_answer" if silent else "answered"
        )
        judged = {} if silent else {number: ("wrong", 0.0)}
        if silent and part.question_id in unanswerable:
            judged = {number: ("correct", 1.0)}
        marks.append(mark_prediction(row, judged, part))
    owed = {part.question_id: 1 for part in PARTS}
    (whole,) = aggregate_scopes(PARTS, {ALL: PARTS}, marks, owed)
    return dict(whole.states)


def test_counts_do_not_tell_that_a_hidden_question_cannot_be_answered() -> None:
    """Only `no_answer` is exact for hidden questions: it must be the same whatever their gold is."""
    assert states({"q0"})["no_answer"] == states(set())["no_answer"] == 2


def test_a_right_refusal_of_a_public_question_is_counted_as_right() -> None:
    assert states({"public"})["correct"] == states(set())["correct"] + 1
