"""A folder in the form of GS-QA's release: a few invented questions of every answer type, with answers of baselines."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ANCHOR = "POINT (9.52 47.14)"
SECRET = "Zur Goldenen Traube"
"""The name of an answer: nobody but maintainers may read it before the data set is opened."""


def place(name: str, lon: float = 9.53, lat: float = 47.15, **more: Any) -> dict[str, Any]:
    """An answer of the release."""
    address = {"addr_street": "Landstrasse", "addr_housenumber": "7", "addr_city": "Vaduz"}
    return {"id": 1, "geometry": f"POINT ({lon} {lat})", "poi_name": name, "osm_id": 7, **address, **more}


def question(answer_type: str, kind: str, answers: list[dict[str, Any]], text: str) -> dict[str, Any]:
    """A question.json."""
    return {
        "id": 1,
        "question": text,
        "sql": "SELECT pg_sleep(3600);",
        "answers": answers,
        "answer_type": answer_type,
        "type": kind,
        "question_entities": {"[1]": {"display_name": "Schloss Vaduz", "geo_wkt": ANCHOR}},
    }


def answers(
    text: str, parsed: Any, text_scores: Mapping[str, Any], parsed_scores: Mapping[str, Any]
) -> dict[str, Any]:
    """What baseline_answers.json says of one baseline."""
    return {
        "text": {"answer": text, "scores": dict(text_scores)},
        "parsed": {"answer": parsed, "scores": dict(parsed_scores)},
    }


RIGHT = {"attempted": True, "P": 1.0, "R": 1.0, "F1": 1.0}
NOTHING = {"attempted": True, "P": 0.0, "R": 0.0, "F1": 0.0}
QUESTIONS: Mapping[str, dict[str, Any]] = {
    "T5/ 3": question("name", "knn+name", [place(SECRET)], "Which restaurant is nearest to Schloss Vaduz?"),
    "T17/ 1": question(
        "loc", "knn+loc", [place("Torkel")], "Where is the restaurant nearest to Schloss Vaduz?"
    ),
    "T19/ 1": question(
        "loc",
        "knn:direction+loc",
        [place("Torkel") | {"geometry": ANCHOR}],
        "Where is the restaurant nearest to Schloss Vaduz in the north?",
    ),
    "T22/ 1": question(
        "angle", "knn+angle", [place("Torkel", angle=90.0)], "In which direction is the nearest restaurant?"
    ),
    "T24/ 2": question("count", "intersects+count", [{"count": 4}], "How many hotels are in Vaduz?"),
    "T24/ 4": question("count", "intersects+count", [{"count": 0}], "How many zoos are in Vaduz?"),
    "T26/ 1": question(
        "distance", "knn+distance", [place("Torkel", distance=800.5)], "How far is the nearest restaurant?"
    ),
}
BASELINES: Mapping[str, dict[str, Any]] = {
    "T5/ 3": {
        "G": answers(f"{SECRET}.", [{"name": SECRET}], RIGHT, RIGHT),
        # At the top there is no name: the rules look deeper for this baseline.
        "GT": answers("I don't know.", [{"place": {"name": SECRET}}], NOTHING | {"P": 0.0}, RIGHT),
    },
    "T22/ 1": {
        "G": answers(
            "It lies in the east.",
            [{"azimuth_angle": 90}],
            {"attempted": True, "P": 0.5, "R": 1.0, "F1": 2 / 3},
            RIGHT | {"angle_error": 0.0},
        )
    },
    "T24/ 2": {
        "G": answers(
            "Four hotels.",
            [{"count": 14}],
            RIGHT | {"P": 0.5, "F1": 2 / 3},
            {"attempted": True, "relative_error": 2.5},
        )
    },
}


def write_release(folder: Path, changed: Mapping[str, Any] | None = None) -> Path:
    """Write the release; `changed` are files of other content by their paths, as JSON or as text."""
    files: dict[str, Any] = {f"{key}/question.json": one for key, one in QUESTIONS.items()}
    files |= {f"{key}/baseline_answers.json": one for key, one in BASELINES.items()}
    for name, content in (files | dict(changed or {})).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            path.unlink(missing_ok=True)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return folder
