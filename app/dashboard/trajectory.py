"""The way of an agent that explores: what it saw from where, how it moved, what it answered, and what the key was.

Drawn from stored calls of the tools of GeoRover. The key is drawn only where the episode has gold: the role that reads
for pages sees none of a hidden question.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from pyproj import Geod

from app.agent_tools.drawn import Drawn
from app.published.episode_models import ShownEpisode, ShownStep
from app.scores.agents.exploring import DISTANCE, MOVE, POIS, STATIONS, TOOLS, VIEW_METRES

RADII = {STATIONS: VIEW_METRES, POIS: 1_000.0}
"""Metres that a search sees, where its result does not say it."""
WIDEST = 100_000.0
"""Metres; results may hold anything."""
CORNERS = 64
BEGINNING = 0
"""The number of the step to which belongs what is there from the beginning: the user and the key."""
MOST_ANSWERED = 10
_GEOD = Geod(ellps="WGS84")
Parts = Iterator[tuple[int, Drawn]]


def explores(episode: ShownEpisode) -> bool:
    """Whether the episode has a call of one of these tools."""
    return any(step.tool in TOOLS for step in episode.steps)


def trajectory_of(episode: ShownEpisode) -> Parts:
    """The parts of the map by the number of their step, from 1; those of the user and the key have BEGINNING."""
    gold = episode.gold or {}
    user = _pair([gold["user"].get("lon"), gold["user"].get("lat")]) if _is_object(gold.get("user")) else None
    user = user or next(filter(None, map(_centre, episode.steps)), None)
    if user is not None:
        yield BEGINNING, _point(user, "user", "user")
    for rank, station in enumerate(_listed(gold, "stations"), 1):
        if at := _pair([station.get("lon"), station.get("lat")]):
            yield BEGINNING, _point(at, f"key {rank}: {station.get('name') or station.get('osm_key')}", "key")
    for number, step in enumerate(episode.steps, 1):
        yield from ((number, part) for part in _parts_of(step, number))
    if episode.gold is not None:  # a mark of an answer tells whether the key has it
        last = max(1, len(episode.steps))
        yield from ((last, part) for part in _answered(episode))


def _parts_of(step: ShownStep, number: int) -> Iterator[Drawn]:
    result: Mapping[str, Any] = step.result if _is_object(step.result) else {}
    centre = _centre(step)
    if step.tool in RADII and centre is not None and step.fault is None:
        view = "view" if step.tool == STATIONS else "look"
        told = result.get("radius_m")
        radius = float(told) if isinstance(told, int | float) and 0 < told <= WIDEST else RADII[step.tool]
        yield Drawn(_circle(centre, radius), "", view)
        if step.tool == STATIONS:
            yield _point(centre, f"view of step {number}", "centre")
        for station in _listed(result, "stations"):
            if at := _pair([station.get("lon"), station.get("lat")]):
                yield _point(at, str(station.get("name") or station.get("id") or ""), "seen")
    elif step.tool in (MOVE, DISTANCE):
        given = step.arguments or {}
        names = ("start_location", "new_location") if step.tool == MOVE else ("coord1", "coord2")
        ends = [_pair(result.get(name) or given.get(name)) for name in names]
        if ends[0] and ends[1] and ends[0] != ends[1]:
            role = "move" if step.tool == MOVE else "measured"
            yield Drawn({"type": "LineString", "coordinates": [list(one) for one in ends if one]}, "", role)
            if step.tool == MOVE:
                yield _point(ends[1], f"reached in step {number}", "centre")


def _answered(episode: ShownEpisode) -> Iterator[Drawn]:
    """The stations of the answer in their order; one that says no place stands where a search saw it, by its id."""
    seen = {
        str(station.get("id")): _pair([station.get("lon"), station.get("lat")])
        for step in episode.steps
        if step.tool == STATIONS
        for station in _listed(step.result, "stations")
    }
    for rank, said in enumerate(_listed(episode.read, "stations")[:MOST_ANSWERED], 1):
        at = _pair([said.get("lon"), said.get("lat")]) or seen.get(str(said.get("id")))
        if at is not None:
            name = f"answer {rank}: {said.get('name') or said.get('id') or ''}"
            yield _point(at, name, "hit" if said.get("hit") is True else "answer")


def _centre(step: ShownStep) -> tuple[float, float] | None:
    """Where a step looks from, or begins."""
    given = step.arguments or {}
    result: Mapping[str, Any] = step.result if _is_object(step.result) else {}
    if step.tool in RADII:
        return _pair(result.get("coord") or given.get("coord"))
    return _pair(result.get("start_location") or given.get("start_location")) if step.tool == MOVE else None


def _pair(value: Any) -> tuple[float, float] | None:
    """[longitude, latitude] as numbers, or as a text of the two; None for anything else."""
    if isinstance(value, str):
        value = value.strip("[] ").split(",") if len(value) <= 100 else None
    if not isinstance(value, list) or len(value) != 2 or any(isinstance(one, bool) for one in value):
        return None
    try:
        lon, lat = float(value[0]), float(value[1])
    except (TypeError, ValueError, OverflowError):
        return None
    return (lon, lat) if abs(lon) <= 180 and abs(lat) <= 90 else None  # NaN is neither


def _circle(centre: tuple[float, float], metres: float) -> Mapping[str, Any]:
    """What lies within so many metres, by the WGS84 geodesic, as a polygon."""
    azimuths = [360.0 * corner / CORNERS for corner in range(CORNERS)]
    lons, lats, _ = _GEOD.fwd(
        [centre[0]] * CORNERS, [centre[1]] * CORNERS, azimuths, [metres] * CORNERS, return_back_azimuth=True
    )
    ring = [[round(lon, 6), round(lat, 6)] for lon, lat in zip(lons, lats, strict=True)]
    if any(abs(one[0] - other[0]) > 180 for one, other in pairwise(ring)):  # over the date line
        return {"type": "Point", "coordinates": list(centre)}
    return {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}


def _point(at: tuple[float, float], name: str, role: str) -> Drawn:
    return Drawn({"type": "Point", "coordinates": list(at)}, name[:200], role)


def _listed(holder: Any, name: str) -> Sequence[Mapping[str, Any]]:
    """The objects of a list in an object; none where there is no such list."""
    found = holder.get(name) if _is_object(holder) else None
    return [one for one in found if _is_object(one)] if isinstance(found, list) else []


def _is_object(value: Any) -> bool:
    return isinstance(value, Mapping)
