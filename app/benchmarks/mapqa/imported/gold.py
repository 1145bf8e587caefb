"""Answers of the files → gold as our scorers read it. Nothing is corrected: what the files say is what counts."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

NONE_FOUND = "No amenities found"
PARTED_BY = "; "
"""A semicolon without a blank is part of a value of OpenStreetMap, or of a name."""
_METRES = re.compile(r"([0-9]+(?:\.[0-9]+)?) meters")


class Kind(NamedTuple):
    """How questions of one type are scored here."""

    answer_type: str
    scorer: str
    is_set: bool


KINDS: Mapping[str, Kind] = {
    "adjacent": Kind("names", "mapqa_names", True),
    "amenities": Kind("name", "name", False),
    "amenities_around": Kind("names", "mapqa_names", True),
    "amenities_around_specific": Kind("names", "mapqa_names", True),
    "compare_closer": Kind("name", "name", False),
    "direction_nearest": Kind("name", "name", False),
    "distance": Kind("distance", "mapqa_distance", False),
    "intersection": Kind("name", "name", False),
    "nearest_amenity": Kind("name", "name", False),
}
"""By type."""


def members_of(answer: str) -> list[str]:
    """The parts of an answer, each once; none where it says that there are none."""
    if answer == NONE_FOUND:
        return []
    return list(dict.fromkeys(part.strip() for part in answer.split(PARTED_BY) if part.strip()))


def gold_of(kind: str, answer: str) -> dict[str, Any] | None:
    """Gold of a question of that type; None where the answer of a distance is no number of metres above zero."""
    if kind == "distance":
        metres = _METRES.fullmatch(answer)
        value = float(metres[1]) if metres and len(answer) < 40 else 0.0
        return {"distance": value} if value > 0 else None
    return {"members": members_of(answer)} if KINDS[kind].is_set else {"names": [answer]}
