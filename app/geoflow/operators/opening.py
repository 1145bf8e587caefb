"""Operators about opening hours and time zones.

Opening hours need a day. A time of the clock with the name of a day, `{"time": "09:10", "day": "Monday"}`, is that day
of WEEK.
"""

import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any, Final

from app.agent_tools.errors import ToolError
from app.agent_tools.hours import open_spans, read_hours, zone_of
from app.agent_tools.places import Place
from app.geoflow.operators.base import RESULT, Bound, OperatorFault, Value, Work, ask, computes, operator
from app.geoflow.operators.forms import CallForm, PortForm, one_call
from app.geoflow.operators.timing import DAYS, move_time
from app.geoflow.operators.values import cut_off_as, id_of, places_at, time_of

WEEK: Final = date(2024, 9, 16)
"""The Monday of the week that stands for any week: most countries have no public holiday in it."""
_CLOCK: Final = re.compile(r"([01]?[0-9]|2[0-3]):[0-5][0-9]")


def local_time_of(value: Value) -> str:
    """The time with its day, as tools take it. Raises OperatorFault where the day is not known."""
    time = time_of(value)
    if "T" in time or "-" in time:
        return time  # the tool reads it, and says what is wrong with it
    if not _CLOCK.fullmatch(time):
        raise OperatorFault(f"{time!r:.60} is no time: write 09:10, or a local time such as 2024-09-17T09:10")
    return f"{_day_of(value)}T{time:0>5}"


def _day_of(value: Value) -> date:
    said = str(value.data.get("day", "")).strip().lower()
    found = [number for number, day in enumerate(DAYS) if len(said) >= 2 and day.startswith(said)]
    if len(found) != 1:
        raise OperatorFault(
            f"the time {value.data.get('time')!r:.40} has no day: write its day, such as Monday"
        )
    return WEEK + timedelta(days=found[0])


def _date_of(value: Value) -> date:
    time = time_of(value)
    try:
        return datetime.fromisoformat(time).date()
    except ValueError:
        raise OperatorFault(f"{time!r:.60} is no time: write a local time such as 2024-09-17T09:10") from None


one_call(
    CallForm(
        "open_at_time",
        "open_at",
        {"place": PortForm("place", id_of), "time": PortForm("time", local_time_of)},
        {},
        lambda result, bound: {
            **{key: result.get(key) for key in ("time", "state", "next_change")},
            "hours": result["opening_hours"],
        },
    )
)


@operator("filter_places_by_time")
def filter_places_by_time(bound: Bound) -> Work:
    """The places that are surely open at a time; `unknown` counts those whose hours nobody knows."""
    time, members, unknown = local_time_of(bound.one("time")), [], 0
    for place in places_at(bound.all("candidates")):
        try:
            result = yield from ask("open_at", place=id_of(Value("LOCATION", place)), time=time)
        except OperatorFault as fault:
            if fault.stage != "data":
                raise
            unknown += 1
            continue
        if result["state"] == "open":
            members.append(place)
        unknown += result["state"] == "unknown"
    cut_off = cut_off_as(bound.all("candidates"))
    return [Value("OBJECT", {"members": members, "unknown": unknown, **cut_off})]


@operator("timezone")
def timezone(bound: Bound) -> Work:
    """The time zone in which a place lies."""
    result = yield from ask(
        "open_at", place=id_of(bound.one("place")), opening_hours="24/7", time=f"{WEEK}T12:00"
    )
    if result.get("time_zone") is None:
        raise OperatorFault("the map does not tell the time zone there", "data")
    return [Value("EVENT", {"time": result["time_zone"], "zone": result["time_zone"], RESULT: result})]


@computes("calculate_latest_visit_time", "EVENT")
def calculate_latest_visit_time(bound: Bound) -> Mapping[str, Any]:
    """When a visit must begin at the latest: the last closing time of the day, less the stay.

    Without a day, the place must close at the same time on all days on which it opens.
    """
    hours = bound.one("hours").data
    day = bound.maybe("day")
    days = [WEEK + timedelta(days=number) for number in range(7)]
    if day is not None:
        days = [_date_of(day) if "T" in time_of(day) else _day_of(day)]
    closing = {one for one in (_closes(hours, each) for each in days) if one is not None}
    if len(closing) != 1:
        says = (
            "it is closed then" if not closing else f"it closes at {', '.join(sorted(closing))}: name the day"
        )
        raise OperatorFault(says, "data")
    return {"time": move_time(closing.pop(), -bound.params["stay_min"])}


def _closes(hours: Mapping[str, Any], day: date) -> str | None:
    """When the last opening that begins on a day ends, as a time of the clock; None where it is closed."""
    place = hours.get("place")
    try:
        read = read_hours(
            str(hours.get("hours") or hours.get("time")), None if place is None else Place(**place)
        )
    except ToolError as error:
        raise OperatorFault(str(error), "data") from None
    before = datetime.fromisoformat(day.isoformat()) - timedelta(days=1)
    zone = zone_of(read, before)
    start, end = before.replace(tzinfo=zone), (before + timedelta(days=3)).replace(tzinfo=zone)
    spans = [*open_spans(read, start, end)]
    midnights = [(before + timedelta(days=number)).replace(tzinfo=zone) for number in (1, 2)]
    if any(one <= midnights[0] and other > midnights[1] for one, other in spans):
        raise OperatorFault("it does not close", "data")
    closing = [other for one, other in spans if midnights[0] <= one < midnights[1] and one != start]
    return f"{closing[-1]:%H:%M}" if closing else None
