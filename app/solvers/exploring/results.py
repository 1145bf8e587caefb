"""What results of GeoRover's tools say, read again. Pure.

A result that is too large for its step is stored as a sentence alone, which has neither the ids of places nor those of
a station's points.
"""

import json
from typing import Any, NamedTuple

from app.agent_tools.georover.coordinates import LonLat, read_coordinate
from app.agent_tools.outcomes import ToolOutcome


class SeenStation(NamedTuple):
    """A station; `members` are the ids of its points, as far as they are told."""

    id: str
    name: str
    point: LonLat
    members: frozenset[str]


class SeenPoi(NamedTuple):
    """A place: its id where it is told, and its types in words."""

    id: str | None
    kinds: frozenset[str]


def read_stations(outcome: ToolOutcome) -> list[SeenStation]:
    """The stations that Search_Stations told."""
    if outcome.result is not None:
        return [
            SeenStation(one["id"], one["name"], LonLat(one["lon"], one["lat"]), frozenset(one["osm_keys"]))
            for one in outcome.result["stations"]
        ]
    return [
        SeenStation(
            one["station_id"],
            one["station_name"],
            read_coordinate(one["coord"]),
            frozenset([one["station_id"]]),
        )
        for one in _read_sentence(outcome)
    ]


def read_pois(outcome: ToolOutcome) -> list[SeenPoi]:
    """The places that Search_Nearby_POI told."""
    told = outcome.result["pois"] if outcome.result is not None else _read_sentence(outcome)
    return [SeenPoi(one.get("id"), frozenset(one["type"].split("; "))) for one in told]


def read_new_location(outcome: ToolOutcome) -> LonLat:
    """Where Change_Current_Location led."""
    assert outcome.result is not None  # it is short
    return LonLat(*outcome.result["new_location"])


def _read_sentence(outcome: ToolOutcome) -> list[dict[str, Any]]:
    """The objects of a sentence; none where it was cut, since it is no JSON then."""
    try:
        told: list[dict[str, Any]] = json.loads(outcome.sentence)
    except ValueError:
        return []
    return told
