"""Second path of Nearest_Amenity, Nearest_In_Direction and At_Intersection. Metres, degrees."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import shapely

from app.questions.second_path.answering import (
    VALUE,
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.geodesy import Found, circular_difference, measure
from app.questions.second_path.layers import Layers, is_named
from app.questions.second_path.names import normal_form
from app.questions.second_path.nearby import described, nearest_facts, outline_refusal, rivals
from app.questions.second_path.reading import RoadNode
from app.questions.second_path.told_places import told_place

CLOSEST = 20.0
REACH_OF_CROSSING, REACH_OF_DIRECTION = 2000.0, 30000.0
EDGE_DEGREES, HALF_WIDTH, EDGE = 0.0001, 45.0, 1.0
MOST_LISTED = 20
"""Places that the tool nearby lists: the answer is among so many nearest ones of every side."""
AZIMUTHS: Mapping[str, float] = {"north": 0.0, "east": 90.0, "south": 180.0, "west": 270.0}


def _nearest(layers: Layers, found: Sequence[Found], reach: float = np.inf) -> SecondAnswer:
    """The first of what was found, by distance, and why it may not be asked for. Raises Refused for none."""
    if not found:
        raise Refused("no_answer")
    poi = layers["poi"]
    first, facts, close = found[0], nearest_facts(found), rivals(found)
    row = poi.rows[first.position]
    refusal = first_refusal(
        (first.distance < CLOSEST, "too_close"),
        (first.distance + facts["margin"] > reach, "too_far"),
        (len(close) > 1, "margin"),
        (any(poi.rows[one.position].repaired for one in close), "repaired_geometry"),
        (not is_named(row) or ";" in (row.name or ""), "unnamed_answer"),
    )
    one = described(poi, first)
    return SecondAnswer({"names": [row.name], "objects": [one], "tolerated": []}, refusal, facts)


def _kind(layers: Layers, parameters: Parameters, anchor: int | None = None) -> frozenset[str]:
    kind = parameter(parameters, "category", str)
    if anchor is not None and kind in layers["poi"].rows[anchor].classes:
        raise Refused("own_class")
    return frozenset({kind})


@second_path("mapqa", "Nearest_Amenity")
def nearest_amenity(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The amenity nearest to the centroid of an area."""
    position, lon, lat = told_place(layers, parameters, "anchor")
    kind = _kind(layers, parameters, position)
    ground = layers.place_areas.get(layers["poi"].keys[position])
    if ground is None:
        raise Refused("no_answer")
    centre = shapely.centroid(shapely.from_wkb(ground))
    found = layers["poi"].points_of(kind).nearest(centre.x, centre.y, skip=position)
    answer = _nearest(layers, found)
    off_centre, _ = measure(lon, lat, np.array([centre.x]), np.array([centre.y]))
    reach = answer.facts["nearest"] + answer.facts["margin"] + float(off_centre[0])
    outside = outline_refusal(layers, lon, lat, reach, answer.facts)
    return replace(answer, refusal=answer.refusal or outside)


@second_path("mapqa", "Nearest_In_Direction")
def nearest_in_direction(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The nearest amenity on one side of a place; under `sector`, within 45 degrees of the direction."""
    poi, direction = layers["poi"], parameter(parameters, "direction", str)
    if direction not in AZIMUTHS:
        raise Refused("bad_parameters", parameter="direction", found=direction)
    position, lon, lat = told_place(layers, parameters, "anchor")
    everywhere = poi.points_of(_kind(layers, parameters, position))
    found = everywhere.within(lon, lat, REACH_OF_DIRECTION, skip=position)
    axis, sign = (1, 1 if direction == "north" else -1) if direction in ("north", "south") else (0, 0)
    if axis == 0:
        sign = 1 if direction == "east" else -1
    side = {one.position: sign * (poi.coordinates[one.position, axis] - (lon, lat)[axis]) for one in found}
    beyond = [one for one in found if side[one.position] > -EDGE_DEGREES]
    answer = _nearest(layers, beyond, REACH_OF_DIRECTION)
    reach = answer.facts["nearest"] + answer.facts["margin"]
    refusal = first_refusal(
        (
            any(abs(side[one.position]) < EDGE_DEGREES for one in beyond if one.distance <= reach),
            "near_line",
        ),
        (found.index(beyond[0]) >= MOST_LISTED, "far_down_the_list"),
    )
    aside = {one.position: float(circular_difference(one.azimuth, AZIMUTHS[direction])) for one in beyond}
    outside = outline_refusal(layers, lon, lat, reach, answer.facts)
    keys = _of_sector(layers, [one for one in beyond if aside[one.position] <= HALF_WIDTH + EDGE], aside)
    return replace(answer, refusal=answer.refusal or refusal or outside, keys=keys)


def _of_sector(layers: Layers, found: Sequence[Found], aside: Mapping[int, float]) -> dict[str, Any]:
    if not found:
        return {}
    answer = _nearest(layers, found, REACH_OF_DIRECTION)
    reach = answer.facts["nearest"] + answer.facts["margin"]
    near_edge = any(aside[one.position] > HALF_WIDTH - EDGE for one in found if one.distance <= reach)
    return {} if answer.refusal or near_edge else {"sector": {"kind": VALUE, "value": answer.value}}


@second_path("mapqa", "At_Intersection")
def at_intersection(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The amenity nearest to the only node at which two roads meet."""
    node = node_of(layers, parameter(parameters, "crossing", list))
    spot = shapely.from_wkb(node.wkb)
    lon, lat = float(spot.x), float(spot.y)
    found = layers["poi"].points_of(_kind(layers, parameters)).nearest(lon, lat)
    answer = _nearest(layers, found, REACH_OF_CROSSING)
    reach = answer.facts["nearest"] + answer.facts["margin"]
    outside = outline_refusal(layers, lon, lat, reach, answer.facts)
    return replace(answer, refusal=answer.refusal or outside)


def node_of(layers: Layers, keys: Sequence[str]) -> RoadNode:
    """The node that ways of both names share; raises Refused where there is not just one."""
    road = layers["road"]
    if len(keys) != 2 or any(one not in road.position for one in keys):
        raise Refused("bad_parameters", parameter="crossing", found=list(keys))
    names = [road.rows[road.position[one]].name or "" for one in keys]
    of_each = [{node.node_id: node for node in _nodes_of(layers, name)} for name in names]
    shared = of_each[0].keys() & of_each[1].keys()
    if len(shared) != 1 or names[0] == names[1]:
        raise Refused("several_crossings", nodes=sorted(shared))
    return of_each[0][shared.pop()]


def _nodes_of(layers: Layers, name: str) -> list[RoadNode]:
    road = layers["road"]
    alike = road.by_name.get(normal_form(name), [])
    ways = [road.keys[one] for one in alike if road.rows[one].name == name]
    return [node for way in ways for node in layers.road_nodes.get(way, [])]
