"""Opening hours as contexts print them, and names that are none."""

import pytest

from app.benchmarks.urban_reasoning.contexts.reading_offers import is_open
from app.benchmarks.urban_reasoning.odd_names import is_odd_name
from app.benchmarks.urban_reasoning.printed_hours import print_hours
from app.questions.derivations.hours import read_week


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ("Mo-Fr 08:00-12:00,13:30-18:00; Sa 09:00-12:00", "Mo-Fr 08:00-12:00,13:30-18:00; Sa 09:00-12:00"),
        # What is said last of a day counts.
        ("Mo-Su 10:00-22:00; We 10:00-14:00", "Mo-Tu 10:00-22:00; We 10:00-14:00; Th-Su 10:00-22:00"),
        ("Mo 11:00-15:00, 09:00-12:00", "Mo 09:00-15:00"),
        ("Fr-Mo 18:00-24:00", "Mo 18:00-24:00; Fr-Su 18:00-24:00"),
        ("Tu 09:00-10:00; Th 09:00-10:00", "Tu 09:00-10:00; Th 09:00-10:00"),
    ],
)
def test_each_day_is_told_once_and_means_the_same(said: str, printed: str) -> None:
    week = read_week(said)
    assert week is not None
    assert print_hours(week) == printed
    assert read_week(printed) is not None
    for day in range(16, 23):
        for hour in range(24):
            moment = f"2024-09-{day}T{hour:02d}:30"
            assert is_open(printed, moment) == any(
                start <= 60 * hour + 30 < end for start, end in week.spans[day - 16]
            )


@pytest.mark.parametrize(
    "name", [".", "7", "A", "CLOSED 7/27/2014", "Bar; Grill", "Closed", "Müller 3.4.2019"]
)
def test_marks_dates_and_lists_are_no_names(name: str) -> None:
    assert is_odd_name(name)


@pytest.mark.parametrize("name", ["Balu", "Co.", "Café 24/7", "上海", "No. 1 & 2", "Enclosed Garden"])
def test_names_with_dots_and_numbers_are_names(name: str) -> None:
    assert not is_odd_name(name)
