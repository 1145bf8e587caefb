"""Which runs are shown, and shared ranks; over random histories."""

from hypothesis import given
from hypothesis import strategies as st

from app.leaderboard.models import Row, States
from app.leaderboard.ranking import Candidate, in_order, rank, select_runs


def row(name: str, score: float | None, half: float = 0.05, run: int = 1) -> Row:
    low, high = (None, None) if score is None else (max(0.0, score - half), min(1.0, score + half))
    return Row(
        rank=None,
        name=name,
        solver="direct",
        run=run,
        status="complete",
        score=score,
        low=low,
        high=high,
        n=9,
        states=States(),
    )


rows = st.lists(
    st.builds(
        row,
        st.sampled_from("abcdef"),
        st.none() | st.floats(0, 1),
        st.floats(0, 0.4),
        st.integers(1, 99),
    ),
    max_size=12,
)


def test_rows_that_cannot_be_told_apart_share_a_rank() -> None:
    board = [row("a", 0.9), row("b", 0.85), row("c", 0.7), row("d", 0.65), row("e", 0.1)]
    assert [rank(one, board) for one in board] == [1, 1, 3, 3, 5]


def test_a_row_whose_interval_reaches_above_shares_the_rank() -> None:
    board = [row("sure", 0.65, 0.02), row("narrow", 0.60, 0.02), row("wide", 0.55, 0.15)]
    assert [rank(one, board) for one in board] == [1, 2, 1]


@given(rows)
def test_order_and_ranks_of_any_board(board: list[Row]) -> None:
    ordered = in_order(board)
    scores = [one.score for one in ordered if one.score is not None]
    assert scores == sorted(scores, reverse=True)
    assert [one.score is None for one in ordered] == sorted(one.score is None for one in ordered)
    for one in ordered:
        place = rank(one, ordered)
        assert (place is None) == (one.score is None)
        if one.low is not None and one.high is not None:
            better = [other for other in ordered if other.low is not None and other.low > one.high]
            assert place == 1 + len(better)
            assert all(other.score > one.score for other in better)
    if scores:
        assert rank(ordered[0], ordered) == 1


candidates = st.lists(
    st.builds(
        Candidate,
        st.integers(1, 50),
        st.sampled_from("ab"),
        st.sampled_from(["direct", "random"]),
        st.booleans(),
    ),
    unique_by=lambda candidate: candidate.run,
    max_size=20,
)


@given(candidates, st.randoms(use_true_random=False))
def test_one_complete_row_a_label_from_any_order(runs: list[Candidate], random: object) -> None:
    shown = select_runs(runs)
    random.shuffle(runs)  # type: ignore[attr-defined]
    assert select_runs(runs) == shown
    complete = [(one.label, one.solver) for one in shown if one.complete]
    assert sorted(complete) == sorted({(one.label, one.solver) for one in runs if one.complete})
    for one in shown:
        same = [
            other
            for other in runs
            if (other.label, other.solver, other.complete) == (one.label, one.solver, one.complete)
        ]
        assert one.run == max(other.run for other in same)


def test_an_old_failure_gives_way_and_a_new_one_shows() -> None:
    old = Candidate(1, "m", "direct", False)
    whole = Candidate(2, "m", "direct", True)
    new = Candidate(3, "m", "direct", False)
    assert select_runs([old]) == [old]
    assert select_runs([old, whole]) == [whole]
    assert select_runs([old, whole, new]) == [whole, new]
