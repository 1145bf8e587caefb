"""Operators that find places by name, and tell what is at a point."""

from collections.abc import Mapping
from typing import Any

from app.core.names import normal_form
from app.geoflow.operators.base import RESULT, Bound, OperatorFault, Value, Work, ask, operator
from app.geoflow.operators.forms import CallForm, ParamForm, PortForm, one_call
from app.geoflow.operators.values import name_of, where_of


@operator("geocode")
def geocode(bound: Bound) -> Work:
    """The place that a name means."""
    anchor = bound.maybe("anchor")
    name = name_of(bound.one("place"))
    result = yield from ask(
        "place_search",
        query=name,
        near=None if anchor is None else where_of(anchor),
        region=bound.params.get("region"),
    )
    return [Value("LOCATION", {**_choose(result, name, bound.params.get("type")), RESULT: result})]


@operator("batch_geocode")
def batch_geocode(bound: Bound) -> Work:
    """The places that several names mean, in their order."""
    members = []
    for place in bound.all("places"):
        name = name_of(place)
        result = yield from ask("place_search", query=name, region=bound.params.get("region"))
        members.append(_choose(result, name, None))
    return [Value("OBJECT", {"members": members})]


def _choose(result: Mapping[str, Any], name: str, kind: str | None) -> Mapping[str, Any]:
    """The first hit that is called exactly so and has that type, else the first one called so but for case, else the
    best one; `kind` is a wish that the map may not fulfil."""
    hits = result["hits"]
    if not hits:
        raise OperatorFault(f"nothing on the map is called {name!r:.80}", "data")
    typed = [one for one in hits if kind is None or one["type"] == kind] or hits
    exact = [one for one in typed if one.get("name") == name]
    alike = [one for one in typed if normal_form(one.get("name") or "") == normal_form(name)]
    found: Mapping[str, Any] = [*exact, *alike, *typed][0]
    return found


def _tell_around(result: Mapping[str, Any], bound: Bound) -> Mapping[str, Any]:
    near = [
        {"id": one["id"], "name": one["said"], "type": kind, "distance_m": one["distance_m"]}
        for kind in ("address", "street")
        if (one := result.get(kind)) is not None
    ]
    return {"members": [*near, *result["regions"]]}


one_call(
    CallForm("reverse_geocode", "reverse_geocode", {"place": PortForm("where", where_of)}, {}, _tell_around)
)


def _tell_crossing(result: Mapping[str, Any], bound: Bound) -> Mapping[str, Any]:
    if not result["crossings"]:
        raise OperatorFault(f"{result['street']} and {result['other']} do not meet", "data")
    first = result["crossings"][0]
    return {"name": f"{result['street']} and {result['other']}", "lon": first["lon"], "lat": first["lat"]}


one_call(
    CallForm(
        "intersection_of",
        "intersection_of",
        {"street": PortForm("street", name_of), "other": PortForm("other", name_of)},
        {},
        _tell_crossing,
    )
)
one_call(
    CallForm(
        "move",
        "move",
        {"origin": PortForm("origin", where_of)},
        {"direction": ParamForm("direction"), "distance_m": ParamForm("distance_m")},
        lambda result, bound: {"name": "", **result["point"]},
    )
)
