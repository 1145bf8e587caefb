"""Operators that see as far as GeoRover's agents see: stations within 5 km of a point, places within 1 km of it."""

from typing import Any

from app.geoflow.operators.base import OperatorFault, Value
from app.geoflow.operators.forms import CallForm, ParamForm, PortForm, one_call
from app.geoflow.operators.values import has_point


def coordinate_of(value: Value) -> list[Any]:
    """[lon, lat] of a place, as GeoRover's tools take it."""
    if not has_point(value.data):
        raise OperatorFault(f"{value.data.get('name')!r:.60} has no coordinates: let geocode find it first")
    return [value.data["lon"], value.data["lat"]]


_CENTER = {"center": PortForm("coord", coordinate_of)}
one_call(
    CallForm(
        "stations_in_view",
        "Search_Stations",
        _CENTER,
        {"destination": ParamForm("destination")},
        lambda result, bound: {"members": result["stations"]},
    )
)
one_call(
    CallForm(
        "places_in_view",
        "Search_Nearby_POI",
        _CENTER,
        {},
        lambda result, bound: {"members": result["pois"]},
    )
)
