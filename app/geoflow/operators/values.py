"""How operators read values: places, sets, numbers, times, routes; and the values of concepts that no step makes."""

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, Final

from pyproj import Geod

from app.agent_tools.arguments import PLACE_ID, read_point
from app.agent_tools.tool_plans.calculating import is_number
from app.geoflow.graphs import Concept
from app.geoflow.operators.base import OperatorFault, Value

GEOD: Final = Geod(ellps="WGS84")
SECONDS: Final[Mapping[str, float]] = {
    **dict.fromkeys(("s", "second", "seconds"), 1.0),
    **dict.fromkeys(("min", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hour", "hours"), 3600.0),
}
"""By unit of a duration."""
Place = Mapping[str, Any]


def value_of_source(concept: Concept) -> Value:
    """The value of a concept that no step makes: its attributes, and what its name tells.

    A LOCATION whose name is the id of a place, or `latitude,longitude`, has that id or these coordinates; the name of
    an EVENT is its time, and that of an AMOUNT, a FIELD or a PROPORTION its number, where no attribute says so.
    """
    data: dict[str, Any] = {"name": concept.name.strip(), **concept.attrs}
    name = data["name"]
    if not isinstance(name, str):
        return Value(concept.type, data)  # an attribute of that name: what reads it says what is wrong
    if concept.type == "LOCATION" and "lat" not in data and "id" not in data:
        point = read_point(name)
        if PLACE_ID.fullmatch(name):
            data["id"] = name
        elif point is not None:
            data |= {"lat": point.lat, "lon": point.lon}
    if concept.type == "EVENT" and "time" not in data and name:
        data["time"] = name
    if concept.type in ("AMOUNT", "FIELD", "PROPORTION") and "value" not in data and name:
        data["value"] = _number_or_text(name)
    return Value(concept.type, data)


def _number_or_text(said: str) -> float | str:
    """The number that a text is; one that is not finite is a text."""
    try:
        number = float(said)
    except ValueError:
        return said
    return number if isfinite(number) else said


def name_of(value: Value) -> str:
    """What a place or a road is called. Raises OperatorFault where nothing says so."""
    name = value.data.get("name")
    if not isinstance(name, str) or not name:
        raise OperatorFault(f"{_shown(value)} has no name")
    return name


def where_of(value: Value) -> str:
    """The place or point as tools take it. Raises OperatorFault where it has neither an id nor coordinates."""
    return _where(value.data, _shown(value))


def id_of(value: Value) -> str:
    """The id of a place of the map. Raises OperatorFault where it has none."""
    key = value.data.get("id")
    if not isinstance(key, str):
        raise OperatorFault(f"{_shown(value)} is no place of the map: let geocode find it first")
    return key


def _where(place: Place, shown: str) -> str:
    key = place.get("id")
    if isinstance(key, str):
        return key
    if has_point(place):
        return f"{place['lat']},{place['lon']}"
    raise OperatorFault(f"{shown} has no position: let geocode find it first")


def has_point(place: Place) -> bool:
    """Whether a place has coordinates."""
    return is_number(place.get("lat")) and is_number(place.get("lon"))


def places_at(values: Iterable[Value]) -> list[Place]:
    """The places of several values in their order: single ones, and members of sets."""
    found: list[Place] = []
    for value in values:
        members = value.data.get("members") if value.type == "OBJECT" else [value.data]
        if not isinstance(members, list) or not all(isinstance(one, Mapping) for one in members):
            raise OperatorFault(f"{_shown(value)} is no set of places: search for its members first")
        found += members
    return found


def is_cut_off(values: Iterable[Value]) -> bool:
    """Whether the map has more places than one of the sets lists."""
    return any(bool(value.data.get("more")) for value in values)


def whole_places_at(values: Sequence[Value]) -> list[Place]:
    """As `places_at`. Raises OperatorFault where the map has more places, so that what follows would not be sure."""
    if is_cut_off(values):
        raise OperatorFault(
            "the map has more places than were listed, so what is wanted may be missing: search in a smaller area",
            "data",
        )
    return places_at(values)


def cut_off_as(values: Iterable[Value]) -> dict[str, bool]:
    """The field that tells of a set made from others that it may lack members, as they do."""
    return {"more": True} if is_cut_off(values) else {}


def wheres_at(values: Iterable[Value]) -> list[str]:
    """The places of several values as tools take them."""
    return [_where(one, str(one.get("name"))) for one in places_at(values)]


def metres_between(one: Place, other: Place) -> float:
    """Metres between the points of two places, on the WGS84 ellipsoid. Raises OperatorFault where one has none."""
    for place in (one, other):
        if not has_point(place):
            raise OperatorFault(f"{place.get('name')!r:.60} has no position: let geocode find it first")
    _, _, metres = GEOD.inv(one["lon"], one["lat"], other["lon"], other["lat"])
    return float(metres)


def number_of(value: Value) -> float:
    """The number of an amount, a quantity or a ratio. Raises OperatorFault where it is none."""
    found: Any = value.data.get("value")
    if not is_number(found):
        raise OperatorFault(f"{_shown(value)} is no number")
    return float(found)


def seconds_of(value: Value) -> float:
    """A duration in seconds; without a unit it is in seconds. Raises OperatorFault for what is no duration."""
    unit = str(value.data.get("unit", "s")).lower()
    if unit not in SECONDS:
        raise OperatorFault(f"{_shown(value)} is in {unit}, and a duration is wanted")
    return number_of(value) * SECONDS[unit]


def time_of(value: Value) -> str:
    """The time of the clock (`09:10`), or the local time with its day. Raises OperatorFault where it has none."""
    found = value.data.get("time")
    if not isinstance(found, str) or not found:
        raise OperatorFault(f"{_shown(value)} has no time")
    return found


def routes_at(values: Iterable[Value]) -> list[Mapping[str, Any]]:
    """The routes of several values in their order. Raises OperatorFault where there is none."""
    found: list[Mapping[str, Any]] = []
    for value in values:
        routes = value.data.get("routes")
        if not isinstance(routes, list):
            raise OperatorFault(f"{_shown(value)} is no route: let directions find one first")
        found += routes
    if not found:
        raise OperatorFault("there is no route", "data")
    return found


def first_route(value: Value) -> Mapping[str, Any]:
    """The fastest route of a value, which is the first one."""
    return routes_at([value])[0]


def least_of(
    members: Sequence[Any], numbers: Sequence[float], *, greatest: bool = False
) -> tuple[Any, float]:
    """The member whose number is the least, and that number. Raises OperatorFault where two are equally so."""
    if not members:
        raise OperatorFault("there is nothing to choose from", "data")
    ordered = sorted(range(len(members)), key=lambda one: numbers[one], reverse=greatest)
    if len(ordered) > 1 and numbers[ordered[0]] == numbers[ordered[1]]:
        which = "greatest" if greatest else "least"
        raise OperatorFault(f"two are equally the {which}: {numbers[ordered[0]]:g}", "data")
    return members[ordered[0]], numbers[ordered[0]]


def _shown(value: Value) -> str:
    return repr(value.data.get("name") or value.data.get("value") or value.type)[:60]
