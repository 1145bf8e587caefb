"""The operator tsp_tw: the best order of visits, with stays and opening hours."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.geoflow.operators.base import RESULT, Bound, OperatorFault, Value, Work, ask, operator
from app.geoflow.operators.opening import WEEK, local_time_of
from app.geoflow.operators.timing import DAYS
from app.geoflow.operators.values import places_at, where_of, wheres_at

USUAL_START = f"{WEEK}T09:00"
"""Where nothing says when the trip begins: then only the order matters."""


@operator("tsp_tw")
def order_visits(bound: Bound) -> Work:
    """The stops in the best order, and the seconds on the way in all. What cannot be visited in time is left out."""
    places = places_at(bound.all("stops"))
    time = bound.maybe("time")
    when_open = bool(bound.params.get("when_open"))
    if when_open and time is None:
        raise OperatorFault("a trip by opening hours needs the time of its start")
    result = yield from ask(
        "plan_trip",
        start=where_of(bound.one("start")),
        stops=_stops(wheres_at(bound.all("stops")), bound.params.get("stays_min", []), when_open),
        start_time=_start(time, when_open),
        **bound.travel(),
    )
    visited = [{**places[stop["number"] - 1], **_times(stop)} for stop in result["stops"]]
    left_out = [places[stop["number"] - 1].get("name") for stop in result["left_out"]]
    order = {"members": visited, "left_out": left_out, "end_time": result["end_time"], RESULT: result}
    return [Value("OBJECT", order), Value("AMOUNT", {"value": result["travel_s"], "unit": "s"})]


def _start(time: Value | None, when_open: bool) -> str:
    """When the trip begins, with its day. Only opening hours need to know the day."""
    if time is None:
        return USUAL_START
    if not when_open and "day" not in time.data:
        time = Value(time.type, {**time.data, "day": DAYS[0]})
    return local_time_of(time)


def _stops(wheres: Sequence[str], stays: Sequence[float], when_open: bool) -> list[dict[str, Any]]:
    """One stay counts for all stops; else there is one for each."""
    minutes = [*stays] if len(stays) != 1 else [*stays] * len(wheres)
    if len(minutes) not in (0, len(wheres)):
        raise OperatorFault(f"there are {len(wheres)} stops and {len(minutes)} stays")
    more = {"when_open": True} if when_open else {}
    return [
        {"place": where, "stay_minutes": stay, **more}
        for where, stay in zip(wheres, minutes or [0] * len(wheres), strict=True)
    ]


def _times(stop: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: stop[name] for name in ("travel_s", "arrival", "begin", "leave")}
