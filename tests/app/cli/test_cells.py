"""Cells of tables are words: nothing of Python, and one style of thousands."""

import pytest

from app.cli.cells import cell


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "–"),
        (True, "yes"),
        (False, "no"),
        (12345, "12,345"),
        (0, "0"),
        (0.25, "0.25"),
        ("complete", "complete"),
        ({"answered": 1200, "no_answer": 3, "error": 0}, "1,200 answered, 3 no answer"),
        ({"error": 0}, "–"),
        ([], "–"),
        (["a", 2000], "a, 2,000"),
    ],
)
def test_a_value_is_told_in_words(value: object, told: str) -> None:
    assert cell(value) == told
