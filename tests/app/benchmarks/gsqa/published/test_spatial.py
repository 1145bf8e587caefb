"""Spatial errors as published."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.benchmarks.gsqa.published.spatial import angle_error, distance_error, relative_error
from app.scores.paper_rules import Point

VADUZ, BERN, SYDNEY = Point(9.5209, 47.1410), Point(7.4474, 46.9480), Point(151.2, -33.87)


@pytest.mark.parametrize(
    ("predicted", "gold", "error"),
    [
        ([0], [0.0], 0.0),
        ([350], [10.0], 20 / 180),
        ([180], [0.0], 1.0),
        ([90, 200], [10.0, 195.0], 5 / 180),
        ([360], [0.0], 0.0),
        ([], [10.0], 1.0),
    ],
)
def test_angles(predicted: list[int], gold: list[float], error: float) -> None:
    assert angle_error(predicted, gold) == pytest.approx(error)


@given(st.integers(0, 360), st.floats(0, 360))
def test_an_angle_error_is_a_share(predicted: int, gold: float) -> None:
    assert 0 <= angle_error([predicted], [gold]) <= 1


@pytest.mark.parametrize(
    ("predicted", "gold", "error"),
    [
        ([50], [100.0], 0.5),
        ([400], [100.0], 3.0),
        ([1, 90], [100.0, 10.0], 0.1),
        ([0], [0.0], 0.0),
        ([5], [0.0], 1.0),
        ([], [100.0], 1.0),
    ],
)
def test_relative_errors_are_not_capped(predicted: list[int], gold: list[float], error: float) -> None:
    assert relative_error(predicted, gold) == pytest.approx(error)


def test_distances_are_shares_of_500_kilometres() -> None:
    assert distance_error([VADUZ], [VADUZ]) == 0.0
    assert distance_error([BERN], [VADUZ]) == pytest.approx(159.2 / 500, abs=0.002)
    assert distance_error([SYDNEY], [VADUZ]) == 1.0
    assert distance_error([SYDNEY, BERN], [VADUZ, BERN]) == 0.0
    assert distance_error([], [VADUZ]) is None
