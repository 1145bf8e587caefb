"""Readings of questions about roads: how long one is."""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

import shapely

from app.benchmarks.urban_knowledge.second_path.roads import CLEARLY_OTHER, road_of
from app.questions.readings import Reading, readings
from app.questions.readings.features import left_out_by, readings_without
from app.questions.second_path import Layers, SecondAnswer
from app.questions.second_path.geodesy import spheroid_length
from app.questions.second_path.layers import Layer

BESIDE = 50.0
"""Metres between the two carriageways of one road, at most."""
_ONE_WAY = frozenset({"yes", "true", "1", "-1"})


def read_length(
    layers: Layers, parameters: Mapping[str, Any], answer: SecondAnswer, by_carriageway: bool
) -> Reading:
    """Without ways that not everybody may use, the length is still nearest to the same option; so it is by any measure,
    which changes it by less than a hundredth. `by_carriageway`: so it is where two carriageways count once."""
    road, length = layers["road"], answer.value["length"]
    _, ways = road_of(layers, parameters["road"])
    metres = {one: spheroid_length(road.geometries[one]) for one in ways}
    missing = {
        reading: sum(metres[one] for one in ways if reading in left_out_by(road, one))
        for reading in readings_without(road, ways)
    }
    if by_carriageway:
        missing["carriageways_once"] = sum(metres[one] for one in ways if _has_twin(road, one, ways)) / 2
    return Reading(
        frozenset(reading for reading, less in missing.items() if less >= CLEARLY_OTHER / 2 * length)
    )


def _has_twin(road: Layer, way: int, ways: Collection[int]) -> bool:
    """Whether another one-way way of the road runs beside the middle of a one-way way."""
    if road.rows[way].tags.get("oneway") not in _ONE_WAY:
        return False
    middle = shapely.line_interpolate_point(road.geometries[way], 0.5, normalized=True)
    return any(
        0 < shapely.line_locate_point(road.geometries[other], middle, normalized=True) < 1
        and road.boundary(other).distance(middle.x, middle.y) <= BESIDE
        for other in ways
        if other != way and road.rows[other].tags.get("oneway") in _ONE_WAY
    )


for _since, _by_carriageway in ((1, False), (4, True)):
    readings("urban_knowledge", "Query_Length", since=_since)(
        partial(read_length, by_carriageway=_by_carriageway)
    )
