"""Second path of the knowledge templates about how far two places are apart. Metres on the WGS84 ellipsoid."""

import re
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Decimal
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from app.benchmarks.urban_knowledge.second_path.places_and_areas import areas_around, subject_of
from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.geodesy import measure
from app.questions.second_path.layers import Layers
from app.questions.second_path.names import normal_form
from app.questions.second_path.reading import Row
from app.questions.second_path.verdicts import Verdict, wrong_rule

NEAREST, FARTHEST = 500.0, 25_000.0
"""Metres between which two places are asked about."""
CLEARLY_OTHER = Decimal("0.3")
"""Kilometres from the key within which another number is not surely wrong."""
MEAN_RADIUS = 6_371_008.8
NEARBY = 24
"""Among how many of the nearest places those are looked for whose names tell something else than the place's."""
_KILOMETRES = re.compile(r"((?:0|[1-9]\d?)\.\d\d) km")


def on_sphere(lon: float, lat: float, other_lon: float, other_lat: float) -> float:
    """Metres along the great circle of a sphere of the mean radius, by the haversine."""
    south, north = np.radians(lat), np.radians(other_lat)
    up, across = (north - south) / 2, np.radians(other_lon - lon) / 2
    squared = np.sin(up) ** 2 + np.cos(south) * np.cos(north) * np.sin(across) ** 2
    return float(2 * MEAN_RADIUS * np.arcsin(np.sqrt(squared)))


def in_kilometres(metres: float) -> Decimal:
    """Kilometres with two decimals."""
    return (Decimal(repr(metres)) / 1000).quantize(Decimal("0.01"), ROUND_HALF_EVEN)


def two_places(parameters: Parameters) -> tuple[str, str]:
    """The keys of two different places; raises Refused for what is not that."""
    keys = parameter(parameters, "pois", list)
    if len(keys) != 2 or not all(isinstance(key, str) for key in keys) or keys[0] == keys[1]:
        raise Refused("bad_parameters", parameter="pois", found=keys)
    return keys[0], keys[1]


@second_path("urban_knowledge", "Calculate_Distance")
def distance_between(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """How many kilometres lie between two POIs."""
    one, other = two_places(parameters)
    _, lon, lat, unfit = subject_of(layers, {"poi": one})
    _, other_lon, other_lat, other_unfit = subject_of(layers, {"poi": other})
    found, _ = measure(lon, lat, np.array([other_lon]), np.array([other_lat]))
    distance = float(found[0])
    off_middle = abs(distance % 10.0 - 5.0)
    facts: dict[str, Any] = {
        "distance": distance,
        "sphere": on_sphere(lon, lat, other_lon, other_lat),
        "key": str(in_kilometres(distance)),
    }
    refusal = first_refusal(
        (not NEAREST - 1e-3 <= distance <= FARTHEST + 1e-3, "out_of_range"),
        (off_middle < 0.005, "near_rounding"),
    )
    value = {
        "text": f"{facts['key']} km",
        "objects": [one, other],
        "distance": distance,
        "sphere": facts["sphere"],
    }
    return SecondAnswer(value, unfit or other_unfit or refusal, facts)


@wrong_rule("urban_knowledge", "Calculate_Distance")
@wrong_rule("urban_knowledge", "Calculate_Distance_Context")
def _another_distance(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Off on the ellipsoid, and farther than the key from what a sphere gives."""
    read = _KILOMETRES.fullmatch(text)
    if read is None:
        return False, "not kilometres with two decimals, written `1.23 km`"
    written, key = Decimal(read[1]), Decimal(answer.facts["key"])
    sphere = Decimal(repr(answer.facts["sphere"])) / 1000
    off = abs(written - key)
    wrong = off > CLEARLY_OTHER and abs(written - sphere) > abs(key - sphere)
    return wrong, f"{off} km off {key} km; wrong beyond {CLEARLY_OTHER} km"


class Hints(NamedTuple):
    """What a text says of where a place is: the key of an area, empty without one, and of the three nearest places."""

    area: str
    near: list[str]


def all_around(layers: Layers, key: str) -> Hints:
    """The smallest sound area around a POI, and the three named POIs nearest to it, whatever they are called."""
    poi, aoi = layers["poi"], layers["aoi"]
    position = poi.position[key]
    lon, lat = poi.coordinates[position].tolist()
    covering = [one for one in areas_around(layers, lon, lat)[0] if not aoi.rows[one].repaired]
    found = poi.named_points().first(8, lon, lat, skip=position)
    near = sorted(found, key=lambda one: (round(one.distance, 3), poi.keys[one.position]))[:3]
    if not covering or len(near) < 3:
        raise Refused("no_hints", osm_key=key)
    smallest = min(covering, key=lambda one: (aoi.area(one), aoi.keys[one]))
    return Hints(aoi.keys[smallest], sorted(poi.keys[one.position] for one in near))


def around_by_other_names(layers: Layers, key: str) -> Hints:
    """The same without the place itself and without names that hold the place's or lie in it; there may be no area."""
    poi, aoi = layers["poi"], layers["aoi"]
    position = poi.position[key]
    own = normal_form(poi.rows[position].name or "")
    lon, lat = poi.coordinates[position].tolist()

    def tells(row: Row) -> bool:
        name = normal_form(row.name or "")
        return row.osm_key != key and own not in name and name not in own

    covering = [
        one
        for one in areas_around(layers, lon, lat)[0]
        if not aoi.rows[one].repaired and tells(aoi.rows[one])
    ]
    found = poi.named_points().first(NEARBY, lon, lat, skip=position)
    told = [one for one in found if tells(poi.rows[one.position])]
    near = sorted(told, key=lambda one: (round(one.distance, 3), poi.keys[one.position]))[:3]
    if len(near) < 3:
        raise Refused("no_hints", osm_key=key)
    areas = sorted(covering, key=lambda one: (aoi.area(one), aoi.keys[one]))[:1]
    return Hints(aoi.keys[areas[0]] if areas else "", sorted(poi.keys[one.position] for one in near))


def distance_in_context(
    layers: Layers, parameters: Parameters, hints_of: Callable[[Layers, str], Hints]
) -> SecondAnswer:
    """How many kilometres lie between two POIs, and what the hints in the text stand on."""
    found = distance_between(layers, parameters)
    hints = [hints_of(layers, key) for key in two_places(parameters)]
    value = {**found.value, "areas": [one.area for one in hints], "near": [one.near for one in hints]}
    return SecondAnswer(value, found.refusal, found.facts)


for _since, _hints_of in ((1, all_around), (4, around_by_other_names)):
    second_path("urban_knowledge", "Calculate_Distance_Context", _since)(
        partial(distance_in_context, hints_of=_hints_of)
    )
