"""Readings of questions about places around an anchor: T1 to T10, T13 to T23, T25 and T26.

The anchor, a second anchor and every place that could be in the answer may be taken at any of their points; distances
and directions may be measured otherwise. Only the places near enough to matter are looked at, and of a large anchor
first a few points: most often these already show that its reference point matters.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from app.benchmarks.gsqa.readings.rules import AsFar, Rule, SameCount, SameNearest, SameWithin, keys_of
from app.benchmarks.gsqa.second_path.categories import asked_classes, classes_of, filter_of
from app.questions.readings import REFERENCE_POINT, Coordinates, Reading, readings
from app.questions.readings.features import readings_without
from app.questions.readings.grounds import Grounds, grounds_of
from app.questions.readings.sights import HALF_SECTOR, MEASURES, Measure, Sector, on_ellipsoid, span, turn
from app.questions.second_path import Layers, SecondAnswer
from app.questions.second_path.geodesy import Floats, Points, Positions
from app.questions.second_path.nearby import place_of

FEW = 12
"""How many points of an anchor are tried first."""
AT_ONCE = 2_000_000
"""How many distances are held in memory."""
OTHER_MEASURES = 1.03
"""By how much a distance may be longer by another measure; where a plane is off by more, the reading matters anyway."""


@dataclass(frozen=True)
class View:
    """One question: where one stands and looks, and what may be seen."""

    grounds: Grounds
    position: int
    goal: int | None
    """The second anchor."""
    fixed: float | None
    """The direction of a sector, in degrees."""
    near: Positions
    """The places that could matter, with those of the answer among them."""
    rule: Rule
    is_known: bool
    """Whether the map goes on as far as one sees from any point of the anchor."""
    is_widened: bool = False
    """Whether the sector may be taken twice as wide."""

    @cached_property
    def anchor(self) -> Floats:
        """The points of the anchor, the one that is meant first."""
        return self.grounds.points(self.position)

    @cached_property
    def goals(self) -> Floats | None:
        """The points of the second anchor, the one that is meant first."""
        return None if self.goal is None else self.grounds.points(self.goal)

    @cached_property
    def own(self) -> tuple[Floats, Positions]:
        """The one point of each place that is meant."""
        points, starts = self.grounds.points_of_all(self.near)
        return points[starts], np.arange(len(starts), dtype=np.intp)

    @cached_property
    def every(self) -> tuple[Floats, Positions]:
        """Every point of each place."""
        return self.grounds.points_of_all(self.near)

    def holds(
        self,
        origins: Floats,
        goals: Floats | None,
        places: tuple[Floats, Positions],
        measure: Measure = on_ellipsoid,
        half: float = HALF_SECTOR,
    ) -> bool:
        """Whether the answer is the same from these points, towards those, of places of these points.

        A direction reaches `half` degrees to either side.
        """
        points, starts = places
        rows = max(1, AT_ONCE // max(1, len(points)))
        for begin in range(0, len(origins), rows):
            part = origins[begin : begin + rows]
            sight = measure(part, points)
            spans = span(sight, starts, self._sector(part, goals, measure, half))
            if not self.rule.holds(spans, sight, starts):
                return False
        return True

    def _sector(self, origins: Floats, goals: Floats | None, measure: Measure, half: float) -> Sector | None:
        still = np.zeros((len(origins), 1))
        if self.fixed is not None:
            return Sector(still + self.fixed, still, still, half)
        if goals is None:
            return None
        direction = measure(origins, goals).azimuth
        turned = turn(direction, direction[:, :1])
        back, forth = turned.min(axis=1, keepdims=True), turned.max(axis=1, keepdims=True)
        return Sector(direction[:, :1], np.minimum(back, 0.0), np.maximum(forth, 0.0), half)


def read_view(view: View, layers: Layers, reach: float) -> Reading:
    """Which readings of the question matter; the last three are cheap where no place is an area."""
    anchor, goals = view.anchor[:1], view.goals[:1] if view.goals is not None else None
    matter = {name for name, measure in MEASURES.items() if not view.holds(anchor, goals, view.own, measure)}
    matter |= readings_without(layers["poi"], view.near[view.rule.first].tolist())
    if view.is_widened and not view.holds(anchor, goals, view.own, half=2 * HALF_SECTOR):
        matter.add("wider_sector")
    if not view.holds(anchor, goals, view.every):
        return Reading(frozenset({*matter, REFERENCE_POINT}), refused=True, reach=reach)
    told = _points_to_tell(view)
    return Reading(frozenset({*matter, *([REFERENCE_POINT] if told else [])}), told, reach=reach)


def _points_to_tell(view: View) -> Coordinates:
    """The anchors whose point must be told, and where it is; none where any of their points will do."""
    anchor, goals = view.anchor, view.goals
    is_area, leads_to_area = len(anchor) > 1, goals is not None and len(goals) > 1
    if not (is_area or leads_to_area) or (view.is_known and _holds_from(view, anchor, goals)):
        return {}
    point = {view.grounds.key(view.position): _as_told(anchor)}
    if goals is None or view.goal is None:
        return point
    goal = {view.grounds.key(view.goal): _as_told(goals)}
    if not leads_to_area or _holds_from(view, anchor[:1], goals):
        return point
    if not is_area or (view.is_known and _holds_from(view, anchor, goals[:1])):
        return goal
    return point | goal


def _holds_from(view: View, anchor: Floats, goals: Floats | None) -> bool:
    """Whether the answer is the same from all these points, to all points of the places."""
    few = anchor[:: max(1, len(anchor) // FEW)]
    return view.holds(few, goals, view.own) and view.holds(anchor, goals, view.every)


def _as_told(points: Floats) -> tuple[float, float]:
    lon, lat = points[0].tolist()
    return lon, lat


# --- the templates --------------------------------------------------------------------------------------------------

_TOWARDS = frozenset({"T4", "T10", "T16", "T20"})
_NARROWED = frozenset({"T2", "T6", "T14", "T18"})
_ANY_NAME = frozenset({"T1", "T2", "T3", "T4"})
"""Any of several names is right: what has none cannot be an answer."""


def _candidates(layers: Layers, template: str, parameters: Mapping[str, Any]) -> Points:
    poi = layers["poi"]
    if template in _NARROWED:
        return poi.points_tagged(*filter_of(parameters))
    if template == "T7":
        return poi.points_of(asked_classes(parameters))
    return poi.points_of(classes_of(parameters))


@dataclass(frozen=True)
class _Found:
    """What is near an anchor."""

    grounds: Grounds
    near: Positions
    keys: list[str]

    def those(self, keys: set[str]) -> Any:
        """By column: whether a place is one of these."""
        return np.array([key in keys for key in self.keys], dtype=bool)

    def numbers(self, objects: Mapping[str, float]) -> Floats:
        """By column: a number of a place; NaN where there is none."""
        return np.array([objects.get(key, np.nan) for key in self.keys])


def _find_near(
    layers: Layers, template: str, parameters: Mapping[str, Any], position: int, reach: float
) -> _Found:
    """The places that could be `reach` metres or less from any point of the anchor, by any measure."""
    poi, grounds = layers["poi"], grounds_of(layers)
    positions = _candidates(layers, template, parameters).positions
    if template in _ANY_NAME:
        positions = np.intersect1d(positions, poi.named, assume_unique=True)
    near = those_near(layers, positions, position, reach)
    return _Found(grounds, near, [poi.keys[one] for one in near.tolist()])


def those_near(layers: Layers, positions: Positions, position: int, reach: float) -> Positions:
    """Those of some places, but for the anchor, that could be `reach` metres or less from any point of it."""
    grounds = grounds_of(layers)
    others = positions[positions != position]
    lon, lat = layers["poi"].coordinates[position].tolist()
    radii = grounds.radii[others] + grounds.radii[position]
    near: Positions = others[grounds.straight(lon, lat, others) <= OTHER_MEASURES * reach + radii + 1.0]
    return near


def is_known(layers: Layers, grounds: Grounds, position: int, reach: float) -> bool:
    """Whether the outline leaves room for circles of `reach` metres around every point of an anchor."""
    lon, lat = layers["poi"].coordinates[position].tolist()
    room = layers.room(lon, lat)
    return room is not None and room[0] and room[1] >= reach + float(grounds.radii[position])


def _direction(
    layers: Layers, template: str, parameters: Mapping[str, Any]
) -> tuple[int | None, float | None]:
    """The second anchor, or the direction of the sector; neither where one looks all around."""
    if template in _TOWARDS:
        return place_of(layers, parameters, "towards")[0], None
    return None, 45.0 * parameters["sector"] if "sector" in parameters else None


def _numbers(found: _Found, value: Mapping[str, Any], template: str) -> AsFar:
    """What of the objects in an answer is a number that is asked for."""
    objects = value.get("objects", ())
    if template in ("T25", "T26"):
        return AsFar(distance=found.numbers({one["osm_key"]: one["distance"] for one in objects}))
    if template == "T21":
        return AsFar(azimuth=found.numbers({one["osm_key"]: one["azimuth"] for one in objects}))
    if template == "T22":
        return AsFar(azimuth=found.numbers({one["osm_key"]: value["azimuth"] for one in objects}))
    return AsFar()


Seen = tuple[View, float]
"""The view of a question, and how many metres around its objects changes of the map could change what matters."""


def read_within(
    template: str, layers: Layers, parameters: Mapping[str, Any], answer: SecondAnswer
) -> Reading:
    """Which readings of a question about places within a distance matter."""
    view, reach = _see_within(template, layers, parameters, answer)
    return read_view(view, layers, reach)


def _see_within(template: str, layers: Layers, parameters: Mapping[str, Any], answer: SecondAnswer) -> Seen:
    position, _, _ = place_of(layers, parameters, "anchor")
    distance = float(parameters["distance"])
    found = _find_near(layers, template, parameters, position, distance)
    rule: Rule
    if template == "T23":
        own = found.grounds.points(position)[:1]
        points, starts = found.grounds.points_of_all(found.near)
        rule = SameCount(distance, on_ellipsoid(own, points[starts]).distance[0] <= distance)
    else:
        first = found.those(keys_of(answer.value, "objects"))
        tolerated = found.those(keys_of(answer.value, "tolerated"))
        rule = SameWithin(distance, first, tolerated, _numbers(found, answer.value, template))
    known = is_known(layers, found.grounds, position, distance)
    view = View(found.grounds, position, *_direction(layers, template, parameters), found.near, rule, known)
    return view, OTHER_MEASURES * distance + float(found.grounds.radii[position]) + 1.0


def _see_nearest(template: str, layers: Layers, parameters: Mapping[str, Any], answer: SecondAnswer) -> Seen:
    position, _, _ = place_of(layers, parameters, "anchor")
    (nearest,) = answer.value["objects"]
    grounds = grounds_of(layers)
    apart = float(grounds.radii[position]) + float(grounds.radii[layers["poi"].position[nearest["osm_key"]]])
    reach = nearest["distance"] + apart
    found = _find_near(layers, template, parameters, position, reach)
    first = found.those({nearest["osm_key"]})
    rule = SameNearest(first, _numbers(found, answer.value, template))
    known = is_known(layers, grounds, position, reach)
    view = View(found.grounds, position, *_direction(layers, template, parameters), found.near, rule, known)
    return view, OTHER_MEASURES * reach + float(grounds.radii[position]) + 1.0


@readings("gsqa", "T8")
def _read_described(layers: Layers, parameters: Mapping[str, Any], answer: SecondAnswer) -> Reading:
    """The anchor is told by a fact: to tell its point would tell the place."""
    key = parameters["anchor"].partition(" ")[0]
    view, reach = _see_nearest("T8", layers, {**parameters, "anchor": key}, answer)
    found = read_view(view, layers, reach)
    return Reading(found.matter, {}, found.refused or bool(found.told), found.reach)


def _register(template: str, see: Callable[..., Seen], since: int = 1, is_widened: bool = False) -> None:
    @readings("gsqa", template, since=since)
    def find(layers: Layers, parameters: Mapping[str, Any], answer: SecondAnswer) -> Reading:
        view, reach = see(template, layers, parameters, answer)
        return read_view(replace(view, is_widened=is_widened), layers, reach)


for _template in ("T1", "T2", "T3", "T4", "T13", "T14", "T15", "T16", "T21", "T23", "T25"):
    _register(_template, _see_within)
for _template in ("T5", "T6", "T7", "T9", "T10", "T17", "T18", "T19", "T20", "T22", "T26"):
    _register(_template, _see_nearest)
for _template, _since in (("T3", 3), ("T4", 3), ("T15", 3), ("T16", 3)):
    _register(_template, _see_within, _since, is_widened=True)
for _template, _since in (("T9", 4), ("T10", 3), ("T19", 3), ("T20", 3)):
    _register(_template, _see_nearest, _since, is_widened=True)
