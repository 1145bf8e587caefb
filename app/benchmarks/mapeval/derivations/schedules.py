"""Which of four places can be visited while it is open: the way there, a stay, and the opening hours. Whole minutes."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from app.benchmarks.mapeval.derivations.travels import Leg, Travels, names_of, search_all, travel_legs
from app.questions.derivations.base import Case, Derived, Row, derivation, refused
from app.questions.derivations.hours import Time, Week, is_plain, minutes_to_change, read_week
from app.questions.derivations.plans import JSON, call, members, plan, result

FOUR = 4
OPEN = "open"


@derivation("mapeval", "visit_while_open")
def visit_while_open(case: Case) -> Derived:
    """The only place of four that is open from the arrival until the end of the stay, if one goes there directly."""
    if len(case.rows) < 1 + FOUR:
        return refused("no_answer")
    places = case.rows[1:]
    travels, legs = Travels(case.rows, case.margins), [(0, number) for number in range(1, 1 + FOUR)]
    weeks = [read_week(row["opening_hours"]) if is_plain(row["opening_hours"]) else None for row in places]
    if any(week is None for week in weeks):
        return refused("unreadable_hours")
    refusal = travels.fault_of(legs)
    if refusal:
        return refused(refusal)
    moment, stay = datetime.fromisoformat(str(case.binds["moment"])), int(case.binds["stay"])
    stays = [_stay(moment, travels.minutes([leg]), stay) for leg in legs]
    visits = [(week, times) for week, times in zip(weeks, stays, strict=True) if week is not None]
    room = min(minutes_to_change(week, time) for week, times in visits for time in times)
    if room < case.margins["minutes"]:
        return refused("changes_soon")
    if any(_has_pause(week, times) for week, times in visits):
        return refused("pause")
    right = [
        number
        for number, (week, times) in enumerate(visits)
        if week.is_open(times[0]) and week.is_open(times[1])
    ]
    if len(right) != 1:
        return refused("not_one_right")
    key = places[right[0]]
    return Derived(
        {"text": names_of([key])[0], "objects": [key["osm_key"]]},
        evidence=[("poi", row["osm_key"]) for row in case.rows],
        margin={"minutes": room},
        solutions=_plan(case, legs),
    )


def _stay(moment: datetime, minutes: int, stay: int) -> tuple[Time, Time]:
    """When the stay begins and ends."""
    begin = moment + timedelta(minutes=minutes)
    end = begin + timedelta(minutes=stay)
    return Time(begin.weekday(), 60 * begin.hour + begin.minute), Time(
        end.weekday(), 60 * end.hour + end.minute
    )


def _has_pause(week: Week, times: tuple[Time, Time]) -> bool:
    """Whether it is open at both times, and closed between them."""
    begin, end = times
    return (
        week.is_open(begin)
        and week.is_open(end)
        and not any(start <= begin.minute and end.minute < close for start, close in week.spans[begin.day])
    )


def _plan(case: Case, legs: Sequence[Leg]) -> dict[str, JSON]:
    """The calls that find the places, measure the ways, and ask twice of each place whether it is open."""
    rows: Sequence[Row] = case.rows
    found, places = search_all(rows)
    calls, minutes = travel_legs(places, legs, str(case.binds["mode"]))
    moment, stay = str(case.binds["moment"]), int(case.binds["stay"])
    asked = [
        call("open_at", place=place, time={"$clock": moment, "add": {"$sum": [way, more]}})
        for place, way in zip(places[1:], minutes, strict=True)
        for more in (0, stay)
    ]
    first = len(found) + len(calls)
    states = [[result(first + 2 * number + end, "state") for end in range(2)] for number in range(FOUR)]
    answer = {"text": {"$only": members(names_of(rows[1:]), states), "equals": [OPEN, OPEN]}}
    return dict(plan(answer, *found, *calls, *asked))
