"""What of a map a stored question watches: where, and which layers and classes, a change could change it. Pure.

Stored footprints hold the same for whoever looks at a map, as polygons: a circle's is drawn inside it, and that of a
road in an area lacks the ground around the area. Here a place is an object and how many metres around it.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from app.core.identity import digest
from app.questions.derivations.base import clearance, tolerance_within
from app.questions.evidence import Key, parameter_keys
from app.templates.header import Header
from app.templates.templates import Template

Ground = Literal["range", "nearest", "scene", "region", "cover", "held", "road", "connections", "itself"]
GROUNDS: Mapping[str, Ground] = {
    **dict.fromkeys(("names_in_range", "locations_in_range"), "range"),
    **dict.fromkeys(("distances_in_range", "azimuths_in_range", "count_in_range"), "range"),
    **dict.fromkeys(
        ("nearest_name", "nearest_name_in_sector", "nearest_name_by_fact", "nearest_fact"), "nearest"
    ),
    **dict.fromkeys(("nearest_location", "nearest_location_in_sector"), "nearest"),
    **dict.fromkeys(("nearest_azimuth", "nearest_distance", "nearest_option"), "nearest"),
    "scene_option": "scene",
    **dict.fromkeys(("count_in_region", "area_in_region", "length_in_region"), "region"),
    **dict.fromkeys(("largest_in_region", "longest_in_region"), "region"),
    "cover_option": "cover",
    **dict.fromkeys(("pois_of_rank_option", "kinds_of_rank_option"), "held"),
    "junctions_option": "road",
    "connection_option": "connections",
    **dict.fromkeys(("area_of_rank_option", "landuse_option", "class_option", "instance_option"), "itself"),
    **dict.fromkeys(
        ("coordinates_option", "address_option", "name_at_address_option", "length_option"), "itself"
    ),
    **dict.fromkeys(("distance_option", "distance_in_context_option"), "itself"),
}
"""By derivation, where its SELECT looks besides the objects that the evidence names, and nodes where roads meet.

Questions of other derivations are always asked again."""

WATCHED: Mapping[Ground, Sequence[str]] = {
    "scene": ("poi:", "other_place:"),
    "cover": ("aoi:",),
    "held": ("poi:",),
    "road": (),
    "connections": ("road:",),
    "itself": (),
}
"""Classes, or whole layers, that count there, whatever a question asks about; elsewhere they are the question's own."""

PICKS_OF_OBJECTS: Mapping[str, Mapping[str, str]] = {
    "gsqa": {
        "anchor_poi": "feecaebb5832aff17ed121d9518a70aa",
        "distance_band": "fd3be777d229325cf016d1f58b4721b1",
        "ground": "b85fe0164d5c47f26f19afcfd0c230a2",
        "line": "fcc222747bd0a8cceda7db96a7a035a9",
        "sector": "f6dc4c005234471bc9e40985e6b30066",
        "semantics": "6d42c0d692d1db9befa3c6f914e8553f",
        "surface": "f68b43dd29f03baf6d59b7fdb6ffe76d",
    },
    "urban_knowledge": {
        "addressed_poi": "7dc48680d945d004d5f42f29d300f307",
        "area_rank": "e4dd2f4c0910d8d0027b424d658f495c",
        "classed_poi": "8e5484703092a76a4fbafcfc97710adf",
        "connection_form": "b8fa05ac7bf3c0030ce9841b3ad45e22",
        "covered_poi": "a60257b852aba97e0836a358da735b11",
        "instance_poi": "b50d1f0c4c79a74129de5574352e725b",
        "named_road": "eaa3e0d5556e025a65c30a02f2a0697b",
        "neighboured_poi": "66ed2776fa08c9311070ddf35cba3b7c",
        "road_in_aoi": "d0a01d4a1068948ead30d9b269baaf1a",
        "unique_aoi": "5f28a21dfba96ce5deab31d7d435dc6f",
        "unique_poi": "72a76cd057e1266e3305e322a3de1491",
        "used_aoi": "22a23e1526e2efd3cc4931f505f64ef2",
    },
}
"""By benchmark, picks that offer an object, and name it, by nothing but what it is, where the map ends, and whether
another has its name; or that are the same on every map. What else a row of theirs tells only drawing needs.

With the digest of the file of which this was found true: a pick that says anything else now, and any that is not here,
is read, and compared with what was told."""
COUNTING_PICKS: Mapping[str, Mapping[str, str]] = {
    "gsqa": {"food_category": "349af764d33bd536852aadfeef037f8e"},
}
"""By benchmark, picks that are the same on every map but for how many places each row has; with digests as above."""
SELECTIVE = ("names_in_range", "locations_in_range")
"""Derivations that may accept no more than a share of all places of their category, which a pick counts."""
KINDS_AS_OPTIONS = ("class_option", "scene_option")
"""Derivations whose wrong options are classes of places, which must occur on the map."""

LEAST_WRONG = 3
"""How many wrong options a question about connections needs."""
TWINS = 30.0
"""Metres within which another place of the same name makes a count doubtful."""
COUNTING = ("count_in_range", "count_in_region", "pois_of_rank_option")
"""Derivations that count places."""
SLACK = 1.0
"""Metres beyond those that decide."""
ROUNDING = 0.1
"""By what share a part, cut off in lon/lat, may at most measure more than the whole, whose edges are geodesics."""

Heed = Literal["content", "told", "drawn", "roads"]
"""What of an object counts: all of it; its name, class and shape; its class and shape; all of a road, and of any other
name, class and shape."""
HEEDS: Mapping[str, Heed] = {
    **dict.fromkeys(("largest_in_region", "longest_in_region"), "told"),
    **dict.fromkeys(("area_in_region", "length_in_region"), "drawn"),
    "count_in_region": "told",
    **dict.fromkeys(("junctions_option", "connection_option"), "roads"),
}
"""By derivation, what of an area or a region, and of what is in it; of all else all counts.

How many tags a region, an area or a road has is told anew without asking."""

LEADING = ("largest_in_region", "longest_in_region")
"""Derivations for which, of what counts in a region, the first and the second decide."""
NAMED = (*LEADING, "connection_option")
"""Derivations for which only what has a name counts."""


class Watch(NamedTuple):
    """A class of a layer (empty: every class) that counts within so many metres of an object; None: anywhere."""

    layer: str
    klass: str
    around: Key
    metres: float | None
    named: bool = False
    """Whether only what has a name counts."""
    least: float = 0.0
    """Square metres, or metres with all of the same name, below which nothing counts."""


class Asked(NamedTuple):
    """A stored question as far as it must be known to tell what it watches."""

    id: str
    position: int
    template: str
    snapshot_id: int
    text: str | None
    """Where the map may tell its parameters otherwise though their objects are as they were; else None."""
    shown: int
    """How many options it has."""
    options: Sequence[str] | None
    """Of a question whose wrong options are classes of places; else None."""
    parameters: Mapping[str, Any]
    facts: Mapping[str, Any]
    """Of a question for a nearest place, metres to the `nearest` and the `second`; of one for the largest or longest,
    square metres or metres of the `second`; of one about connections, how many roads are connected (`direct`), and at
    two hops (`hops`)."""
    answers: int
    """Of a question that may not accept too many, how many objects its gold has, tolerated ones too."""
    classes: Sequence[str]
    osm_keys: Sequence[str]
    name_keys: Sequence[str]
    uses_outline: bool


def templates_told_more(templates: Mapping[str, Template], same_outline: bool) -> dict[str, list[str]]:
    """The templates whose questions must be known with options, text, `facts` of a kind, or number of `answers`."""
    derived = {name: template.header.derive for name, template in templates.items()}

    def those(derivations: Container[str]) -> list[str]:
        return [name for name, derive in derived.items() if derive in derivations]

    return {
        "offering": those(KINDS_AS_OPTIONS),
        "reading": [name for name, one in templates.items() if not (same_outline and tells_of_objects(one))],
        "measured": those([*LEADING, *(one for one, ground in GROUNDS.items() if ground == "nearest")]),
        "connected": those([one for one, ground in GROUNDS.items() if ground == "connections"]),
        "selective": those(SELECTIVE),
    }


def tells_of_objects(template: Template) -> bool:
    """Whether the template's questions are offered, and read, as they were while their objects are as they were.

    So long as nothing that changed shares a name with these objects, and the map ends where it did. How many places
    there are of a category is left aside.
    """
    known = {**PICKS_OF_OBJECTS.get(template.benchmark, {}), **COUNTING_PICKS.get(template.benchmark, {})}
    return all(known.get(name) == digest(text) for name, text in template.picks.items())


def heed(header: Header) -> Heed:
    """What counts of the objects that a question of the template stands on, and of those that it watches."""
    return HEEDS.get(header.derive, "content")


def watches(header: Header, one: Asked, changed: set[str]) -> Iterator[Watch]:
    """Where changes could change what the question's SELECT and its second path find.

    `changed` are the classes of what changed, and its layers, each as a footprint names it: no other is watched.
    """
    ground = GROUNDS[header.derive]
    classes = changed.intersection(WATCHED.get(ground, one.classes))
    if not classes:
        return
    objects = parameter_keys(header, one.parameters)
    beyond = TWINS if header.derive in COUNTING else 0.0
    if ground in ("range", "nearest", "scene"):
        radius = _radius(header, ground, one)
        yield from _every(classes, objects[:1], None if radius is None else radius + beyond)
    elif ground == "region":
        near = max(header.constants.get(name, 0.0) for name in ("edge_metres", "along_metres"))
        metres = near + SLACK + beyond
        yield from _every(classes, objects, metres, header.derive in NAMED, _least(header, one))
    elif ground in ("cover", "held"):
        yield from _every(classes, objects, header.constants["edge_metres"] + SLACK + beyond)
    elif ground == "connections" and not _needs_no_farther_roads(header, one):
        yield from _every(classes, objects[:1], _around(header), header.derive in NAMED)


def edges(header: Header, one: Asked) -> Iterator[tuple[Key, float]]:
    """Objects, and how many metres around each must lie as they do to the outline."""
    ground = GROUNDS[header.derive]
    objects = parameter_keys(header, one.parameters)
    if ground in ("range", "nearest", "scene"):
        yield objects[0], _searched(header, ground, one)
    elif header.parameters and any(parameter.area for parameter in header.parameters.values()):
        yield objects[0], _around(header)
    elif header.requires[0] == "road":
        yield from ((("road", key), SLACK) for key in one.osm_keys)
    else:
        yield from ((key, SLACK) for key in objects)


def _every(
    classes: Iterable[str],
    objects: Sequence[Key],
    metres: float | None,
    named: bool = False,
    least: float = 0.0,
) -> Iterator[Watch]:
    for one in classes:
        layer, _, klass = one.partition(":")
        yield from (Watch(layer, klass, key, metres, named, least) for key in objects)


def _least(header: Header, one: Asked) -> float:
    """What is smaller is neither the largest nor the one behind it, from which the margin is measured."""
    second = one.facts.get("second") if header.derive in LEADING else None
    return 0.0 if second is None else float(second) * (1 - ROUNDING) - SLACK


def _needs_no_farther_roads(header: Header, one: Asked) -> bool:
    """Whether a question about connections can be asked whatever roads there are that are not connected."""
    direct, hops = one.facts["direct"], one.facts["hops"]
    return bool(direct <= header.limits["few"] or hops >= LEAST_WRONG)


def _around(header: Header) -> float:
    return header.constants["around_metres"] + header.constants["edge_metres"] + SLACK


def _radius(header: Header, ground: Ground, one: Asked) -> float | None:
    """How far from its anchor a question sees; of a nearest, as far as the second, whose distance its proof tells."""
    if ground != "nearest":
        return _searched(header, ground, one)
    second = one.facts.get("second")
    return None if second is None else second + SLACK


def _searched(header: Header, ground: Ground, one: Asked) -> float:
    """How far around its anchor the outline must reach."""
    if ground == "nearest":
        nearest = float(one.facts["nearest"])
        return nearest + clearance(nearest, header.margins) + SLACK
    if ground == "scene":
        return max(header.constants["scene_metres"], header.constants["clear_metres"]) + 1 + SLACK
    binds = {**header.constants, "distance": one.parameters["distance"]}
    return float(one.parameters["distance"]) + tolerance_within(binds) + SLACK
