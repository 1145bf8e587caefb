"""The half-life of gold: one pair of maps by hand, several by simulation, what is not known."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.published.half_life import Exposure, estimate

exposures = st.lists(
    st.builds(Exposure, st.floats(0.5, 4000), st.integers(0, 400), st.integers(0, 400)),
    min_size=1,
    max_size=5,
)


def test_one_pair_of_maps_by_hand() -> None:
    found = estimate([Exposure(365.0, 50, 50)])
    assert found is not None
    assert found.days == pytest.approx(365.0), "half of it stood for a year"
    deviation = math.sqrt(100 * 0.5 * 0.5) / (100 * 0.5 * math.log(2))
    assert found.low == pytest.approx(365.0 / math.exp(1.96 * deviation))
    quarter = estimate([Exposure(100.0, 25, 75)])
    assert quarter is not None
    assert quarter.days == pytest.approx(50.0)


def test_steps_of_one_rate_agree_with_that_rate() -> None:
    """Of 8,000 with a half-life of 100 days, as many stand as must, after 10, 50 and 200 days."""
    steps = [
        Exposure(days, round(8000 * 0.5 ** (days / 100)), 8000 - round(8000 * 0.5 ** (days / 100)))
        for days in (10.0, 50.0, 200.0)
    ]
    found = estimate(steps)
    assert found is not None
    assert found.days == pytest.approx(100.0, rel=1e-3)
    assert found.low < 100 < found.high
    assert found.high / found.low < 1.06


@pytest.mark.parametrize(
    "seen",
    [
        [],
        [Exposure(365.0, 100, 4)],
        [Exposure(365.0, 0, 100)],
        [Exposure(0.0, 50, 50)],
        [Exposure(-9.0, 50, 50)],
    ],
    ids=["nothing", "too few", "none kept", "no time", "back in time"],
)
def test_not_known(seen: list[Exposure]) -> None:
    assert estimate(seen) is None


@given(exposures)
def test_whatever_was_seen(seen: list[Exposure]) -> None:
    found = estimate(seen)
    assume(found is not None)
    assert found is not None
    assert 0 < found.low < found.days < found.high < math.inf
    longer = estimate([one._replace(days=2 * one.days) for one in seen])
    assert longer is not None
    assert longer.days == pytest.approx(2 * found.days, rel=1e-6), "the unit of time does not matter"
