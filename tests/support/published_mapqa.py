"""Files in the form of MapQA's release: an invented region at 42 degrees north, with a question of each type."""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.conftest import SHARED

RELEASE = SHARED / "published" / "mapqa"
Place = tuple[str, int, float, float]
"""Name, id in OpenStreetMap, and what stands under latitude and longitude."""
ANCHOR: Place = ("Old Mill", 1, 42.0, -88.0)
NEAR: Place = ("Bread; Butter", 2, 42.0003, -88.0)
FAR: Place = ("New Bridge", 3, 42.1, -88.0)
ON_PLANE: Place = ("Old Mill", 1, 5160979.44, -9796115.19)
"""The anchor in metres of EPSG:3857."""
EXCHANGED: Place = ("Old Mill", 1, -88.0, 42.0)
ROWS: Mapping[str, Sequence[tuple[str, str, str, Sequence[Place]]]] = {
    "adjacent_dataset": [
        (
            "1",
            "What bakery is next to Old Mill?",
            "Bread; Butter",
            [ANCHOR, ("Bread", 4, *NEAR[2:]), ("Butter", 5, *NEAR[2:])],
        ),
        ("4", "What bridge neighbors Old Mill?", "New Bridge", [ANCHOR, FAR]),
    ],
    "amenities_dataset": [("1", "What amenity is available at Old Mill?", "courthouse;library", [ANCHOR])],
    "amenities_around_dataset": [
        ("1", "What are the amenities within 100m of Old Mill?", "No amenities found", [EXCHANGED]),
        (
            "2",
            "What are the amenities within 100m of New Bridge?",
            "bar; cafe",
            [("New Bridge", 3, -88.0, 42.1)],
        ),
    ],
    "amenities-around-specific": [
        (
            "7",
            "What bars are within 50m of Old Mill?",
            "Bread;Butter",
            [ANCHOR, ("Bread;Butter", 2, *NEAR[2:])],
        )
    ],
    "compare-closer": [
        (
            "1",
            "Which is closer to Old Mill, Bread or New Bridge?",
            "New Bridge",
            [ANCHOR, ("Bread", 4, *NEAR[2:]), FAR],
        ),
        (
            "2",
            "Which is closer to Bread, Old Mill or New Bridge?",
            "Old Mill",
            [("Bread", 4, 42.0, -88.0), ("Old Mill", 1, *NEAR[2:]), FAR],
        ),
    ],
    "direction_nearest_dataset": [
        ("1", "What is the nearest bridge found north of Old Mill?", "New Bridge", [ON_PLANE, FAR]),
        ("2", "What is the nearest bridge found south of Old Mill?", "New Bridge", [ON_PLANE, FAR]),
        ("3", "What is the nearest bbq found east of Old Mill?", "", [ON_PLANE, ("null", 9, 42.0, -87.9)]),
    ],
    "distance_dataset": [
        ("1", "How far is Old Mill from New Bridge?", "14990.55 meters", [ANCHOR, FAR]),
        ("2", "How far is Old Mill from the Moon?", "far", [ANCHOR, FAR]),
    ],
    "intersection_dataset": [
        ("0", "Which bakery is closest to where 1st meets 2nd Street?", "Bread", [("Bread", 4, *NEAR[2:])])
    ],
    "nearest_amenity_dataset": [
        ("1", "What is the nearest bakery around Old Mill?", "Bread", [ANCHOR, ("Bread", 4, *NEAR[2:])])
    ],
}


def write_release(folder: Path, rows: Mapping[str, Any] = ROWS) -> Path:
    """Write the files of a region; the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, questions in rows.items():
        with (folder / f"{name}.csv").open("w", newline="") as file:
            header = ["Question", "Answer"] if name == "distance_dataset" else ["ID", "Question", "Answer"]
            csv.writer(file).writerows(
                [header, *([number, text, answer] for number, text, answer, _ in questions)]
            )
        places = {
            number: {
                called: {"osm_id": osm_id, "latitude": lat, "longitude": lon}
                for called, osm_id, lat, lon in named
            }
            for number, _, _, named in questions
        }
        (folder / f"{name}.json").write_text(json.dumps(places))
    return folder
