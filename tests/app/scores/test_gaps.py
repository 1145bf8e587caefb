"""The gap between known and fresh questions: pairs, weights of templates, intervals, and where nothing can be told."""

import pytest

from app.scores.gaps import Valued, paired_gap, separate_gap


def asked(values: str, template: str = "T1", places: int = 100) -> list[Valued]:
    """A question for each digit, 1 or 0; places come round again after so many."""
    return [Valued(float(value), f"n{i % places}", template) for i, value in enumerate(values)]


def test_a_gap_by_hand() -> None:
    known, fresh = asked("1" * 30 + "0" * 10), asked("1" * 20 + "0" * 20)
    found = paired_gap(list(zip(known, fresh, strict=True)))
    assert (found.n, found.known, found.fresh, found.gap, found.places) == (40, 0.75, 0.5, 0.25, 40)
    assert found.low is not None
    assert found.high is not None
    # Ten of 40 pairs differ: the standard error is sqrt(0.25 * 0.75 / 40) = 0.068.
    assert found.low == pytest.approx(0.25 - 1.96 * 0.068, abs=0.03)
    assert found.high == pytest.approx(0.25 + 1.96 * 0.068, abs=0.03)
    assert paired_gap(list(zip(known, fresh, strict=True))) == found


def test_questions_about_one_place_widen_the_interval() -> None:
    values = ("10" * 20, "01" * 5 + "00" * 15)
    apart = paired_gap(list(zip(*(asked(one) for one in values), strict=True)))
    together = paired_gap(list(zip(*(asked(one, places=8) for one in values), strict=True)))
    assert together.gap == apart.gap
    assert (together.high or 0) - (together.low or 0) > (apart.high or 0) - (apart.low or 0)


@pytest.mark.parametrize(
    ("known", "fresh", "holds_zero"), [("1", "1", True), ("0", "0", True), ("1", "0", False)]
)
def test_where_all_pairs_are_alike_the_interval_still_has_a_width(
    known: str, fresh: str, holds_zero: bool
) -> None:
    found = paired_gap(list(zip(asked(known * 40), asked(fresh * 40), strict=True)))
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.low > 0.05
    assert (found.low <= 0) == holds_zero


def test_few_places_test_nothing() -> None:
    found = paired_gap(list(zip(asked("1" * 40, places=5), asked("0" * 40), strict=True)))
    assert (found.gap, found.low, found.high, found.places) == (1, None, None, 5)


def test_without_pairs_each_template_counts_as_among_the_known() -> None:
    # T1 is three quarters of the known questions and a quarter of the fresh ones; T3 is asked on one side only.
    known = [*asked("1" * 30, "T1"), *asked("0" * 10, "T2"), *asked("1" * 9, "T3")]
    fresh = [*asked("1" * 10, "T1"), *asked("0" * 30, "T2")]
    found = separate_gap(known, fresh)
    assert found is not None
    assert (found.n, found.known) == (40, 0.75)
    assert (found.fresh, found.gap) == pytest.approx((0.75, 0))
    assert separate_gap(known, asked("1", "T4")) is None
