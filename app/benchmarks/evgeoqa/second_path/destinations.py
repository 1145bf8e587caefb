"""Second path of Destination_With_Activity. Metres."""

import math
from itertools import pairwise
from typing import Any

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


@second_path("evgeoqa", "Destination_With_Activity")
def destination_with_activity(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The five nearest destinations that have the activity beside them."""
    klass = parameter(parameters, "destination", str)
    activity = parameter(parameters, "activity", str)
    if klass not in DESTINATIONS or activity not in ACTIVITIES:
        raise Refused("bad_parameters", destination=klass, activity=activity)
    at, density = _user_of(parameters)
    around = surroundings_of(layers)
    classes = ACTIVITIES[activity]
    beside = around.beside(klass, classes)
    candidates = [
        (metres, number, found)
        for metres, _, number in around.by_distance(klass, at)
        if (found := beside[number]) is not None
    ]
    key, rivals = candidates[:MOST], candidates[MOST : MOST + 1]
    outside = layers.outline is not None and not layers.outline.covers(shapely.Point(at))
    refusal = first_refusal(
        (klass in classes, "same_class"),
        (around.is_in_water(at), "in_water"),
        (outside, "outside"),
        (around.part_of(at) is None, "off_road"),
        (not key, "no_answer"),
    )
    if not key:
        return SecondAnswer({}, refusal)
    ones = around.destinations(klass)
    distances = [metres for metres, _, _ in key]
    share = sum(one is not None and one.distance <= BESIDE for one in beside) / len(ones)
    facts: dict[str, Any] = {"share": share, "distances": distances}
    rows = layers["poi"].rows
    refusal = refusal or first_refusal(
        (share < LEAST_SHARE, "rare_activity"),
        (share > MOST_SHARE, "common_activity"),
        (any(abs(found.distance - BESIDE) <= EDGE for _, _, found in [*key, *rivals]), "near_circle"),
        (
            any(
                ones[number].repaired or rows[found.position].repaired for _, number, found in [*key, *rivals]
            ),
            "repaired_geometry",
        ),
        (bool(rivals) and rivals[0][0] - distances[-1] < margin(distances[-1]), "margin"),
        (any(farther - nearer < TIED for nearer, farther in pairwise(distances)), "margin"),
        (_is_near_move(distances[0]), "near_tier"),
    )
    value = {
        "stations": [_station(layers, around, klass, one) for one in key],
        "tier": "10" if distances[0] < 10_000 else "20" if distances[0] < 20_000 else "none",
        "need_moves": max(0, math.ceil((distances[0] / 1000 - 5) / 5)),
        "user": {"lon": at[0], "lat": at[1]},
        "density": density,
    }
    return SecondAnswer(value, refusal, facts)


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


def _station(
    layers: Layers, around: Surroundings, klass: str, one: tuple[float, int, Found]
) -> dict[str, Any]:
    metres, number, found = one
    station, row = around.destinations(klass)[number], layers["poi"].rows[found.position]
    return {
        "osm_key": station.key,
        "osm_keys": list(station.keys),
        "name": station.name,
        "lon": station.at[0],
        "lat": station.at[1],
        "geodesic_m": metres,
        "drive_m": None,
        "activity": {"osm_key": row.osm_key, "name": row.name, "class": row.klass, "metres": found.distance},
    }
