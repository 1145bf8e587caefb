"""The shortest way from the printed segments alone: no map, no gold. Metres on a plane around the start."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from app.benchmarks.urban_reasoning.contexts.reading import (
    EARTH_M,
    Asks,
    Options,
    Position,
    finds,
    read_position,
)

_SEGMENT = re.compile(r"- (?P<name>.*): (?P<one>\([^()]*\)) → (?P<other>\([^()]*\))")
Segments = dict[str, tuple[Position, Position]]


@finds("Shortest_Way")
def shortest_way(text: str, asks: Asks, _: Options) -> Mapping[str, Any]:
    """By all ways on which no point is passed twice."""
    start, goal, segments = _network_in(text)
    ways = list(_ways(segments, start, goal, {start}))
    if not ways or set(segments) != set(asks["names"]):
        raise ValueError("no way leads to the goal, or segments are missing")
    best = min(ways, key=lambda way: sum(_metres(*segments[name]) for name in way))
    return {"route": [asks["names"][name] for name in best]}


def _network_in(text: str) -> tuple[Position, Position, Segments]:
    if text.startswith("{"):
        told = json.loads(text)
        written = {one["name"]: (one["from"], one["to"]) for one in told["segments"]}
        ends = told["start"], told["goal"]
    else:
        lines = text.split("\n")
        found = [match for line in lines if (match := _SEGMENT.fullmatch(line))]
        written = {one["name"]: (one["one"], one["other"]) for one in found}
        ends = lines[1].removeprefix("Start: "), lines[2].removeprefix("Goal: ")
    start, goal = map(read_position, ends)
    return (
        start,
        goal,
        {name: (read_position(one), read_position(other)) for name, (one, other) in written.items()},
    )


def _ways(segments: Segments, at: Position, goal: Position, passed: set[Position]) -> Iterator[list[str]]:
    if at == goal:
        yield []
    for name, ends in segments.items():
        if at in ends and at != goal:
            then = ends[0] if at == ends[1] else ends[1]
            if then not in passed:
                yield from ([name, *rest] for rest in _ways(segments, then, goal, {*passed, then}))


def _metres(one: Position, other: Position) -> float:
    east = (other.lon - one.lon) * math.cos((one.lat + other.lat) / 2)
    return EARTH_M * math.hypot(east, other.lat - one.lat)
