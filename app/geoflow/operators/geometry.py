"""Operators that measure straight distances and directions. Metres; degrees clockwise from true north."""

from collections.abc import Mapping
from math import asin, cos, radians, sin, sqrt
from typing import Any, Final

from app.agent_tools.bearings import name_direction
from app.geoflow.operators.base import Bound, OperatorFault, Value, Work, computes, operator
from app.geoflow.operators.forms import FORMS, CallForm, PortForm, call_as, one_call
from app.geoflow.operators.values import Place, id_of, number_of, where_of

SPHERE_M: Final = 6_371_000.0
"""The radius of the sphere on which the paper's operator measures."""
SPHERE: Final = "sphere"
_ENDS: Final = {name: PortForm(name, where_of) for name in ("origin", "destination")}
DISTANCE: Final = CallForm(
    "haversine",
    "distance",
    _ENDS,
    {},
    lambda result, bound: {"value": result["distance_m"], "unit": "m"},
)
FORMS["haversine"] = DISTANCE


@operator("haversine")
def measure_distance(bound: Bound) -> Work:
    """The straight distance: on the ellipsoid, as gold has it, or on the sphere."""
    (measured,) = yield from call_as(DISTANCE, bound)
    if bound.params.get("surface") != SPHERE:
        return [measured]
    ends = measured.data["result"]
    metres = metres_on_sphere(ends["origin"], ends["destination"])
    return [Value("FIELD", {**measured.data, "value": round(metres, 2)})]


def metres_on_sphere(one: Place, other: Place) -> float:
    """Metres along the great circle of a sphere of 6,371 km (haversine formula; Sinnott, Sky and Telescope, 1984)."""
    lat, other_lat = radians(one["lat"]), radians(other["lat"])
    half_lat, half_lon = (other_lat - lat) / 2, radians(other["lon"] - one["lon"]) / 2
    chord = sin(half_lat) ** 2 + cos(lat) * cos(other_lat) * sin(half_lon) ** 2
    return 2 * SPHERE_M * asin(min(1.0, sqrt(chord)))


one_call(
    CallForm(
        "bearing",
        "bearing",
        _ENDS,
        {},
        lambda result, bound: {"value": result["degrees"], "unit": "degrees"},
    )
)


@computes("bearing_to_direction", "FIELD")
def bearing_to_direction(bound: Bound) -> Mapping[str, Any]:
    """The point of the compass that is nearest to a direction."""
    degrees = number_of(bound.one("bearing"))
    if not 0 <= degrees < 360:
        raise OperatorFault(f"{degrees:g} is no direction: degrees from 0 to 360")
    return {"value": name_direction(degrees, bound.params["names"]), "unit": "direction"}


one_call(
    CallForm(
        "area_of",
        "area_of",
        {"place": PortForm("place", id_of)},
        {},
        lambda result, bound: {"value": result["area_m2"], "unit": "m2"},
    )
)
