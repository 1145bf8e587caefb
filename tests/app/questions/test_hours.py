"""Opening hours of the questions, read by both paths alike; answers by hand."""

import pytest

from app.questions.derivations.hours import DAYS, minutes_to_change, read_week, time_of
from app.questions.second_path.answering import Refused
from app.questions.second_path.hours import times_of

LUNCH = "Mo-Fr 08:00-12:00,13:30-18:00; Sa 09:00-12:00"


@pytest.mark.parametrize(
    ("said", "moment", "is_open"),
    [
        (LUNCH, "2024-09-17T07:15", False),
        (LUNCH, "2024-09-17T08:00", True),
        (LUNCH, "2024-09-17T12:00", False),
        (LUNCH, "2024-09-18T12:45", False),
        (LUNCH, "2024-09-19T17:59", True),
        (LUNCH, "2024-09-21T11:00", True),
        (LUNCH, "2024-09-22T11:00", False),
        ("Mo-Fr 08:00-23:00; We 10:00-11:00", "2024-09-18T12:45", False),
        ("Sa-Tu 10:00-24:00", "2024-09-22T22:15", True),
        ("Sa-Tu 10:00-24:00", "2024-09-18T12:45", False),
        ("Mo,We-Th 07:00-08:00", "2024-09-19T07:15", True),
    ],
)
def test_a_time_is_open_or_closed(said: str, moment: str, is_open: bool) -> None:
    week, time = read_week(said), time_of(moment)
    assert week is not None
    assert week.is_open(time) is is_open
    spans = times_of(said).get(DAYS[time.day], [])
    assert any(start <= time.minute < end for start, end in spans) is is_open


def test_the_next_change_is_on_the_same_day() -> None:
    week = read_week(LUNCH)
    assert week is not None
    assert minutes_to_change(week, time_of("2024-09-17T12:05")) == 5
    assert minutes_to_change(week, time_of("2024-09-17T07:15")) == 45
    assert minutes_to_change(week, time_of("2024-09-22T12:00")) > 24 * 60


@pytest.mark.parametrize("said", ["Fr 18:00-02:00", "Mo 10:00-10:00", "Mo 10:00-25:00"])
def test_a_time_that_ends_before_it_begins_is_not_read(said: str) -> None:
    assert read_week(said) is None
    with pytest.raises(Refused):
        times_of(said)
