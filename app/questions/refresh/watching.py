"""What of a map a stored question watches: where, and which layers and classes, a change could change it. Pure.

Stored footprints hold the same for whoever looks at a map, as polygons: a circle's is drawn inside it, and that of a
road in an area lacks the ground around the area. Here a place is an object and how many metres around it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from app.benchmarks.header import Header
from app.questions.derivations.base import clearance, tolerance_within
from app.questions.derivations.roads import LEAST_WRONG
from app.questions.evidence import Key, parameter_keys

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

SLACK = 1.0
"""Metres beyond those that decide."""


class Watch(NamedTuple):
    """A class of a layer (empty: every class) that counts within so many metres of an object; None: anywhere."""

    layer: str
    klass: str
    around: Key
    metres: float | None


@dataclass(frozen=True)
class Asked:
    """A stored question as far as it must be known to tell what it watches."""

    id: str
    position: int
    template: str
    snapshot_id: int
    text: str
    options: Sequence[str] | None
    parameters: Mapping[str, Any]
    facts: Mapping[str, Any]
    """Of a question for a nearest place, metres to the `nearest` and the `second`; of one about connections, how many
    roads are connected (`direct`), and at two hops (`hops`)."""
    answers: int
    """How many objects its gold has, tolerated ones too."""
    classes: Sequence[str]
    osm_keys: Sequence[str]
    name_keys: Sequence[str]
    uses_outline: bool


def watches(header: Header, one: Asked) -> Iterator[Watch]:
    """Where changes could change what the question's SELECT and its second path find."""
    ground = GROUNDS[header.derive]
    if ground == "itself":
        return
    objects = parameter_keys(header, one.parameters)
    if ground in ("range", "nearest", "scene"):
        classes = ["poi:"] if ground == "scene" else one.classes
        yield from _every(classes, objects[:1], _radius(header, ground, one))
    elif ground == "region":
        yield from _every(one.classes, objects, header.constants.get("edge_metres", 0) + SLACK)
    elif ground == "cover":
        yield from _every(["aoi:"], objects, header.constants["edge_metres"] + SLACK)
    elif ground == "held":
        yield from _every(["poi:"], objects, header.constants["edge_metres"] + SLACK)
    elif ground == "connections" and not _needs_no_farther_roads(header, one):
        yield from _every(["road:"], objects[:1], _around(header))


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


def _every(classes: Sequence[str], objects: Sequence[Key], metres: float | None) -> Iterator[Watch]:
    for one in classes:
        layer, _, klass = one.partition(":")
        yield from (Watch(layer, klass, key, metres) for key in objects)


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
