"""Records in the form of EVGeoQA's release: invented stations east of Old Mill, in the places where tests want them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pyproj import Geod

from tests.conftest import SHARED

CASE = SHARED / "papers" / "evgeoqa-case.json"
"""Coordinates and distances of the one record that the authors show."""
GEOD = Geod(ellps="WGS84")
USER = (30.5, 120.4)
"""[latitude, longitude], as the release writes it."""


def station(number: int, at: tuple[float, float], km: float, **other: Any) -> dict[str, Any]:
    """A station of an answer at [latitude, longitude], with a stated distance."""
    return {
        "Station_id": f"B{number:03}",
        "Station_name": f"Station {number}",
        "Station_coord": list(at),
        "Distance": km,
        "Station_poi_type": "Food;Bakery;Bakery",
        "Station_poi_name": f"Bread {number}",
        "correlation_measure": 0.9,
        **other,
    }


def stations_east(steps: Sequence[float], user: tuple[float, float] = USER) -> list[dict[str, Any]]:
    """Stations so many degrees east of the user, with their exact distances."""
    found = []
    for number, step in enumerate(steps, 1):
        at = (user[0], user[1] + step)
        km = GEOD.inv(user[1], user[0], at[1], at[0])[2] / 1000
        found.append(station(number, at, km))
    return found


def record(number: int, stations: Sequence[Mapping[str, Any]], **other: Any) -> dict[str, Any]:
    """A question of the release."""
    return {
        "Question_id": number,
        "Question": "Where can I charge and buy bread?",
        "Question_location": "Old Mill",
        "Question_location_coord": list(USER),
        "Question_type": "advance",
        "Question_poi": "Bakery;Bakery ",
        "Answer": list(stations),
        **other,
    }


def as_published(records: Sequence[Mapping[str, Any]]) -> str:
    """The records as JSON, with the empty text that the published record has behind a distance."""
    text = json.dumps(records, ensure_ascii=False, indent=4)
    return text.replace('"Station_poi_type"', '""\n"Station_poi_type"', 1)


def write_records(path: Path, records: Sequence[Mapping[str, Any]]) -> Path:
    """A file of the release."""
    path.write_text(as_published(records), encoding="utf-8")
    return path


def case_record() -> dict[str, Any]:
    """The shown record: its coordinates and distances, with invented names."""
    case = json.loads(CASE.read_text())
    stations = [
        station(number, tuple(one["at"]), one["published_km"])
        for number, one in enumerate(case["stations"], 1)
    ]
    return record(1, stations, Question_location_coord=case["user"])
