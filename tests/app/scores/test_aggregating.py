"""Aggregates from marks: means by question, states by prediction, no mean over a gap."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scores.aggregating import STATES, Marked, Part, aggregate, scopes_of

PARTS = [Part("a", "T5", False), Part("b", "T5", False), Part("c", "T22", True)]
ONCE = dict.fromkeys("abc", 1)


def by_scope(marked: list[Marked], answers_each: int = 1) -> dict[str, tuple[float | None, dict[str, int]]]:
    owed = dict.fromkeys("abc", answers_each)
    return {row.scope: (row.score, dict(row.states)) for row in aggregate(PARTS, marked, owed)}


def test_scopes_are_all_and_each_template() -> None:
    assert {scope: len(parts) for scope, parts in scopes_of(PARTS).items()} == {
        "all": 3,
        "template:T22": 1,
        "template:T5": 2,
    }


def test_silence_counts_zero_and_apart() -> None:
    found = by_scope([Marked("a", "correct", 1.0), Marked("b", "no_answer", 0.0), Marked("c", "wrong", 0.5)])
    assert found["all"][0] == 0.5
    assert found["template:T5"][0] == 0.5
    assert found["all"][1] == {
        "correct": 1,
        "wrong": 1,
        "unparseable": 0,
        "no_answer": 1,
        "error": 0,
        "missing": 0,
    }


@pytest.mark.parametrize("last", [[], [Marked("c", "error", 0.0)]])
def test_an_error_or_a_gap_forbids_a_mean_where_it_is(last: list[Marked]) -> None:
    rows = {
        row.scope: row
        for row in aggregate(PARTS, [Marked("a", "correct", 1.0), Marked("b", "wrong", 0.0), *last], ONCE)
    }
    assert (rows["all"].score, rows["all"].low, rows["all"].high) == (None, None, None)
    assert rows["template:T22"].score is None
    assert rows["template:T5"].score == 0.5
    assert rows["all"].states["error"] + rows["all"].states["missing"] == 1
    assert rows["all"].states["correct"] == 1


def test_repeats_are_averaged_by_question() -> None:
    marked = [Marked(q, "correct", v) for q in "abc" for v in (1.0, 0.0, 1.0, 0.0)]
    rows = {row.scope: row for row in aggregate(PARTS, marked, dict.fromkeys("abc", 4))}
    assert rows["all"].n == 3
    assert rows["all"].score == 0.5
    assert rows["all"].states["correct"] == 12


def test_each_question_weighs_the_same_however_often_it_is_asked() -> None:
    marked = [
        Marked("a", "correct", 1.0),
        *(Marked("b", "wrong", 0.0) for _ in range(4)),
        Marked("c", "correct", 1.0),
    ]
    rows = {row.scope: row for row in aggregate(PARTS, marked, {"a": 1, "b": 4, "c": 1})}
    assert (rows["template:T5"].score, rows["template:T5"].n) == (0.5, 2)
    assert rows["all"].score == 2 / 3
    assert (rows["all"].states["wrong"], rows["all"].states["missing"]) == (4, 0)
    short = {row.scope: row for row in aggregate(PARTS, marked, {"a": 1, "b": 4, "c": 4})}
    assert (short["all"].score, short["all"].states["missing"]) == (None, 3)


def test_questions_about_one_place_are_worth_fewer() -> None:
    """Twelve questions about four places, each right or wrong throughout, are worth about four."""
    apart = [Part(f"q{i}", "T5", False) for i in range(12)]
    shared = [part._replace(place=f"n{i // 3}") for i, part in enumerate(apart)]
    marked = [Marked(f"q{i}", "correct", float(i < 6)) for i in range(12)]
    owed = {part.question_id: 1 for part in apart}
    (wide, *_), (narrow, *_) = aggregate(shared, marked, owed), aggregate(apart, marked, owed)
    assert None not in (wide.low, wide.high, narrow.low, narrow.high)
    assert (narrow.low, narrow.high) == pytest.approx((0.2538, 0.7462), abs=5e-5)
    assert (wide.low or 0) < 0.15
    assert (wide.high or 0) > 0.85


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(STATES[:5]), st.floats(0, 1)).map(
            lambda t: Marked(*t)
        ),
        max_size=12,
    ),
    st.randoms(use_true_random=False),
)
def test_any_order_of_answers_gives_the_same_bits(marked: list[Marked], random: object) -> None:
    shuffled = list(marked)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    twice = dict.fromkeys("abc", 2)
    assert aggregate(PARTS, marked, twice) == aggregate(PARTS, shuffled, twice)
