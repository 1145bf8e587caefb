"""Numbers and names as people read them."""

from datetime import UTC, datetime

import pytest

from app.leaderboard import formatting
from app.leaderboard.states import States
from tests.app.leaderboard.test_ranking import row


@pytest.mark.parametrize(
    ("share", "shown"), [(None, "–"), (0.0, "0.0"), (1.0, "100.0"), (0.12345, "12.3"), (0.9999, "100.0")]
)
def test_percent(share: float | None, shown: str) -> None:
    assert formatting.percent(share) == shown


def test_interval_and_rank_of_a_row_without_a_score() -> None:
    assert (formatting.interval(row("a", None)), formatting.rank(row("a", None))) == ("–", "–")
    assert formatting.interval(row("a", 0.5)) == "45.0–55.0"


def test_counts_have_thin_groups() -> None:
    assert formatting.count(1234567) == "1\u202f234\u202f567"


def test_names_control_no_terminal() -> None:
    shown = formatting.name(row("a\x1b[31mred\u202eder", None))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert formatting.name(row("", None)) == "–"


@pytest.mark.parametrize(
    ("read", "unread", "warned"),
    [(98, 2, False), (97, 3, True), (979, 21, True), (0, 0, False), (0, 1, True)],
)
def test_a_warning_where_fewer_than_98_per_cent_could_be_read(read: int, unread: int, warned: bool) -> None:
    states = States(wrong=read, unparseable=unread, no_answer=5)
    told = formatting.reading("toy", states)
    assert bool(told) == warned
    if warned:
        assert f"only {read} of {formatting.count(read + unread)} answers" in told[0]


def test_days() -> None:
    assert formatting.day(datetime(2022, 7, 24, tzinfo=UTC)) == "24 July 2022"
    assert formatting.day(None) == "unknown date"
