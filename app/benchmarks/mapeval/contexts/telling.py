"""What the contexts of each template's questions tell: the places that it names, and what lies around them."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from app.benchmarks.mapeval.contexts.blocks import (
    HOURS,
    LOCATION,
    Block,
    Result,
    attribute_word,
    called,
    information,
    nearby_list,
    sought_in,
)
from app.benchmarks.mapeval.contexts.writing import Teller, Told, tells
from app.questions.contexts import NoContext

LISTED = 20
"""Places of a list without a radius: as many as a tool lists at most."""
RANKS = ("first", "second", "third", "fourth", "fifth")
"""The words by which questions ask for a place in the order of distances."""


def _tell_places(
    teller: Teller, keys: Sequence[str], needed: Collection[str]
) -> tuple[list[Block], list[str]]:
    """What is known of these places, and their names."""
    found = [teller.details(key) for key in keys]
    return [information(one, needed) for one in found], [called(one["place"]) for one in found]


@tells("Straight_Line_Distance", "Direction_From")
def two_places(teller: Teller) -> Told:
    """Where the two places are."""
    keys = [str(teller.asked.parameters[name]) for name in ("origin", "destination")]
    blocks, names = _tell_places(teller, keys, [LOCATION])
    return Told(blocks, {"origin": names[0], "destination": names[1]}, keys[0], names)


@tells("Landmark_In_Direction")
def places_around(teller: Teller) -> Told:
    """Where the anchor is, and the places that are compared."""
    keys = [str(teller.asked.parameters["anchor"]), *map(str, teller.asked.parameters["places"])]
    blocks, names = _tell_places(teller, keys, [LOCATION])
    asks = {"anchor": names[0], "direction": teller.asked.binds["direction"]}
    return Told(blocks, asks, keys[0], names)


@tells("Closest_Pair", "Farthest_Pair")
def pairs(teller: Teller) -> Told:
    """Where the places of all pairs are."""
    keys = [*map(str, teller.asked.parameters["places"])]
    blocks, names = _tell_places(teller, keys, [LOCATION])
    paired = [list(pair) for pair in zip(names[::2], names[1::2], strict=True)]
    extreme = "closest" if teller.asked.template == "Closest_Pair" else "farthest"
    return Told(blocks, {"pairs": paired, "extreme": extreme}, keys[0], names)


@tells("Lies_Between")
def places_between(teller: Teller) -> Told:
    """Where both ends are, and the places that are compared."""
    given = teller.asked.parameters
    keys = [str(given["origin"]), str(given["destination"]), *map(str, given["places"])]
    blocks, names = _tell_places(teller, keys, [LOCATION])
    return Told(blocks, {"origin": names[0], "destination": names[1]}, keys[0], names)


@tells("Open_At")
def place_with_hours(teller: Teller) -> Told:
    """When the place is open."""
    key = str(teller.asked.parameters["place"])
    blocks, names = _tell_places(teller, [key], [HOURS])
    return Told(blocks, {"place": names[0], "moment": teller.asked.binds["moment"]}, key, names)


@tells("Attribute_Of")
def place_with_attribute(teller: Teller) -> Told:
    """What the map tells of the place."""
    key, attribute = str(teller.asked.parameters["place"]), str(teller.asked.binds["attribute"])
    blocks, names = _tell_places(teller, [key], [attribute])
    return Told(blocks, {"place": names[0], "attribute": attribute_word(attribute)}, key, names)


def _list_around(teller: Teller, **more: Any) -> tuple[str, Result]:
    """The osm_key of the anchor, and the places of the category around it."""
    anchor = str(teller.asked.parameters["anchor"])
    return anchor, teller.call("nearby", where=anchor, type=str(teller.asked.binds["category"]), **more)


@tells("Nearest_Of_Type")
def nearest_of_type(teller: Teller) -> Told:
    """The places of the kind, the nearest first."""
    anchor, found = _list_around(teller, limit=LISTED)
    return _told_list(found, anchor, 1)


@tells("Kth_Nearest")
def nearest_of_rank(teller: Teller) -> Told:
    """The places of the kind, the nearest first."""
    anchor, found = _list_around(teller, limit=LISTED)
    rank = RANKS.index(str(teller.asked.binds["ordinal"])) + 1
    return _told_list(found, anchor, rank, rank=rank)


@tells("Count_Within")
def places_within(teller: Teller) -> Told:
    """The places of the kind within the distance."""
    radius = float(teller.asked.binds["distance"])
    anchor, found = _list_around(teller, radius_m=radius)
    if found["more"]:
        raise NoContext("too_many_answers")
    return _told_list(found, anchor, len(found["places"]) or 1, radius_m=radius)


@tells("Nearest_With")
def nearest_that_has_something(teller: Teller) -> Told:
    """The places of the kind that have it, the nearest first, beside all of the kind."""
    kind, tag, value = str(teller.asked.binds["category"]).split(",")
    anchor = str(teller.asked.parameters["anchor"])
    having = teller.call("nearby", where=anchor, type=kind, attributes={tag: value}, limit=LISTED)
    every = teller.call("nearby", where=anchor, type=kind, limit=LISTED)
    told = _told_list(having, anchor, 1)
    return replace(told, blocks=[*told.blocks, nearby_list(every)])


@tells("Open_Nearby")
def places_with_hours(teller: Teller) -> Told:
    """The places of the kind within the distance, and what is known of those whose hours are."""
    radius = float(teller.asked.binds["distance"])
    anchor, found = _list_around(teller, radius_m=radius)
    if found["more"]:
        raise NoContext("too_many_answers")
    details = [teller.details(place["id"]) for place in found["places"]]
    known = [one for one in details if HOURS in one["attributes"]]
    blocks = [information(one, [HOURS]) for one in known]
    told = _told_list(
        found, anchor, len(found["places"]), radius_m=radius, moment=teller.asked.binds["moment"]
    )
    names = [*told.names, *(called(one["place"]) for one in known)]
    return replace(told, blocks=[*told.blocks, *blocks], names=names)


@tells("Not_On_The_Map")
def places_to_choose_from(teller: Teller) -> Told:
    """What is known of the places that are offered, and where they are: nothing of it answers."""
    anchor, found = _list_around(teller, limit=LISTED)
    blocks, names = _tell_places(teller, teller.asked.option_keys, [])
    around = found["position"]["name"]
    return Told([nearby_list(found), *blocks], {}, anchor, [around, *names], [found["sought"]])


def _told_list(found: Result, anchor: str, needed: int, **more: Any) -> Told:
    """A list around the anchor, of which the answer needs the first places."""
    name = found["position"]["name"]
    asks = {"anchor": name, "kind": sought_in(found), **more}
    return Told([nearby_list(found, needed)], asks, anchor, [name], [found["sought"]])
