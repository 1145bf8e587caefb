"""Operators that calculate with times. A time is one of the clock, `09:10`, or a local time with its day.

A duration counts in whole minutes, rounded, as stored tool plans count it; one of 0 is 0.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from app.agent_tools.tool_plans.calculating import CALCULATIONS
from app.agent_tools.tool_plans.reading import PlanFault
from app.geoflow.operators.base import Bound, OperatorFault, Value, computes
from app.geoflow.operators.values import seconds_of, time_of

MINUTES_OF_DAY: Final = 24 * 60
DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def move_time(time: str, minutes: float) -> str:
    """The time so many minutes later; earlier where they are negative. Raises OperatorFault for what is no time."""
    try:
        moved: str = CALCULATIONS["$clock"]({"$clock": time, "add": minutes})
    except PlanFault as fault:
        raise OperatorFault(str(fault)) from None
    return moved


def minutes_of(durations: Iterable[Value]) -> int:
    """Durations in whole minutes, each rounded."""
    return sum(round(seconds_of(one) / 60) for one in durations)


def _moved(bound: Bound, port: str, minutes: float) -> Mapping[str, Any]:
    """The time of a value, moved. Of a time of the clock, `days_later` counts the midnights between, if any."""
    value = bound.one(port)
    time = time_of(value)
    moved = move_time(time, minutes)
    days = 0 if "T" in time else (_minute_of_day(time) + round(minutes)) // MINUTES_OF_DAY
    told: dict[str, Any] = {"time": moved}
    if (later := _days_later(value) + days) != 0:
        told["days_later"] = later
    if "day" in value.data:
        told["day"] = _day_after(value.data["day"], days)
    return told


def _minute_of_day(time: str) -> int:
    moment = datetime.fromisoformat(f"2000-01-02T{time}")
    return 60 * moment.hour + moment.minute


def _days_later(value: Value) -> int:
    """How many midnights lie between the time with which a calculation began and this one."""
    return value.data.get("days_later") or 0


def _day_after(day: Any, days: int) -> Any:
    """The day of the week so many days later. What is no day of the week stays as it is, unless it would change."""
    known = str(day).strip().lower()
    if known in DAYS:
        return DAYS[(DAYS.index(known) + days) % 7].capitalize() if days else day
    if days:
        raise OperatorFault(
            f"{day!r:.40} is no day of the week, so the day after it is not known: write Monday …"
        )
    return day


@computes("add_durations", "AMOUNT")
def add_durations(bound: Bound) -> Mapping[str, Any]:
    """The sum of durations, and of minutes besides, in seconds."""
    seconds = sum(map(seconds_of, bound.all("durations"))) + 60 * bound.params.get("minutes", 0)
    return {"value": round(seconds, 1), "unit": "s"}


@computes("calculate_arrival_time", "EVENT")
def calculate_arrival_time(bound: Bound) -> Mapping[str, Any]:
    """When one arrives who leaves at a time."""
    return _moved(bound, "start", minutes_of([bound.one("duration")]))


@computes("calculate_latest_departure", "EVENT")
def calculate_latest_departure(bound: Bound) -> Mapping[str, Any]:
    """When one must leave at the latest."""
    return _moved(bound, "arrival", -minutes_of([bound.one("duration")]))


@computes("calculate_finish_time", "EVENT")
def calculate_finish_time(bound: Bound) -> Mapping[str, Any]:
    """When a trip with stays ends."""
    stays = sum(bound.params.get("stays_min", []))
    return _moved(bound, "start", minutes_of(bound.all("durations")) + stays)


@computes("feasibility_check", "EVENT")
def feasibility_check(bound: Bound) -> Mapping[str, Any]:
    """Whether a time is not later than another one. Both are times of the clock, or both have a day."""
    finish, limit = time_of(bound.one("finish")), time_of(bound.one("limit"))
    try:
        moments = [
            datetime.fromisoformat(one if "T" in one else f"2000-01-02T{one}") for one in (finish, limit)
        ]
    except ValueError:
        raise OperatorFault(f"{finish!r:.40} and {limit!r:.40} are not both times") from None
    if ("T" in finish) != ("T" in limit):
        raise OperatorFault(f"{finish} and {limit} cannot be compared: only one of them has a day")
    days = _days_later(bound.one("finish")) - _days_of_limit(bound.one("finish"), bound.one("limit"))
    return {"time": finish, "feasible": moments[0] + timedelta(days=days) <= moments[1]}


def _days_of_limit(finish: Value, limit: Value) -> int:
    """How many midnights lie between the beginning of the trip and the limit; by days of the week, if both have one."""
    days = [str(one.data.get("day", "")).strip().lower() for one in (finish, limit)]
    if not all(day in DAYS for day in days):
        return _days_later(limit)
    begin = DAYS.index(days[0]) - _days_later(finish)
    return (DAYS.index(days[1]) - begin) % 7
