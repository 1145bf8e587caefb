"""The tool plan of a question: look around from the user's place, then beside each destination in turn.

All destinations that are as near as the last of the key are looked at, so the plan proves that no other one comes
between them. A question has no plan where agents would need other views, too many calls, or a tool that looks for ways.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from app.questions.derivations.base import Case, Row
from app.questions.derivations.plans import call, members, no_plan, plan, result

SURE = 1.0
"""Metres: how much nearer than the edge of the view the last destination must be, since tools round points."""


def solution_of(case: Case, key: Sequence[Row]) -> Mapping[str, Any]:
    """The plan of a question, or why it has none. `key` are the rows of the stations that are right."""
    last = key[-1]
    in_view = last["distance"] <= case.binds["view_metres"] - SURE
    if len(key) < case.limits["most"] or not in_view:
        return no_plan("beyond_view")
    if last["unconnected"]:
        return no_plan("unconnected")
    if 1 + last["seen"] > case.limits["most_calls"]:
        return no_plan("too_many_calls")
    places = range(last["seen"])
    types = [one.replace("_", " ") for one in str(case.binds["activity"]).split(",")]
    stations = [
        {"osm_key": _station(place, "id"), "geodesic_m": _station(place, "distance_m")} for place in places
    ]
    beside = [
        {"$count": {"$typed": result(1 + place, "pois"), "as": types, "but": _station(place, "osm_keys")}}
        for place in places
    ]
    return plan(
        {"stations": {"$present": members(stations, beside)}},
        call(
            "Search_Stations",
            coord=[last["user_lon"], last["user_lat"]],
            destination=case.binds["destination"],
        ),
        *(
            call("Search_Nearby_POI", coord=[_station(place, "lon"), _station(place, "lat")])
            for place in places
        ),
    )


def _station(place: int, field: str) -> dict[str, Any]:
    return result(0, "stations", place, field)
