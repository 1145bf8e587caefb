"""Strata: variances, degrees of freedom and collapsed templates, against sums and matrices written out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scores.strata import Strata, make_strata


def strata(templates: list[int], places: list[int]) -> Strata:
    return make_strata(np.array(templates), np.array(places))


LAYOUTS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 6), st.floats(-1, 1)), min_size=2, max_size=30)


def by_hand(groups: list[object], places: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """The vectors whose products with the values are the places' sums, one a row; and which questions are of one cell."""
    n = len(groups)
    mean = np.array([[1 / groups.count(b) if a == b else 0.0 for b in groups] for a in groups])
    rows = []
    for place in sorted(set(places)):
        row = np.zeros(n)
        for i in range(n):
            here = sum(groups[j] == groups[i] and places[j] == place for j in range(n))
            if places[i] == place:
                row[i] = 1 / np.sqrt(1 - here / groups.count(groups[i]))
        rows.append((np.eye(n) - mean) @ row)
    cells = list(zip(groups, places))
    return np.array(rows), np.array([[float(a == b) for b in cells] for a in cells])


def freedom(matrix: np.ndarray) -> float:
    return float(np.trace(matrix) ** 2 / np.trace(matrix @ matrix))


@given(LAYOUTS)
def test_variance_and_degrees_equal_matrices_written_out(layout: list[tuple[int, int, float]]) -> None:
    templates, places, values = (list(column) for column in zip(*layout))
    if any(len({p for t, p in zip(templates, places) if t == one}) < 2 for one in set(templates)):
        return  # of templates with a single place below
    rows, alike = by_hand(list(templates), places)
    found = strata(templates, places)
    assert found.spread(np.array(values)).by_place == pytest.approx(
        float(np.sum((rows @ np.array(values)) ** 2)), abs=1e-9
    )
    assert found.degrees == int(min(freedom(rows @ rows.T), freedom(rows @ alike @ rows.T)) + 1e-9)


def test_two_templates_worked_by_hand() -> None:
    """Template 0: places a, a, b with 1, 0, 0; template 1: places a, c with 1, 0."""
    found = strata([0, 0, 0, 1, 1], [0, 0, 1, 0, 2])
    spread = found.spread(np.array([1.0, 0.0, 0.0, 1.0, 0.0]))
    # Residuals 2/3, -1/3, -1/3 and 1/2, -1/2. Place a: (1/3) / sqrt(1 - 2/3) + (1/2) / sqrt(1/2).
    a, b, c = (1 / 3) / np.sqrt(1 / 3) + 0.5 / np.sqrt(0.5), (-1 / 3) / np.sqrt(2 / 3), -0.5 / np.sqrt(0.5)
    assert spread.by_place == pytest.approx(a * a + b * b + c * c)
    assert spread.by_question == pytest.approx((4 + 1 + 1) / 9 * 3 / 2 + 0.5 * 2)
    assert (found.template_count, found.place_count, found.usual_size) == (2, 3, pytest.approx(11 / 5))


def test_questions_of_their_own_have_the_variance_of_statistics_books() -> None:
    values = np.array([1, 1, 0, 1, 0.5, 0, 1.0])
    found = strata([0] * 7, list(range(7)))
    assert found.spread(values).by_place == pytest.approx(7 * np.var(values, ddof=1))
    assert found.degrees == 6
    assert found.is_simple


def test_templates_with_a_single_place_are_taken_together() -> None:
    values = np.array([1.0, 0.0, 1.0, 0.0, 1.0])
    apart = strata([0, 1, 2, 3, 4], [0, 1, 2, 3, 4])
    assert apart.spread(values) == strata([0] * 5, [0, 1, 2, 3, 4]).spread(values)
    # Template 2 has place 2 alone, and goes with the smaller of the others.
    one = strata([0, 0, 0, 1, 1, 2], [0, 1, 2, 0, 1, 2])
    joined = strata([0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2])
    values = np.array([1.0, 0.0, 1.0, 0.0, 1.0, 1.0])
    assert one.spread(values) == joined.spread(values)
    assert one.degrees == joined.degrees
    assert one.template_count == 3, "what is told is not collapsed"


def test_one_place_tells_nothing() -> None:
    assert strata([0, 0, 1], [4, 4, 4]).degrees == 0


def test_how_many_questions_are_alike() -> None:
    """Ten places of five questions: each right or wrong throughout, of no pattern, or all right."""
    found = strata([0] * 50, [i // 5 for i in range(50)])
    together = np.array([float(i // 5 % 2) for i in range(50)])
    mixed = np.array([float(i * 7 % 5 < 2) for i in range(50)])
    assert found.questions_alike(found.spread(together)) == pytest.approx(5, abs=0.3)
    assert found.questions_alike(found.spread(mixed)) == 1
    supposed = found.questions_alike(found.spread(np.ones(50)))
    assert supposed == pytest.approx(1 + 4 * 0.3), "what is equal does not show it"
