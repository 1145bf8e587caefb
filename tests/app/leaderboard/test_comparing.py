"""Holm's adjustment and shared ranks: by hand, against brute force, over random boards."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.leaderboard.comparing import Compared, holm, ranks, typical

P = st.none() | st.sampled_from([0.0, 0.001, 0.01, 0.02, 0.05, 1.0]) | st.floats(0, 1)


def test_holm_by_hand() -> None:
    """Four tests: 0.01 x 4, 0.02 x 3, then never less than before."""
    assert holm({"a": 0.03, "b": 0.01, "c": 0.04, "d": 0.02}) == {
        "b": 0.04,
        "d": 0.06,
        "a": 0.06,
        "c": 0.06,
    }
    assert holm({"a": None, "b": 0.03}) == {"b": 0.06, "a": 1.0}
    assert holm({}) == {}


@given(st.dictionaries(st.integers(0, 20), P, max_size=10), st.floats(0.001, 0.2))
def test_holm_rejects_what_the_step_down_procedure_does(
    values: dict[int, float | None], level: float
) -> None:
    """Step down: while the smallest p is at most level / (tests left), it is rejected."""
    left = sorted((1.0 if p is None else p, key) for key, p in values.items())
    rejected = set()
    while left and len(left) * left[0][0] <= level:
        rejected.add(left.pop(0)[1])
    assert {key for key, p in holm(values).items() if p <= level} == rejected


@given(st.dictionaries(st.integers(0, 20), P, max_size=10), st.randoms(use_true_random=False))
def test_holm_is_the_same_from_any_order(values: dict[int, float | None], random: object) -> None:
    keys = list(values)
    random.shuffle(keys)  # type: ignore[attr-defined]
    adjusted = holm(values)
    assert holm({key: values[key] for key in keys}) == adjusted
    assert all(adjusted[key] >= (1.0 if p is None else p) for key, p in values.items())


def compared(scores: list[float], p: dict[tuple[int, int], float | None]) -> list[Compared]:
    """Runs 0, 1, … with these scores; p of 1 where nothing else is said."""
    return [
        Compared(one, other, scores[one] - scores[other], p.get((one, other), 1.0), 0.1 * other)
        for one, other in itertools.combinations(range(len(scores)), 2)
    ]


def test_tied_rows_share_a_rank() -> None:
    pairs = compared([0.9, 0.85, 0.5], {(0, 2): 0.001, (1, 2): 0.001})
    assert ranks([0, 1, 2], pairs) == {0: 1, 1: 1, 2: 3}
    assert ranks([0, 1, 2], compared([0.9, 0.8, 0.7], {})) == {0: 1, 1: 1, 2: 1}


def test_no_rank_falls_below_a_worse_row() -> None:
    """The first is surely better than the second, which it is compared with best, and not than the third."""
    pairs = compared([0.8, 0.7, 0.69], {(0, 1): 0.001, (0, 2): 0.4})
    assert ranks([0, 1, 2], pairs) == {0: 1, 1: 2, 2: 2}


def test_holm_decides() -> None:
    """0.03 alone is sure; among three pairs it is not."""
    assert ranks([0, 1], compared([0.8, 0.7], {(0, 1): 0.03})) == {0: 1, 1: 2}
    assert ranks([0, 1, 2], compared([0.8, 0.7, 0.7], {(0, 1): 0.03})) == {0: 1, 1: 1, 2: 1}


def test_a_pair_that_is_lacking_leaves_all_without_rank() -> None:
    pairs = compared([0.9, 0.5, 0.1], {})
    assert ranks([0, 1, 2], pairs[1:]) == {0: None, 1: None, 2: None}
    assert ranks([0, 1], pairs) == {0: 1, 1: 1}
    assert ranks([7], []) == {7: 1}
    assert ranks([], pairs) == {}


def test_the_typical_detectable_difference_is_of_the_rows_that_are_shown() -> None:
    pairs = compared([0.9, 0.5, 0.1], {})
    assert typical([0, 1, 2], pairs) == pytest.approx(0.2)
    assert typical([0, 1], pairs) == pytest.approx(0.1)
    assert typical([0], pairs) is None


BOARDS = st.lists(st.integers(0, 20).map(lambda n: n / 20), min_size=1, max_size=7).flatmap(
    lambda scores: st.tuples(
        st.just(sorted(scores, reverse=True)),
        st.fixed_dictionaries(dict.fromkeys(itertools.combinations(range(len(scores)), 2), P)),
    )
)


@given(BOARDS, st.randoms(use_true_random=False))
def test_ranks_of_any_board(
    board: tuple[list[float], dict[tuple[int, int], float | None]], random: object
) -> None:
    scores, p = board
    pairs = compared(scores, p)
    rows = list(range(len(scores)))
    found = ranks(rows, pairs)
    shown = [place for place in found.values() if place is not None]
    assert len(shown) == len(rows), "no nulls"
    assert shown == sorted(shown)
    assert shown[0] == 1
    adjusted = holm(p)
    for row in rows:
        better = [
            above
            for above in rows
            if above < row and adjusted[above, row] <= 0.05 and scores[above] > scores[row]
        ]
        assert 1 + len(better) <= shown[row] <= row + 1
        if all(not (adjusted[above, low] <= 0.05) for low in rows[: row + 1] for above in rows[:low]):
            assert shown[row] == 1, "tied with all above"
    random.shuffle(pairs)  # type: ignore[attr-defined]
    assert ranks(rows, pairs) == found
