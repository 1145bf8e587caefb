"""Cohen's kappa: a published example, its limits, and what must not change it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.reviews.agreement import agree
from app.reviews.marks import MARKS

tables = st.dictionaries(
    st.tuples(st.sampled_from(MARKS), st.sampled_from(MARKS)), st.integers(0, 50), min_size=1
).filter(lambda table: sum(table.values()) > 0)


def test_cohens_own_example() -> None:
    """Cohen 1960, table 1: two psychologists, three categories, proportions times 200; kappa is .492."""
    table = {
        ("natural", "natural"): 88,
        ("natural", "ambiguous"): 10,
        ("natural", "wrong"): 2,
        ("ambiguous", "natural"): 14,
        ("ambiguous", "ambiguous"): 40,
        ("ambiguous", "wrong"): 6,
        ("wrong", "natural"): 18,
        ("wrong", "ambiguous"): 10,
        ("wrong", "wrong"): 12,
    }
    found = agree(table)
    assert (found.questions, found.share) == (200, 0.70)
    assert found.kappa == pytest.approx(0.492, abs=0.0005)


@given(tables)
def test_kappa_by_its_definition_question_by_question(table: dict[tuple[str, str], int]) -> None:
    pairs = [pair for pair, count in table.items() for _ in range(count)]
    n = len(pairs)
    observed = sum(one == other for one, other in pairs) / n
    expected = sum(
        sum(one == mark for one, _ in pairs) * sum(other == mark for _, other in pairs) for mark in MARKS
    ) / (n * n)
    found = agree(table)
    assert found.share == pytest.approx(observed)
    if expected > 1 - 1e-12:
        assert found.kappa is None
    else:
        assert found.kappa == pytest.approx((observed - expected) / (1 - expected))
        assert -1 - 1e-12 <= found.kappa <= 1


@given(tables)
def test_neither_reviewer_comes_first(table: dict[tuple[str, str], int]) -> None:
    assert agree(table) == agree({(other, one): count for (one, other), count in table.items()})


def test_independent_marks_have_no_kappa_and_equal_ones_have_one() -> None:
    even = {(one, other): 4 for one in MARKS for other in MARKS}
    assert agree(even).kappa == 0
    assert agree({(mark, mark): 3 for mark in MARKS}).kappa == 1
    assert agree({("natural", "natural"): 7}) == (7, 1.0, None)


def test_nothing_in_common() -> None:
    with pytest.raises(ValueError, match="no question in common"):
        agree({("natural", "wrong"): 0})
