"""Import stage: why a relation makes no area, in a mapper's words and with the place. Reads ways, writes nothing."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import shapely
from shapely import MultiPoint, Point
from shapely.geometry.base import BaseGeometry
from shapely.validation import explain_validity

from osm_import.reasons import Reason

Location = tuple[float, float]


class MemberWay(NamedTuple):
    """A way of a relation: its nodes, and those whose place is known."""

    way_id: int
    nodes: list[tuple[int, Location | None]]


class Diagnosis(NamedTuple):
    """What is wrong with a relation's rings, and where."""

    reason: Reason
    detail: str
    place: BaseGeometry | None


def diagnose_relation(member_ids: Sequence[int], ways: dict[int, MemberWay]) -> Diagnosis:
    """The first thing that keeps a relation from being an area, the extract's edge before mappers' mistakes.

    `member_ids` are the relation's member ways, `ways` the same with their nodes: all of them are in the extract.
    """
    wanted = list(dict.fromkeys(member_ids))
    if not wanted:
        return Diagnosis(
            Reason.NO_MEMBERS, "the relation has no member way with the role outer or inner", None
        )
    there = [ways[way_id] for way_id in wanted]
    known = [place for way in there for _, place in way.nodes if place]
    somewhere = Point(known[0]) if known else None
    cut = [way for way in there if any(place is None for _, place in way.nodes)]
    if cut:
        text = f"{len(cut)} of {len(there)} member ways lack nodes in the extract, w{cut[0].way_id} first"
        return Diagnosis(Reason.MISSING_NODES, text, somewhere)
    return (
        _find_open_ends(there)
        or _find_crossings(there)
        or Diagnosis(Reason.NO_AREA, "the member ways enclose nothing", somewhere)
    )


def _find_open_ends(ways: Sequence[MemberWay]) -> Diagnosis | None:
    """Nodes where an odd number of different segments ends: a ring passes through each node twice."""
    segments = Counter(
        frozenset((a, b))
        for way in ways
        for (a, _), (b, _) in zip(way.nodes, way.nodes[1:], strict=False)
        if a != b
    )
    degree = Counter(node for segment, times in segments.items() if times % 2 for node in segment)
    places = {node: place for way in ways for node, place in way.nodes if place}
    ends = sorted(node for node, count in degree.items() if count % 2)
    if not ends:
        return None
    shown = ", ".join(f"n{node}" for node in ends[:6]) + ("…" if len(ends) > 6 else "")
    return Diagnosis(
        Reason.OPEN_RING, f"the rings do not close at {shown}", MultiPoint([places[node] for node in ends])
    )


def _find_crossings(ways: Sequence[MemberWay]) -> Diagnosis | None:
    """Where lines meet at other places than at a node they share."""
    lines = [
        shapely.LineString([place for _, place in way.nodes if place]) for way in ways if len(way.nodes) > 1
    ]
    nodes = {place for way in ways for _, place in way.nodes if place}
    knotted = shapely.node(shapely.GeometryCollection(lines))
    meetings = {point for part in shapely.get_parts(knotted) for point in (part.coords[0], part.coords[-1])}
    crossings = sorted(meetings - nodes)
    if crossings:
        lon, lat = crossings[0]
        text = f"{len(crossings)} crossing(s) without a shared node, the first at {lon:.7f} {lat:.7f}"
        return Diagnosis(Reason.CROSSING_RINGS, text, MultiPoint(crossings))
    faces = shapely.get_parts(shapely.polygonize([knotted]))
    if len(faces) == 0:
        return None
    merged = shapely.MultiPolygon([face for face in faces if isinstance(face, shapely.Polygon)])
    return Diagnosis(
        Reason.CROSSING_RINGS,
        f"the rings overlap: {explain_validity(merged)[:80]}",
        faces[0].representative_point(),
    )
