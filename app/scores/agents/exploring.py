"""What an episode of an agent that explores took: moves, calls, points searched from, and the area that it saw. Pure.

Agents of EVGeoQA see stations only around a point. The calls are those of the tool set `georover`, as steps keep them.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from pyproj import Proj
from shapely import Point, union_all

from app.agent_tools.georover.coordinates import LonLat
from app.core.identity import canonical_json
from app.scores.reading.stations import Place, metres_between, read_location
from app.scores.registry import EpisodeStep
from app.solvers.exploring.known_points import KnownPoints

STATIONS: Final = "Search_Stations"
POIS: Final = "Search_Nearby_POI"
MOVE: Final = "Change_Current_Location"
DISTANCE: Final = "Cal_Distance"
TOOLS: Final = frozenset({STATIONS, POIS, MOVE, DISTANCE})
DECIMALS = 6
"""Of degrees, by which two points searched from are told apart: about 0.1 m."""
VIEW_METRES = 5_000.0
"""How far stations are seen, where a stored result does not say it."""
_CORNERS = 180
_WIDER = math.sqrt((2 * math.pi / _CORNERS) / math.sin(2 * math.pi / _CORNERS))
"""By which a regular polygon inside of a circle must be wider to have the circle's area."""


class Figures(NamedTuple):
    """Of one episode. `moves` are calls of Change_Current_Location, `calls` those of all tools, failed ones, too."""

    moves: int
    calls: int
    centres: int
    """Different points from which stations were searched."""
    implicit_moves: int
    """Searches around points that nothing had told (see `count_implicit_moves`)."""
    area_km2: float
    """Of all that Search_Stations saw, counted once where views overlap."""


class View(NamedTuple):
    """A search for stations that was answered: from where, and how many metres far it sees."""

    centre: Place
    metres: float


def figures_of(user: Place | None, steps: Sequence[EpisodeStep]) -> Figures:
    """The figures of an episode that begins at `user`."""
    views = list(views_of(steps))
    centres = {(round(one.centre.lon, DECIMALS), round(one.centre.lat, DECIMALS)) for one in views}
    return Figures(
        sum(tool_of(step) == MOVE for step in steps),
        len(steps),
        len(centres),
        count_implicit_moves(user, steps),
        area_of(views),
    )


def explores(steps: Sequence[EpisodeStep]) -> bool:
    """Whether an episode calls no other tools than those of `georover`."""
    return all(
        tool_of(step) in TOOLS
        for step in steps
        if step.response.get("error", {}).get("kind") != "unknown_tool"
    )


def tool_of(step: EpisodeStep) -> str:
    """The name of the tool that was called."""
    return str(step.request.get("tool") or "")


def call_of(step: EpisodeStep) -> str:
    """A call as a text, equal for identical calls."""
    return canonical_json([tool_of(step), step.request.get("arguments")])


def result_of(step: EpisodeStep) -> Mapping[str, Any]:
    """What a call gave; empty for one that was answered by an error."""
    result = step.response.get("result")
    return result if "error" not in step.response and isinstance(result, Mapping) else {}


def listed(step: EpisodeStep, what: str) -> list[Mapping[str, Any]]:
    """The stations, or the pois, of a result."""
    found = result_of(step).get(what)
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def views_of(steps: Sequence[EpisodeStep]) -> Iterator[View]:
    """The searches for stations that were answered, in their order."""
    for step in steps:
        if tool_of(step) == STATIONS and (centre := centre_of(step)) is not None:
            metres = result_of(step).get("radius_m")
            yield View(centre, float(metres) if isinstance(metres, int | float) else VIEW_METRES)


def count_implicit_moves(user: Place | None, steps: Sequence[EpisodeStep]) -> int:
    """Answered searches around points that nothing had told."""
    known = KnownPoints(None if user is None else LonLat(*user))
    for step in steps:
        if (centre := centre_of(step)) is not None:
            known.search_from(LonLat(*centre))
            found = map(location_of, listed(step, "stations"))
            known.learn(LonLat(*one) for one in found if one is not None)
        elif (reached := read_location(result_of(step).get("new_location"))) is not None:
            known.learn([LonLat(*reached)])
    return known.implicit_moves


def area_of(views: Sequence[View]) -> float:
    """Square kilometres of the union of circles, geodesically right to 0.1 %.

    The centres of circles that touch, directly or by others, are mapped together by Lambert's azimuthal equal-area
    projection of the WGS84 ellipsoid, about the middle one of them (Snyder, Map Projections: A Working Manual, USGS
    1395, 1987, chapter 24). It keeps areas; lengths change by (c / 2)^2 / 2 at c radians from the middle: 1.1e-4 at
    190 km, the farthest that circles of 10 km can be in 20 calls. Circles are polygons of 180 corners with their area.
    """
    different = list(dict.fromkeys(views))
    return sum(_area_of_group(group) for group in _touching(different)) / 1e6


def _area_of_group(views: Sequence[View]) -> float:
    if len(views) == 1:
        return math.pi * views[0].metres ** 2
    lon, lat = _middle_of([one.centre for one in views])
    project = Proj(proj="laea", lon_0=lon, lat_0=lat, ellps="WGS84")
    circles = [
        Point(project(*one.centre)).buffer(one.metres * _WIDER, quad_segs=_CORNERS // 4) for one in views
    ]
    return float(union_all(circles).area)


def _touching(views: Sequence[View]) -> list[list[View]]:
    """The circles in groups of those that overlap, directly or by others."""
    groups: list[list[View]] = []
    for view in views:
        near = [
            group
            for group in groups
            if any(metres_between(view.centre, one.centre) < view.metres + one.metres for one in group)
        ]
        groups = [group for group in groups if group not in near]
        groups.append([view, *(one for group in near for one in group)])
    return groups


def _middle_of(points: Sequence[Place]) -> Place:
    """The point whose farthest other point is the nearest."""
    return min(points, key=lambda one: max(metres_between(one, other) for other in points))


def centre_of(step: EpisodeStep) -> Place | None:
    """The point of a search that was answered."""
    if tool_of(step) not in (STATIONS, POIS) or "error" in step.response:
        return None
    told = result_of(step).get("coord") or (step.request.get("arguments") or {}).get("coord")
    return read_location(told)


def location_of(station: Mapping[str, Any]) -> Place | None:
    """The point of a station that was seen or said; None where it has none."""
    return read_location([station.get("lon"), station.get("lat")])
