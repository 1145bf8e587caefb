"""Operators that find places around a place or in an area, and tell what the map says of them."""

from collections.abc import Mapping
from typing import Any, Final

from app.geoflow.operators.base import RESULT, Bound, OperatorFault, Value, Work, ask, operator
from app.geoflow.operators.forms import CallForm, ParamForm, PortForm, one_call, read_attributes
from app.geoflow.operators.values import cut_off_as, id_of, places_at, where_of

USUAL_RADIUS_M: Final = 5_000
"""Of place_search, as in the paper's operators."""
_SOUGHT: Final = {name: ParamForm(name) for name in ("type", "keyword", "limit")} | {
    "attributes": ParamForm("attributes", read_attributes),
    "open_at": ParamForm("open_at"),
}


def _tell_found(result: Mapping[str, Any], bound: Bound) -> Mapping[str, Any]:
    """`more`: whether the map has more places than these; `from`: what `distance_m` of the members counts from."""
    return {
        "members": result["places"],
        "more": result["more"],
        "from": where_of(bound.one("center")),
    }


_CENTER: Final = {"center": PortForm("where", where_of)}
_RADIUS: Final = {"radius_m": ParamForm("radius_m")}
one_call(
    CallForm(
        "place_search",
        "nearby",
        _CENTER,
        {**_RADIUS, **_SOUGHT, "rank_by": ParamForm("rank_by")},
        _tell_found,
        fixed={"radius_m": USUAL_RADIUS_M},
    )
)
one_call(CallForm("nearest_places", "nearby", _CENTER, _SOUGHT, _tell_found))
one_call(CallForm("amenities_within", "nearby", _CENTER, {**_RADIUS, "type": ParamForm("type")}, _tell_found))
one_call(
    CallForm(
        "places_in",
        "places_in",
        {"area": PortForm("area", id_of)},
        {name: _SOUGHT[name] for name in ("type", "attributes", "limit")},
        lambda result, bound: {
            "members": result["places"],
            "more": result["more"],
            "total": result["total"],
        },
    )
)


def _tell_place(result: Mapping[str, Any], bound: Bound) -> Mapping[str, Any]:
    return {"members": [_known(result)]}


def _known(result: Mapping[str, Any]) -> Mapping[str, Any]:
    """A place with what the map says of it."""
    return {**result["place"], **{name: result[name] for name in ("types", "regions", "attributes")}}


_PLACE: Final = {"place": PortForm("place", id_of)}
one_call(CallForm("place_details", "place_details", _PLACE, {}, _tell_place))
one_call(CallForm("amenity_of", "place_details", _PLACE, {}, _tell_place))


@operator("batch_place_details")
def batch_place_details(bound: Bound) -> Work:
    """What the map says of several places, in their order."""
    members = []
    for place in places_at(bound.all("places")):
        members.append(_known((yield from ask("place_details", place=_id(place)))))
    return [Value("OBJECT", {"members": members, **cut_off_as(bound.all("places"))})]


@operator("opening_hours")
def opening_hours(bound: Bound) -> Work:
    """The opening hours of a place as the map writes them."""
    result = yield from ask("place_details", place=id_of(bound.one("place")))
    hours = result["attributes"].get("opening_hours")
    if hours is None:
        raise OperatorFault(f"the map has no opening hours of {result['place'].get('name')!r:.80}", "data")
    return [Value("EVENT", {"time": hours, "hours": hours, "place": result["place"], RESULT: result})]


@operator("filter_places")
def filter_places(bound: Bound) -> Work:
    """The places whose attribute has the value: a field of the place, or what the map says of it.

    Of several values of a tag, joined by semicolons, one is enough; capitals and underscores do not matter.
    """
    attribute, wanted = bound.params["attribute"], _plain(bound.params["value"])
    members = []
    for place in places_at(bound.all("candidates")):
        known: Mapping[str, Any] = place
        if attribute not in place and "attributes" not in place:
            known = _known((yield from ask("place_details", place=_id(place))))
        said = known.get(attribute, known.get("attributes", {}).get(attribute))
        if wanted in {_plain(one) for one in str(said or "").split(";")}:
            members.append(known)
    return [Value("OBJECT", {"members": members, **cut_off_as(bound.all("candidates"))})]


def _plain(said: str) -> str:
    return said.strip().casefold().replace("_", " ")


def _id(place: Mapping[str, Any]) -> str:
    return id_of(Value("LOCATION", place))
