"""The map of a tool's answer: as a picture, and as GeoJSON for the map that moves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.agent_tools.arguments import PLACE_ID
from app.agent_tools.drawn import (
    Box,
    Drawn,
    box_of,
    drawn_in,
    places_without_point,
    points_named,
    read_around,
    read_points,
    read_shapes,
    texts_in,
)
from app.agent_tools.scope import Scope
from app.core.identity import canonical_json
from app.published.map_drawing import Canvas, canvas_around

KINDS = ("park", "water", "stream", "minor", "major")
"""Shapes around, from the back to the front."""


@dataclass(frozen=True)
class Spot:
    """A point of the answer on the canvas."""

    x: float
    y: float
    name: str
    role: str


@dataclass(frozen=True)
class AnswerMap:
    """The map of an answer, ready to be written down."""

    canvas: Canvas
    around: Sequence[tuple[str, str]]
    """Kind and path."""
    shapes: Sequence[tuple[str, str]]
    """Role and path of lines and areas; the role of what has no ground ends in ` line`."""
    spots: Sequence[Spot]
    data: str
    """All of it as a FeatureCollection: each feature has `role` and `name`."""

    @property
    def box(self) -> Box:
        """West, south, east, north of the canvas."""
        return self.canvas.west, self.canvas.south, self.canvas.east, self.canvas.north


def draw_answer(scope: Scope, arguments: Mapping[str, Any], result: Mapping[str, Any]) -> AnswerMap | None:
    """The map of an answer; None where nothing of it has a place."""
    texts = list(dict.fromkeys(texts_in(arguments)))
    parts = [
        *read_shapes(scope, [text for text in texts if PLACE_ID.fullmatch(text)]),
        *points_named(texts),
        *read_points(scope, list(dict.fromkeys(places_without_point(result)))),
        *drawn_in(result),
    ]
    box = box_of(parts)
    if box is None:
        return None
    canvas = canvas_around(*box)
    around = read_around(scope, (canvas.west, canvas.south, canvas.east, canvas.north))
    paths = {kind: "".join(canvas.path(shape) for one, shape in around if one == kind) for kind in KINDS}
    return AnswerMap(
        canvas=canvas,
        around=[(kind, path) for kind, path in paths.items() if path],
        shapes=[(_role(part), path) for part in parts if (path := canvas.path(part.geometry))],
        spots=[_spot(canvas, part) for part in parts if part.geometry["type"] == "Point"],
        data=_collection(around, parts),
    )


def _role(part: Drawn) -> str:
    return f"{part.role} line" if part.geometry["type"].endswith("LineString") else part.role


def _spot(canvas: Canvas, part: Drawn) -> Spot:
    lon, lat, *_ = part.geometry["coordinates"]
    return Spot(*canvas.place(lon, lat), part.name, part.role)


def _collection(around: Sequence[tuple[str, Mapping[str, Any]]], parts: Sequence[Drawn]) -> str:
    features = [(kind, "", shape) for kind, shape in around]
    features += [(part.role, part.name, part.geometry) for part in parts]
    return canonical_json(
        {
            "type": "FeatureCollection",
            "features": [
                {"type": "Feature", "properties": {"role": role, "name": name}, "geometry": shape}
                for role, name, shape in features
            ],
        }
    )
