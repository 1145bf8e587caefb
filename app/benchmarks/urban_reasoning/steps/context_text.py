"""What a printed context gives: places with coordinates, legs, candidates. Reads the document or the lines.

A name has any words, so that a line is split at what follows the name.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

NUMBER = r"[-−]?\d{1,3}(?:\.\d{1,12})?"
_DECIMAL = re.compile(
    rf"\(?\s?(?P<lat>{NUMBER})\s?°?\s?(?P<ns>[NS])?\s?[,;]\s?(?P<lon>{NUMBER})\s?°?\s?(?P<ew>[EW](?![a-z]))?\s?\)?"
)
_ANGLE = r"(\d{1,3})\s?°\s?(\d{1,2})\s?['′]\s?(\d{1,2}(?:\.\d{1,6})?)\s?[\"″]\s?([NSEW])"
_SEXAGESIMAL = re.compile(rf"\(?\s?{_ANGLE}\s?,?\s{{0,2}}{_ANGLE}\s?\)?")
_LEG = re.compile(
    r"From (?P<start>.{1,200}?) to (?P<end>.{1,200}?): (?P<bearing>\d{1,3}(?:\.\d{1,4})?) ?(?:degrees|°)?"
    r" ?\(?(?P<wind>[NESW]{1,3})?\)?,? ?(?P<km>\d{1,4}(?:\.\d{1,4})?) ?km"
)
_EDGE = " -*•·:,;–—\t"


class Place(NamedTuple):
    """A named point in degrees."""

    name: str
    lat: float
    lon: float


class Leg(NamedTuple):
    """How to get from a place to the next: degrees clockwise from north, and kilometres."""

    start: str
    end: str
    bearing: float
    km: float


def coordinates_in(line: str) -> Iterator[tuple[int, int, float, float]]:
    """Start, end, latitude and longitude of each pair of coordinates in a line."""
    sexagesimal = list(_SEXAGESIMAL.finditer(line))
    for found in sexagesimal:
        parts = found.groups()
        yield (*found.span(), _angle(parts[:4]), _angle(parts[4:]))
    if sexagesimal:
        return
    for found in _DECIMAL.finditer(line):
        if "." in found["lat"] and "." in found["lon"]:
            lat, lon = (float(found[part].replace("−", "-")) for part in ("lat", "lon"))
            yield (*found.span(), -lat if found["ns"] == "S" else lat, -lon if found["ew"] == "W" else lon)


def _angle(parts: tuple[str | Any, ...]) -> float:
    degrees, minutes, seconds, side = parts
    size = int(degrees) + int(minutes) / 60 + float(seconds) / 3600
    return -size if side in "SW" else size


def places_in(context: str) -> list[Place]:
    """All places with coordinates, in the order of the context; one that is told again counts once."""
    document = _document(context)
    found = list(_of_document(document) if document is not None else _of_lines(context))
    return list(dict.fromkeys(found))


def _document(context: str) -> Any:
    if "{" not in context:
        return None
    try:
        return json.loads(context[context.index("{") : context.rindex("}") + 1])
    except ValueError:
        return None


def _of_document(told: Any) -> Iterator[Place]:
    if isinstance(told, dict):
        named, at = told.get("name"), told.get("coordinates")
        if isinstance(named, str) and isinstance(at, str):
            for _, _, lat, lon in coordinates_in(at):
                yield Place(named, lat, lon)
        elif isinstance(named, str) and isinstance(at, list) and len(at) == 2:
            yield Place(named, float(at[0]), float(at[1]))
        else:
            told = list(told.values())
    if isinstance(told, list):
        for one in told:
            yield from _of_document(one)


def _of_lines(context: str) -> Iterator[Place]:
    for line in context.split("\n"):
        line = re.sub(r"^\s*(?:Leg \d+: |Candidate:? |\d+[.)] )", "", line)
        last = 0
        for start, end, lat, lon in coordinates_in(line):
            name = re.sub(r"^(?:to|→|->)\s+", "", line[last:start].strip(_EDGE))
            if name:
                yield Place(name.strip(_EDGE), lat, lon)
            last = end


def way_and_candidates(context: str) -> tuple[list[Place], list[Place]]:
    """The points of a way, and the candidates."""
    document = _document(context)
    if isinstance(document, dict) and "candidates" in document:
        rest = {key: value for key, value in document.items() if key != "candidates"}
        return list(dict.fromkeys(_of_document(rest))), list(_of_document(document["candidates"]))
    lines = context.split("\n")
    legs = [line for line in lines if re.match(r"\W*(?:Leg|Step|From)\b|.{1,200}\) (?:to|→|->) ", line)]
    way = list(dict.fromkeys(_of_lines("\n".join(legs))))
    others = list(dict.fromkeys(_of_lines("\n".join(line for line in lines if line not in legs))))
    return way, [one for one in others if one not in way]


def legs_in(context: str) -> list[Leg]:
    """The legs that a context tells."""
    document = _document(context)
    if isinstance(document, dict):
        return [
            Leg(one["from"], one["to"], float(one["bearing_degrees"]), float(one["distance_km"]))
            for one in document.get("legs", [])
        ]
    return [
        Leg(found["start"], found["end"], float(found["bearing"]), float(found["km"]))
        for line in context.split("\n")
        if (found := _LEG.search(line))
    ]
