"""Operators that find ways along roads, and compare them. Metres, seconds."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from app.core.names import search_form
from app.geoflow.operators.base import Bound, OperatorFault, Value, Work, computes, operator
from app.geoflow.operators.forms import FORMS, CallForm, ParamForm, PortForm, call_as, one_call
from app.geoflow.operators.values import first_route, least_of, routes_at, where_of, wheres_at
from app.routing.results import MOST_ALTERNATIVES

_ENDS: Final = {name: PortForm(name, where_of) for name in ("origin", "destination")}
Route = Mapping[str, Any]

DIRECTIONS: Final = CallForm(
    "directions",
    "directions",
    _ENDS,
    {"alternatives": ParamForm("alternatives", lambda wanted: MOST_ALTERNATIVES if wanted else 0)},
    lambda result, bound: {"routes": result["routes"]},
    travels=True,
)
FORMS["directions"] = DIRECTIONS


@operator("directions")
def directions(bound: Bound) -> Work:
    """The routes from one place to another; by way of others, it is one route that the fastest legs make."""
    stops = [bound.one("origin"), *bound.all("waypoints"), bound.one("destination")]
    if len(stops) == 2:
        return (yield from call_as(DIRECTIONS, bound))
    legs: list[Route] = []
    for origin, destination in pairwise(stops):
        leg = Bound({"origin": [origin], "destination": [destination]}, bound.params, bound.mode)
        (found,) = yield from call_as(DIRECTIONS, leg)
        legs.append(first_route(found))
    return [Value("NETWORK", {"routes": [_join(legs, stops[1:-1])]})]


def _join(legs: Sequence[Route], waypoints: Sequence[Value]) -> Route:
    return {
        "seconds": round(sum(leg["seconds"] for leg in legs), 1),
        "distance_m": round(sum(leg["distance_m"] for leg in legs), 1),
        "steps": [step for leg in legs for step in leg["steps"]],
        "via": [one.data.get("name") or where_of(one) for one in waypoints],
    }


def _tell_travel(result: Mapping[str, Any], bound: Bound) -> Mapping[str, Any]:
    return {"routes": [{"seconds": result["seconds"], "distance_m": result["distance_m"]}]}


one_call(CallForm("travel_time", "travel_time", _ENDS, {}, _tell_travel, travels=True))


def _tell_matrix(result: Mapping[str, Any], bound: Bound) -> Mapping[str, Any]:
    """A route from each origin to each destination, as far as a way leads there; the first origin's come first."""
    lengths = result.get("distance_m")
    routes = []
    for row, origin in enumerate(result["origins"]):
        for cell, destination in enumerate(result["destinations"]):
            seconds = result["seconds"][row][cell]
            if seconds is not None:
                ends = {"origin": _end(origin), "destination": _end(destination)}
                metres = {} if lengths is None else {"distance_m": lengths[row][cell]}
                routes.append({"seconds": seconds, **metres, **ends})
    return {"routes": routes}


def _end(found: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: found[key] for key in ("id", "name", "lat", "lon") if key in found}


one_call(
    CallForm(
        "distance_matrix",
        "distance_matrix",
        {name: PortForm(name, wheres_at, many=True) for name in ("origins", "destinations")},
        {"lengths": ParamForm("lengths")},
        _tell_matrix,
        travels=True,
    )
)


@computes("compare_routes", "NETWORK")
def compare_routes(bound: Bound) -> Mapping[str, Any]:
    """The route with the least length or duration."""
    field = {"distance": "distance_m", "duration": "seconds"}[bound.params["by"]]
    routes = routes_at(bound.all("routes"))
    if any(field not in one for one in routes):
        raise OperatorFault(
            f"not every route tells its {bound.params['by']}: a matrix has it with `lengths` alone"
        )
    best, _ = least_of(routes, [one[field] for one in routes])
    return {"routes": [best]}


@computes("filter_routes", "NETWORK")
def filter_routes(bound: Bound) -> Mapping[str, Any]:
    """The routes that use a road, or those that avoid it."""
    wanted, avoid = search_form(bound.params["keyword"]), bound.params.get("avoid", False)
    routes = [one for one in routes_at(bound.all("routes")) if _uses(one, wanted) != avoid]
    return {"routes": routes}


def _uses(route: Route, wanted: str) -> bool:
    return any(wanted in search_form(step.get("road") or "") for step in route.get("steps", ()))


@computes("extract_distance", "AMOUNT")
def extract_distance(bound: Bound) -> Mapping[str, Any]:
    """The length of the first route, which is the fastest, in metres."""
    route = first_route(bound.one("route"))
    if "distance_m" not in route:
        raise OperatorFault("the route does not tell its length: a matrix has it with `lengths` alone")
    return {"value": route["distance_m"], "unit": "m"}


@computes("extract_duration", "AMOUNT")
def extract_duration(bound: Bound) -> Mapping[str, Any]:
    """How long the first route takes, in seconds."""
    return {"value": first_route(bound.one("route"))["seconds"], "unit": "s"}
