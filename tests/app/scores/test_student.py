"""Student's t against SciPy 1.17 (scipy.stats.t), whose figures stand here."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scores.student import MOST_DEGREES, quantile, two_sided

QUANTILES = [
    (1, 0.8, 1.3763819204711738),
    (1, 0.975, 12.706204736174694),
    (2, 0.8, 1.0606601717798214),
    (2, 0.975, 4.302652729749462),
    (7, 0.8, 0.8960296443137653),
    (7, 0.975, 2.364624251592784),
    (40, 0.8, 0.8506997957904545),
    (40, 0.975, 2.021075390306273),
    (1000, 0.8, 0.8419808221624288),
    (1000, 0.975, 1.9623390808264083),
]
TAILS = [
    (1, 0.1, 0.936548965138893),
    (1, 5.0, 0.1256659163780024),
    (2, 2.0, 0.18350341907227397),
    (3, 2.0, 0.13932596855884305),
    (3, 5.0, 0.015392438073302294),
    (8, 5.0, 0.0010528257933665399),
    (27, 2.0, 0.05565242732803769),
    (27, 5.0, 3.045565443594607e-05),
    (1000, 2.0, 0.04577034649325166),
    (1000, 5.0, 6.767256364648635e-07),
]


@pytest.mark.parametrize(("degrees", "share", "expected"), QUANTILES)
def test_quantiles(degrees: int, share: float, expected: float) -> None:
    assert quantile(share, degrees) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("degrees", "t", "expected"), TAILS)
def test_tails(degrees: int, t: float, expected: float) -> None:
    assert two_sided(t, degrees) == pytest.approx(expected, rel=1e-8)
    assert two_sided(-t, degrees) == two_sided(t, degrees)


@given(st.integers(1, 200), st.floats(0.5, 0.999))
def test_a_quantile_has_its_share_below(degrees: int, share: float) -> None:
    assert 1 - two_sided(quantile(share, degrees), degrees) / 2 == pytest.approx(share, abs=1e-12)


def test_many_degrees_count_as_a_thousand() -> None:
    assert two_sided(1.7, 10**7) == two_sided(1.7, MOST_DEGREES)
    assert two_sided(0.0, 5) == 1.0
    assert two_sided(1e300, 5) == 0.0
