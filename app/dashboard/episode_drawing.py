"""The map of an episode, which grows with its calls: what each call named and what each result found.

Drawn from stored calls alone. Streets and the like around are those of the question's own map.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shapely.errors import ShapelyError
from shapely.geometry import shape as read_shape

from app.agent_tools.arguments import PLACE_ID
from app.agent_tools.drawn import Drawn, box_of, drawn_in, points_named, texts_in
from app.core.identity import canonical_json
from app.dashboard.tool_drawing import Spot
from app.dashboard.trajectory import explores, trajectory_of
from app.published.episode_models import ShownEpisode, ShownStep
from app.published.inspected import QuestionMap
from app.published.map_drawing import Canvas, around_of, canvas_around, kind_around

MOST_OF_STEP = 60
"""Shapes of one role that are drawn of one call."""
MOST_SEEN = 400
"""The same of an agent that explores: a view may hold all stations of a city."""
MOST_BYTES = 400_000
"""How long all shapes may be together as GeoJSON."""


@dataclass(frozen=True)
class StepSpot(Spot):
    """A point on the canvas, and the number of the step that it belongs to."""

    step: int


@dataclass(frozen=True)
class EpisodeMap:
    """The map of an episode, ready to be written down."""

    canvas: Canvas
    around: Sequence[tuple[str, str]]
    """Kind and path."""
    shapes: Sequence[tuple[str, int, str]]
    """Role, step and path of lines and areas; the role of what has no ground ends in ` line`."""
    spots: Sequence[StepSpot]
    left_out: int
    """Shapes that were too many to draw."""
    is_trajectory: bool
    """Whether it shows the way of an agent that explores, whose shapes have roles of their own."""
    data: str
    """All of it as a FeatureCollection: each feature has `role`, `name` and `step`."""

    @property
    def roles(self) -> set[str]:
        """The roles of what is drawn, for the legend."""
        return {role for role, _, _ in self.shapes} | {spot.role for spot in self.spots}

    @property
    def box(self) -> tuple[float, float, float, float]:
        """West, south, east, north of the canvas."""
        return self.canvas.west, self.canvas.south, self.canvas.east, self.canvas.north


def draw_episode(episode: ShownEpisode, around: QuestionMap | None) -> EpisodeMap | None:
    """The map of the episode's tool calls; None where nothing of them has a place.

    Steps count from 1, as the page lists them.
    """
    is_trajectory = explores(episode)
    if is_trajectory:
        found = [one for one in trajectory_of(episode) if _is_sound(one[1])]
    else:
        found = [
            (number, part)
            for number, step in enumerate(episode.steps, 1)
            for part in _parts_of(step, episode.steps[: number - 1])
        ]
    kept = list(_within(found, MOST_SEEN if is_trajectory else MOST_OF_STEP))
    box = box_of([part for _, part in kept])
    if box is None:
        return None
    canvas = canvas_around(*box, aspect=4 / 3)
    return EpisodeMap(
        canvas=canvas,
        around=[] if around is None else around_of(canvas, around.features),
        shapes=[(_role(part), number, path) for number, part in kept if (path := canvas.path(part.geometry))],
        spots=[_spot(canvas, number, part) for number, part in kept if part.geometry["type"] == "Point"],
        left_out=len(found) - len(kept),
        is_trajectory=is_trajectory,
        data=_collection(kept, around),
    )


def _parts_of(step: ShownStep, before: Sequence[ShownStep]) -> Iterator[Drawn]:
    """What a call named, as far as it was found before, and what it found."""
    if step.kind != "tool":
        return
    texts = list(dict.fromkeys(texts_in(step.arguments or {})))
    named = {text for text in texts if PLACE_ID.fullmatch(text)}
    yield from (_named(place) for place in _places(before) if place.get("id") in named)
    yield from (part for part in [*points_named(texts), *drawn_in(step.result)] if _is_sound(part))


def _places(steps: Sequence[ShownStep]) -> Iterator[Mapping[str, Any]]:
    """The places with a point in earlier results, each once."""
    found: dict[str, Mapping[str, Any]] = {}
    for step in steps:
        for place in _objects(step.result):
            if isinstance(place.get("id"), str) and _is_sound(_named(place)):
                found.setdefault(place["id"], place)
    return iter(found.values())


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, list | dict):
        if isinstance(value, dict) and "lon" in value and "lat" in value:
            yield value
        for one in value.values() if isinstance(value, dict) else value:
            yield from _objects(one)


def _named(place: Mapping[str, Any]) -> Drawn:
    point = {"type": "Point", "coordinates": [place.get("lon"), place.get("lat")]}
    return Drawn(point, str(place.get("name") or place.get("id") or ""), "asked")


def _is_sound(part: Drawn) -> bool:
    """Whether a shape lies on the Earth: results may hold anything."""
    try:
        bounds = read_shape(part.geometry).bounds
    except (ShapelyError, ValueError, TypeError, KeyError, AttributeError):
        return False
    return (
        len(bounds) == 4
        and all(map(math.isfinite, bounds))
        and max(map(abs, bounds[::2])) <= 180
        and max(map(abs, bounds[1::2])) <= 90
    )


def _within(found: Sequence[tuple[int, Drawn]], most: int) -> Iterator[tuple[int, Drawn]]:
    """The parts that there is room for, the first of each step first; of each role in a step so many at most."""
    room, left = MOST_BYTES, dict.fromkeys(((number, part.role) for number, part in found), most)
    for number, part in found:
        size = len(canonical_json(part.geometry))
        if left[number, part.role] > 0 and size <= room:
            left[number, part.role] -= 1
            room -= size
            yield number, part


def _role(part: Drawn) -> str:
    return f"{part.role} line" if part.geometry["type"].endswith("LineString") else part.role


def _spot(canvas: Canvas, number: int, part: Drawn) -> StepSpot:
    lon, lat, *_ = part.geometry["coordinates"]
    return StepSpot(*canvas.place(lon, lat), part.name, part.role, number)


def _collection(kept: Sequence[tuple[int, Drawn]], around: QuestionMap | None) -> str:
    shapes = [] if around is None else [one for one in around.features if one.properties.role == "around"]
    features = [_feature(kind_around(one.properties), "", 0, one.geometry) for one in shapes]
    features += [_feature(part.role, part.name, number, part.geometry) for number, part in kept]
    return canonical_json({"type": "FeatureCollection", "features": features})


def _feature(role: str, name: str, step: int, geometry: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "Feature",
        "properties": {"role": role, "name": name, "step": step},
        "geometry": geometry,
    }
