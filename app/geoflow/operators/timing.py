"""Operators that calculate with times. A time is one of the clock, `09:10`, or a local time with its day.

A duration counts in whole minutes, rounded, as stored tool plans count it; one of 0 is 0.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from app.agent_tools.tool_plans.calculating import CALCULATIONS
from app.agent_tools.tool_plans.reading import PlanFault
from app.geoflow.operators.base import Bound, OperatorFault, Value, computes
from app.geoflow.operators.values import seconds_of, time_of


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
    value = bound.one(port)
    day = {"day": value.data["day"]} if "day" in value.data else {}
    return {"time": move_time(time_of(value), minutes), **day}


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
    return {"time": finish, "feasible": moments[0] <= moments[1]}
