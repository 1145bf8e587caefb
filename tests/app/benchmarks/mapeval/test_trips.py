"""Trips of mapeval on times that are counted by hand: gold, refusals, and answers from what is printed."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from app.benchmarks.mapeval.contexts.blocks import BY_MODE, travel_line
from app.benchmarks.mapeval.distractors.trips import NearVisits
from app.questions.alike import COMMON
from app.questions.contexts import CONTEXT, Shown, context_fault
from app.questions.derivations import derive
from app.questions.derivations.base import Case, Derived
from tests.app.benchmarks.mapeval.test_turns import question, sources_of
from tests.support.town import benchmarks

NAMES = ("Krone", "Linde", "Sonne", "Post", "Adler", "Rathaus")
MINUTES = (
    (0, 10, 20, 30, 14, 9),
    (12, 0, 8, 25, 31, 16),
    (22, 9, 0, 12, 18, 27),
    (33, 26, 15, 0, 11, 13),
    (15, 30, 19, 10, 0, 21),
    (8, 17, 28, 12, 20, 0),
)
"""From each place (a row) to each place."""
WEEKDAYS, SUNDAY = "Mo-Fr 09:00-12:00, 13:00-18:00", "Su 10:00-16:00"
TUESDAY = "2024-09-17T11:05"


def rows_of(count: int, hours: Sequence[str] = (), seconds: float = 7.0) -> list[dict[str, Any]]:
    """The first places, with times of so many seconds more than the minutes."""
    return [
        {
            "osm_key": f"n{number}",
            "name": NAMES[number],
            "seconds": [60 * one + seconds if one else 0.0 for one in MINUTES[number][:count]],
            "opening_hours": hours[number] if hours else None,
        }
        for number in range(count)
    ]


def ask(template: str, rows: Sequence[Mapping[str, Any]], **binds: Any) -> Derived:
    """What the template derives, with the bounds of its header."""
    found = benchmarks()["mapeval"].templates[template]
    case = Case(rows, {"mode": "car", **binds}, found.header.margins, found.header.limits)
    return derive("mapeval", found.header.derive, case)


def text_of(made: Derived) -> str:
    assert made.refusal is None
    return str(made.gold["text"])


def test_ways_and_stays_are_added() -> None:
    four = rows_of(4)
    assert text_of(ask("Total_Travel_Time", four)) == "30 minutes"
    assert text_of(ask("Arrival_Time", four, departure="09:10", stay=20.0)) == "10:20"
    assert text_of(ask("Latest_Departure", four, deadline="14:00", stay=45.0)) == "12:00"


def test_of_all_orders_the_fastest_is_found() -> None:
    best = ask("Best_Order", rows_of(4))
    assert (text_of(best), best.gold["minutes"]) == ("Linde → Sonne → Post", 30)
    assert best.margin == {"minutes": 20, "seconds": 20 * 60}


@pytest.mark.parametrize(("budget", "count"), [(60, "2"), (120, "4"), (180, "5")])
def test_stays_that_are_over_in_time_are_counted(budget: int, count: str) -> None:
    assert text_of(ask("Places_In_Budget", rows_of(6), stay=15.0, budget=float(budget))) == count


def same_ways(minutes: int) -> list[dict[str, Any]]:
    """Six places, from each of which it takes so many minutes to each."""
    return [{**row, "seconds": [60.0 * minutes] * len(NAMES)} for row in rows_of(len(NAMES))]


def test_a_frequent_number_of_visits_is_given_up_more_often() -> None:
    """In 90 minutes with stays of 15, ways of 20, 10, 5 and 1 minutes allow 2, 3, 4 and 5 visits."""
    trips = [same_ways(minutes) for minutes in [20] * 10 + [10] * 10 + [5] * 30 + [1] * 10]
    strategy = NearVisits(sources_of("Places_In_Budget", trips))
    kept = dict.fromkeys((20, 10, 5, 1), 0)
    for minutes in kept:
        rows = same_ways(minutes)
        made = ask("Places_In_Budget", rows, stay=15.0, budget=90.0)
        for number in range(200):
            asked = question(number, made, rows, mode="car", stay="15", budget="90")
            drawn = strategy.draw(asked, 3)
            if isinstance(drawn, str):
                assert drawn == COMMON
                continue
            kept[minutes] += 1
            assert {made.gold["text"], *(one["text"] for one in drawn)} == {"2", "3", "4", "5"}
    assert kept[20] == kept[10] == kept[1] == 200
    assert 50 < kept[5] < 85


def test_two_people_meet_where_the_later_one_is_soonest() -> None:
    met = ask("Meeting_Place", rows_of(6))
    assert (met.gold["text"], met.gold["objects"]) == ("Rathaus", ["n5"])


def test_a_place_is_visited_where_one_span_of_its_hours_holds_the_stay() -> None:
    hours = [WEEKDAYS, "Mo-Fr 09:00-11:25", "Mo-Fr 13:00-18:00", SUNDAY, "Mo-Fr 08:00-18:00"]
    assert text_of(ask("Visit_While_Open", rows_of(5, hours), moment=TUESDAY, stay=20.0)) == "Adler"
    hours[4] = "Mo-Fr 10:00-11:30, 11:32-18:00"
    refused = ask("Visit_While_Open", rows_of(5, hours), moment=TUESDAY, stay=20.0)
    assert refused.refusal == "changes_soon"
    hours[4] = "Mo-Fr 08:00-11:30, 12:10-18:00"
    refused = ask("Visit_While_Open", rows_of(5, hours), moment=TUESDAY, stay=75.0)
    assert refused.refusal == "pause"


def changed(row: int, column: int, seconds: float | None, count: int = 4) -> list[dict[str, Any]]:
    """The places with another time from one to another."""
    rows = rows_of(count)
    rows[row]["seconds"][column] = seconds
    return rows


def renamed(name: str) -> list[dict[str, Any]]:
    rows = rows_of(4)
    rows[1]["name"] = name
    return rows


REFUSED: Mapping[str, tuple[str, list[dict[str, Any]], dict[str, Any]]] = {
    "no_way": ("Total_Travel_Time", changed(0, 1, None), {}),
    "too_close": ("Total_Travel_Time", changed(0, 1, 80.0), {}),
    "long_way": ("Best_Order", changed(2, 1, 61 * 60), {}),
    "near_rounding": ("Best_Order", changed(2, 1, 9 * 60 + 28.0), {}),
    "near_duplicate": ("Total_Travel_Time", renamed("Hotel Krone"), {}),
    "margin": ("Places_In_Budget", rows_of(6), {"stay": 15.0, "budget": 70.0}),
    "zero": ("Places_In_Budget", rows_of(6), {"stay": 15.0, "budget": 10.0}),
    "no_answer": ("Meeting_Place", [], {}),
}


@pytest.mark.parametrize(("reason", "asked"), REFUSED.items(), ids=REFUSED)
def test_what_cannot_be_told_surely_is_refused(
    reason: str, asked: tuple[str, list[dict[str, Any]], dict[str, Any]]
) -> None:
    template, rows, binds = asked
    assert ask(template, rows, **binds).refusal == reason


def test_minutes_that_add_up_to_another_sum_than_seconds_are_refused() -> None:
    assert ask("Total_Travel_Time", rows_of(4, seconds=8.0)).refusal == "near_rounding"
    assert ask("Total_Travel_Time", rows_of(4, seconds=-7.0)).refusal is None


def test_orders_and_places_that_are_hardly_better_are_refused() -> None:
    assert ask("Best_Order", changed(1, 3, 6 * 60 + 7.0)).refusal == "margin"
    assert ask("Meeting_Place", changed(1, 5, 19 * 60 + 7.0, 6)).refusal == "margin"


def read(made: Derived, template: str, options: Sequence[str], count: int, **asks: Any) -> str | None:
    """Why the gold does not follow from the travel times as they are printed."""
    lines = [
        travel_line(
            {
                "origin": {"name": NAMES[one]},
                "destination": {"name": NAMES[other]},
                "mode": "car",
                "seconds": 60 * MINUTES[one][other] + 7,
                "distance_m": 900,
            }
        ).text
        for one in range(count)
        for other in range(count)
        if one != other
    ]
    asked = {CONTEXT: {"asks": {"places": NAMES[:count], "by": BY_MODE["car"], **asks}}}
    return context_fault("mapeval", Shown(template, "\n".join(lines), options), asked, made.gold)


def test_answers_follow_from_printed_minutes() -> None:
    four, six = rows_of(4), rows_of(6)
    total = ask("Total_Travel_Time", four)
    assert read(total, "Total_Travel_Time", ["30 minutes", "36 minutes"], 4) is None
    assert read(total, "Total_Travel_Time", ["25 minutes", "36 minutes"], 4) == "no option is listed"
    arrival = ask("Arrival_Time", four, departure="09:10", stay=20.0)
    assert read(arrival, "Arrival_Time", ["10:20", "10:25"], 4, departure="09:10", stay=20) is None
    leaving = ask("Latest_Departure", four, deadline="14:00", stay=45.0)
    assert read(leaving, "Latest_Departure", ["12:00", "12:06"], 4, deadline="14:00", stay=45) is None
    best = ask("Best_Order", four)
    assert read(best, "Best_Order", ["Post → Sonne → Linde", "Linde → Sonne → Post"], 4) is None
    visits = ask("Places_In_Budget", six, stay=15.0, budget=120.0)
    assert read(visits, "Places_In_Budget", ["2", "3", "4"], 6, stay=15, budget=120) is None
    assert read(ask("Meeting_Place", six), "Meeting_Place", NAMES[2:], 6) is None
