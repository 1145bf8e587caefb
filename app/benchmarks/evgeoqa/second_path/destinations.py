"""Second path of Destination_With_Activity, and what its questions have in common with those about drives. Metres."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import shapely

from app.benchmarks.evgeoqa.second_path.activities import ACTIVITIES, DESTINATIONS
from app.benchmarks.evgeoqa.second_path.merging import BESIDE, EDGE, LonLat, Surroundings, surroundings_of
from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.geodesy import Found, margin
from app.questions.second_path.layers import Layers

MOST = 5
LEAST_SHARE, MOST_SHARE = 0.05, 0.60
TIED = 1.0
VIEW = 5000.0


class Candidate(NamedTuple):
    """A destination that has the activity beside it: how far it is, its number, and the nearest such place."""

    metres: float
    number: int
    found: Found


class Asked(NamedTuple):
    """What a question asks, and all destinations that could be right, the nearest first."""

    layers: Layers
    around: Surroundings
    klass: str
    classes: frozenset[str]
    at: LonLat
    density: str
    candidates: Sequence[Candidate]

    def place(self, one: Candidate) -> LonLat:
        """Where a candidate is."""
        return self.around.destinations(self.klass)[one.number].at


@second_path("evgeoqa", "Destination_With_Activity")
def destination_with_activity(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The five nearest destinations that have the activity beside them."""
    asked = read_asked(layers, parameters)
    key, rivals = split_candidates(asked.candidates)
    refusal, share = common_refusal(asked)
    if not key:
        return SecondAnswer({}, refusal)
    facts: dict[str, Any] = {"share": share, "distances": [one.metres for one in key]}
    return SecondAnswer(value_of(asked, key), refusal or doubt_of_distances(asked, key, rivals), facts)


def read_asked(layers: Layers, parameters: Parameters) -> Asked:
    """What a question asks. Raises Refused for parameters that no question has."""
    klass = parameter(parameters, "destination", str)
    activity = parameter(parameters, "activity", str)
    if klass not in DESTINATIONS or activity not in ACTIVITIES:
        raise Refused("bad_parameters", destination=klass, activity=activity)
    at, density = _user_of(parameters)
    around = surroundings_of(layers)
    classes = ACTIVITIES[activity]
    beside = around.beside(klass, classes)
    candidates = [
        Candidate(metres, number, found)
        for metres, _, number in around.by_distance(klass, at)
        if (found := beside[number]) is not None
    ]
    return Asked(layers, around, klass, classes, at, density, candidates)


def split_candidates(candidates: Sequence[Candidate]) -> tuple[Sequence[Candidate], Sequence[Candidate]]:
    """The key, and the first that is not in it, if there is one."""
    return candidates[:MOST], candidates[MOST : MOST + 1]


def common_refusal(asked: Asked) -> tuple[str | None, float]:
    """Why the question cannot be asked whatever the order, and the share of destinations with the activity."""
    outline, around = asked.layers.outline, asked.around
    beside = around.beside(asked.klass, asked.classes)
    share = sum(one is not None and one.distance <= BESIDE for one in beside) / max(len(beside), 1)
    refusal = first_refusal(
        (asked.klass in asked.classes, "same_class"),
        (around.is_in_water(asked.at), "in_water"),
        (outline is not None and not outline.covers(shapely.Point(asked.at)), "outside"),
        (around.part_of(asked.at) is None, "off_road"),
        (not asked.candidates, "no_answer"),
        (share < LEAST_SHARE, "rare_activity"),
        (share > MOST_SHARE, "common_activity"),
    )
    return refusal, share


def doubt_of_places(asked: Asked, key: Sequence[Candidate], rivals: Sequence[Candidate]) -> str | None:
    """Why it is not sure what lies beside the destinations, or in which tier the question is."""
    ones, rows, both = asked.around.destinations(asked.klass), asked.layers["poi"].rows, [*key, *rivals]
    repaired = any(ones[one.number].repaired or rows[one.found.position].repaired for one in both)
    return first_refusal(
        (any(abs(one.found.distance - BESIDE) <= EDGE for one in both), "near_circle"),
        (repaired, "repaired_geometry"),
        (_is_near_move(key[0].metres), "near_tier"),
    )


def doubt_of_distances(asked: Asked, key: Sequence[Candidate], rivals: Sequence[Candidate]) -> str | None:
    """Why the key by straight line is not sure."""
    distances = [one.metres for one in key]
    return first_refusal(
        (bool(rivals) and rivals[0].metres - distances[-1] < margin(distances[-1]), "margin"),
        (any(farther - nearer < TIED for nearer, farther in pairwise(distances)), "margin"),
    ) or doubt_of_places(asked, key, rivals)


def value_of(asked: Asked, key: Sequence[Candidate]) -> dict[str, Any]:
    """Gold of a key."""
    first = key[0].metres
    return {
        "stations": [_station(asked, one) for one in key],
        "tier": "10" if first < 10_000 else "20" if first < 20_000 else "none",
        "need_moves": max(0, math.ceil((first / 1000 - 5) / 5)),
        "user": {"lon": asked.at[0], "lat": asked.at[1]},
        "density": asked.density,
    }


def _user_of(parameters: Parameters) -> tuple[LonLat, str]:
    """Lon and lat of the user, and how dense the place is said to be."""
    parts = parameter(parameters, "user", str).split(",")
    try:
        lon, lat, density = float(parts[0]), float(parts[1]), parts[2]
    except (ValueError, IndexError) as error:
        raise Refused("bad_parameters", user=parameters["user"]) from error
    if not (abs(lon) <= 180 and abs(lat) <= 90):
        raise Refused("bad_parameters", user=parameters["user"])
    return (lon, lat), density


def _is_near_move(distance: float) -> bool:
    """Whether a distance is so near to a multiple of 5 km that the number of moves is not sure."""
    steps = max(1, round(distance / VIEW))
    edge = steps * VIEW
    return abs(distance - edge) <= max(1.0, 0.001 * edge)


def _station(asked: Asked, one: Candidate) -> dict[str, Any]:
    station = asked.around.destinations(asked.klass)[one.number]
    row = asked.layers["poi"].rows[one.found.position]
    return {
        "osm_key": station.key,
        "osm_keys": list(station.keys),
        "name": station.name,
        "lon": station.at[0],
        "lat": station.at[1],
        "geodesic_m": one.metres,
        "drive_m": None,
        "activity": {
            "osm_key": row.osm_key,
            "name": row.name,
            "class": row.klass,
            "metres": one.found.distance,
        },
    }
