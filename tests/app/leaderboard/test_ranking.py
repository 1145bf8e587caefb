"""Which runs are shown, and in which order; over random histories."""

from hypothesis import given
from hypothesis import strategies as st

from app.leaderboard.models import Row
from app.leaderboard.ranking import Candidate, in_order, select_runs
from app.leaderboard.states import States


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


@given(rows)
def test_order_of_any_board(board: list[Row]) -> None:
    ordered = in_order(board)
    scores = [one.score for one in ordered if one.score is not None]
    assert scores == sorted(scores, reverse=True)
    assert [one.score is None for one in ordered] == sorted(one.score is None for one in ordered)


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
