"""Second path of Destination: the places are looked for again, headings reckoned by vectors. Degrees, metres."""

from itertools import pairwise
from typing import Any

from app.benchmarks.urban_reasoning.second_path.two_places import (
    bearing_on_sphere,
    decimal_text,
    judged,
    metres_on_sphere,
)
from app.questions.second_path.answering import Parameters, Refused, SecondAnswer, first_refusal, second_path
from app.questions.second_path.geodesy import GEOD, circular_difference, measure
from app.questions.second_path.layers import Layers, is_named
from app.questions.second_path.names import normal_form
from app.questions.second_path.told_places import compared_places, metres_between, place_called
from app.questions.second_path.verdicts import Verdict, wrong_rule

ALONG = ((0.12, 6.0), (0.24, -6.0), (0.36, 5.0), (0.48, -5.0), (0.60, 3.0), (0.72, 0.0))
AROUND = ((0.25, 90.0), (0.30, 150.0), (0.35, 210.0), (0.25, 270.0))
END = 0.72
AHEAD, ELSEWHERE = 30.0, 60.0
NEAREST, FARTHEST = 500.0, 30_000.0
NEAREST_AT_FIRST = 3000.0
"""Metres from the start of a way to its destination, at least, in the first version of the template."""


@second_path("urban_reasoning", "Destination")
def destination_of_long_way(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The candidate ahead of a way of 3 km or more."""
    return _destination(layers, parameters, NEAREST_AT_FIRST)


@second_path("urban_reasoning", "Destination", since=2)
def destination(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The candidate ahead of a way of 500 m or more."""
    return _destination(layers, parameters, NEAREST)


def _destination(layers: Layers, parameters: Parameters, nearest: float) -> SecondAnswer:
    poi = layers["poi"]
    start, bound = compared_places(layers, parameters, 2)
    way = [start, *(_nearest(layers, *spot) for spot in _spots(layers, start, bound, ALONG))]
    candidates = [bound, *(_nearest(layers, *spot) for spot in _spots_around(layers, start, bound))]
    if len({*way, *candidates}) < len(way) + len(candidates):
        raise Refused("place_told_twice")
    points = {one: _printed(layers, one) for one in (*way, *candidates)}
    whole = metres_on_sphere(points[start], points[bound])
    headings = [
        bearing_on_sphere(points[way[-2]], points[way[-1]]),
        bearing_on_sphere(points[way[0]], points[way[-1]]),
    ]
    offs = {
        one: [
            float(circular_difference(bearing_on_sphere(points[way[-1]], points[one]), head))
            for head in headings
        ]
        for one in candidates
    }
    ahead = max(offs[bound]) <= AHEAD
    elsewhere = all(offs[one][0] >= ELSEWHERE for one in candidates[1:])
    refusal = first_refusal(
        (not nearest <= whole <= FARTHEST, "way_out_of_range"), (not (ahead and elsewhere), "not_one_ahead")
    )
    by_name = sorted(candidates, key=lambda one: poi.rows[one].name or "")
    told = {
        "bearings_of_legs": [
            round(bearing_on_sphere(points[one], points[other]), 2) % 360 for one, other in pairwise(way)
        ],
        "overall_bearing": round(headings[1], 2) % 360,
        "candidates": {
            poi.rows[one].name: {
                "metres": round(metres_on_sphere(points[way[-1]], points[one]), 1),
                "degrees_off_last_leg": round(offs[one][0], 2),
                "degrees_off_overall": round(offs[one][1], 2),
            }
            for one in by_name
        },
    }
    value = {
        "text": poi.rows[bound].name,
        "objects": [poi.keys[bound]],
        "way": [_told(layers, one) for one in way],
        "candidates": [_told(layers, one) for one in by_name],
        **judged("PR", poi.rows[bound].name or "", told),
    }
    facts = {"offs": {poi.keys[one]: offs[one][0] for one in candidates}, "candidates": candidates}
    return SecondAnswer(value, refusal, facts)


@wrong_rule("urban_reasoning", "Destination")
def lies_aside(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the place of that name is a candidate that lies well aside of the way, or behind its end."""
    one = place_called(layers, text, answer.facts["candidates"])
    if one is None:
        return False, "no candidate has this name"
    off = answer.facts["offs"][layers["poi"].keys[one]]
    return off >= ELSEWHERE, f"{off:.1f} degrees off the last heading"


def _spots(layers: Layers, start: int, bound: int, steps: Any) -> list[tuple[float, float]]:
    lon, lat = layers["poi"].coordinates[start].tolist()
    length, heading = metres_between(layers, start, bound)
    return [GEOD.fwd(lon, lat, heading + aside, share * length)[:2] for share, aside in steps]


def _spots_around(layers: Layers, start: int, bound: int) -> list[tuple[float, float]]:
    length, heading = metres_between(layers, start, bound)
    ((lon, lat),) = _spots(layers, start, bound, ((END, 0.0),))
    return [GEOD.fwd(lon, lat, heading + aside, share * length)[:2] for share, aside in AROUND]


def _nearest(layers: Layers, lon: float, lat: float) -> int:
    """The nearest place whose name tells it apart; of some that are equally near, the first by its key."""
    poi = layers["poi"]
    metres, _ = measure(lon, lat, poi.coordinates[:, 0], poi.coordinates[:, 1])
    for one in sorted(range(len(poi)), key=lambda position: (metres[position], poi.keys[position])):
        row = poi.rows[one]
        if (
            is_named(row)
            and not row.repaired
            and layers.bearing[normal_form(row.name or "")] == {row.osm_key}
        ):
            return one
    raise Refused("no_answer")


def _printed(layers: Layers, one: int) -> tuple[float, float]:
    """Lon and lat of a place as its printed coordinates tell them."""
    lon, lat = layers["poi"].coordinates[one].tolist()
    return float(decimal_text(lon)), float(decimal_text(lat))


def _told(layers: Layers, one: int) -> list[str]:
    lon, lat = layers["poi"].coordinates[one].tolist()
    return [layers["poi"].rows[one].name or "", f"({decimal_text(lat)}, {decimal_text(lon)})"]
