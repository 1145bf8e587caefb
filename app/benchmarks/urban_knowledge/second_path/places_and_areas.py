"""Second path of the knowledge templates, each a question with four options.

Retrieve_Coordinates, Find_Nearest_POI, Find_Cover_AOI and Compare_Area_Size.
"""

from collections.abc import Callable
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from functools import partial
from typing import Any

import shapely

from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.boxes import boxes_around
from app.questions.second_path.layers import Layers, is_named
from app.questions.second_path.names import normal_form
from app.questions.second_path.nearby import nearest_facts, outline_refusal, place_of, rivals
from app.questions.second_path.reading import Row

EDGE_METRES = 1.0
"""Metres from the boundary of an area of interest within which a POI neither surely is inside nor outside."""
CLEARLY_SMALLER = 0.9
"""The largest part of an area, or of what it holds, that the next smaller one may have."""
Sharers = Callable[[Layers, Row], int]
"""How many objects there are of a row's name, that one included."""
RANKS = {"first": 0, "largest": 0, "second": 1, "third": 2, "smallest": 3}
"""How many of the four areas come before the one that is asked for."""
BEYOND_SQUARE_DEGREES = 1e-14
"""What of an area may lie beyond the outline by rounding alone: about a square centimetre."""
_WINDOW_METRES = 100.0
"""How far around a point areas are looked up: the edge distance, and what geodesic edges bend off lon/lat."""


def of_areas(layers: Layers, row: Row) -> int:
    """Among areas of interest: earlier versions of templates looked no farther."""
    return len(layers["aoi"].by_name.get(normal_form(row.name or ""), []))


def of_all(layers: Layers, row: Row) -> int:
    """Among everything that a reader could take the name for."""
    return len(layers.bearing.get(normal_form(row.name or ""), ()))


def subject_of(layers: Layers, parameters: Parameters) -> tuple[int, float, float, str | None]:
    """Position, lon and lat of the subject, and why it may not be asked about."""
    poi = layers["poi"]
    position, lon, lat = place_of(layers, parameters, "poi")
    row = poi.rows[position]
    named = is_named(row)
    return (
        position,
        lon,
        lat,
        first_refusal(
            (not named, "unnamed_subject"),
            (named and len(poi.by_name[normal_form(row.name or "")]) > 1, "name_not_unique"),
        ),
    )


def rounded(lon: float, lat: float) -> str:
    """A point as the options write it: degrees with five decimals, halves away from zero."""
    step = Decimal("0.00001")
    x, y = (Decimal(repr(value)).quantize(step, ROUND_HALF_UP) for value in (lon, lat))
    return f"({x}, {y})"


@second_path("urban_knowledge", "Retrieve_Coordinates")
def coordinates(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """Where a POI is."""
    position, lon, lat, unfit = subject_of(layers, parameters)
    value = {"text": rounded(lon, lat), "objects": [layers["poi"].keys[position]]}
    return SecondAnswer(value, unfit, {"lon": lon, "lat": lat})


@second_path("urban_knowledge", "Find_Nearest_POI")
def nearest_poi(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The name of the nearest other named POI."""
    poi = layers["poi"]
    position, lon, lat, unfit = subject_of(layers, parameters)
    found = poi.named_points().nearest(lon, lat, skip=position)
    if not found:
        raise Refused("no_candidate")
    facts = nearest_facts(found)
    close = rivals(found)
    refusal = first_refusal(
        (any(poi.rows[one.position].repaired for one in close), "repaired_geometry"),
        (len(close) > 1, "margin"),
    )
    outside = outline_refusal(layers, lon, lat, found[0].distance + facts["margin"], facts)
    key = poi.rows[found[0].position]
    return SecondAnswer({"text": key.name, "objects": [key.osm_key]}, unfit or refusal or outside, facts)


def areas_around(layers: Layers, lon: float, lat: float) -> tuple[list[int], dict[int, float]]:
    """Positions of the areas of interest that cover a point, and {position: metres} of boundaries too near."""
    aoi = layers["aoi"]
    if not len(aoi):
        return [], {}
    boxes = boxes_around(lon, lat, _WINDOW_METRES)
    nearby = sorted({one for box in boxes for one in aoi.tree.query(box).tolist()})
    point = shapely.Point(lon, lat)
    covering = [one for one in nearby if shapely.covers(aoi.geometries[one], point)]
    edges = {one: aoi.boundary(one).distance(lon, lat) for one in nearby}
    return covering, {one: metres for one, metres in edges.items() if metres < EDGE_METRES}


@second_path("urban_knowledge", "Find_Cover_AOI")
def covering_area_by_its_name_among_areas(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The name of the smallest area of interest that covers a POI; another place may have the same name."""
    aoi = layers["aoi"]
    position, lon, lat, unfit = subject_of(layers, parameters)
    covering, near_edge = areas_around(layers, lon, lat)
    if not covering:
        raise Refused("no_candidate")
    by_size = sorted(covering, key=lambda one: (aoi.area(one), aoi.keys[one]))
    smallest = aoi.area(by_size[0])
    facts: dict[str, Any] = {
        "area": smallest,
        "margin": max(10.0, 0.02 * smallest),
        "near_edge": {aoi.keys[one]: metres for one, metres in near_edge.items()},
    }
    if len(by_size) > 1:
        facts["second"] = aoi.area(by_size[1])
    own_name = normal_form(layers["poi"].rows[position].name or "")
    refusal = first_refusal(
        (any(aoi.rows[one].repaired for one in {*covering, *near_edge}), "repaired_geometry"),
        (bool(near_edge), "near_boundary"),
        (len(by_size) > 1 and facts["second"] - smallest < facts["margin"], "margin"),
        (any(normal_form(aoi.rows[one].name or "") == own_name for one in covering), "own_name"),
        (not is_named(aoi.rows[by_size[0]]), "unnamed_answer"),
    )
    key = aoi.rows[by_size[0]]
    return SecondAnswer({"text": key.name, "objects": [key.osm_key]}, unfit or refusal, facts)


@second_path("urban_knowledge", "Find_Cover_AOI", since=3)
def covering_area(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The name of the smallest area of interest that covers a POI, which nothing else on the map has."""
    found = covering_area_by_its_name_among_areas(layers, parameters)
    return found if found.refusal else replace(found, refusal=shared_name(layers, found))


def shared_name(layers: Layers, found: SecondAnswer) -> str | None:
    """Whether the name that is an answer may mean something else, as a refusal."""
    row = layers["aoi"].rows[layers["aoi"].position[found.value["objects"][0]]]
    return "name_not_unique" if of_all(layers, row) > 1 else None


def reaches_beyond(layers: Layers, area: int) -> bool:
    """Whether an area lies partly beyond the outline, where nobody knows what it holds; by more than rounding."""
    if layers.outline is None or layers.lies_in_outline("aoi", area):
        return False
    shape = layers["aoi"].geometries[area]
    return bool(shapely.difference(shape, layers.outline).area > BEYOND_SQUARE_DEGREES)


def four_areas(layers: Layers, parameters: Parameters, sharers: Sharers) -> tuple[list[int], str | None]:
    """The positions of four areas of interest, and why they may not be compared; raises Refused for other sets."""
    aoi = layers["aoi"]
    keys = parameter(parameters, "aois", list)
    if len(keys) != 4 or not all(isinstance(key, str) for key in keys) or keys != sorted(set(keys)):
        raise Refused("bad_parameters", parameter="aois", found=keys)
    unknown = [key for key in keys if key not in aoi.position]
    if unknown:
        raise Refused("unknown_object", layer="aoi", osm_key=unknown[0])
    rows = [aoi.rows[aoi.position[key]] for key in keys]
    return [aoi.position[key] for key in keys], first_refusal(
        (any(row.repaired for row in rows), "repaired_geometry"),
        (any(reaches_beyond(layers, aoi.position[key]) for key in keys), "leaves_outline"),
        (not all(is_named(row) for row in rows), "unnamed_answer"),
        (any(sharers(layers, row) > 1 for row in rows), "name_not_unique"),
    )


def rank_of(parameters: Parameters) -> int:
    """How many of the four areas come before the one asked for; raises Refused for a rank that there is not."""
    rank = parameter(parameters, "rank", str)
    if rank not in RANKS:
        raise Refused("bad_parameters", parameter="rank", found=rank)
    return RANKS[rank]


def steps_of(parameters: Parameters, by_size: list[int]) -> list[tuple[int, int]]:
    """Of four areas, largest first, the pairs that must be clearly apart: all, or the first from each other one."""
    if parameters["rank"] == "first":
        return [(by_size[0], one) for one in by_size[1:]]
    return [(by_size[i], by_size[i + 1]) for i in range(3)]


def area_of_rank(layers: Layers, parameters: Parameters, sharers: Sharers) -> SecondAnswer:
    """The name of that of four areas of interest which has the wanted rank by its size."""
    aoi = layers["aoi"]
    compared, unfit = four_areas(layers, parameters, sharers)
    positions = sorted(compared, key=lambda one: -aoi.area(one))
    key = aoi.rows[positions[rank_of(parameters)]]
    steps = steps_of(parameters, positions)
    facts = {"areas": {aoi.keys[one]: aoi.area(one) for one in positions}, "key": key.osm_key}
    refusal = first_refusal(
        (any(aoi.area(one) <= 0 for one, _ in steps), "zero"),
        (any(aoi.area(after) > CLEARLY_SMALLER * aoi.area(one) for one, after in steps), "margin"),
    )
    return SecondAnswer({"text": key.name, "objects": [key.osm_key]}, unfit or refusal, facts)


for _since, _sharers in ((1, of_areas), (3, of_all)):
    second_path("urban_knowledge", "Compare_Area_Size", _since)(partial(area_of_rank, sharers=_sharers))
