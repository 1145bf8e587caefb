"""What people are told of a run's tokens: a warning where answers were cut off, and nothing where none was."""

import pytest

from app.cli.spending import cut_off
from app.predictions.costs import Cost


@pytest.mark.parametrize(("truncated", "warnings"), [(0, 0), (1, 1), (40, 1)])
def test_answers_that_were_cut_off_are_warned_of(truncated: int, warnings: int) -> None:
    told = cut_off(Cost(None, 0, 0, 0, truncated, None), 40)
    assert len(told) == warnings
    assert all(f": {truncated} of 40 answers." in one and "--max-tokens" in one for one in told)
