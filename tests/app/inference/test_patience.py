"""How long an answer is waited for, by what the endpoint has shown so far."""

from app.inference.patience import Patience


def test_before_the_first_answer_every_timeout_makes_all_calls_wait_longer() -> None:
    """A slow model whose first answers come late is not given up on call by call."""
    patience = Patience(60.0)
    assert patience.seconds(0) == 60.0
    patience.note_timeout()
    assert patience.seconds(0) == 120.0
    patience.note_timeout()
    patience.note_timeout()
    assert patience.seconds(0) == 240.0, "at most four times, for it may be dead"


def test_after_an_answer_latencies_decide_and_a_timeout_counts_for_its_call_alone() -> None:
    patience = Patience(60.0)
    patience.note_timeout()
    patience.note(20.0)
    assert (patience.seconds(0), patience.seconds(1)) == (80.0, 120.0)
    patience.note_timeout()
    assert patience.seconds(0) == 80.0
    patience.note(100.0)
    assert patience.seconds(0) == 400.0
    assert patience.seconds(9) == 600.0


def test_a_fixed_patience_stays() -> None:
    patience = Patience(30.0, is_fixed=True)
    patience.note_timeout()
    patience.note(100.0)
    assert patience.seconds(3) == 30.0
