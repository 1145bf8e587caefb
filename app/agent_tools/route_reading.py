"""What the map says of a route: its edges with their lines, the ways out at its nodes, places beside it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import shapely

from app.agent_tools import queries_roads as queries
from app.agent_tools.lines import cut_line, metres_of
from app.agent_tools.manoeuvres import Edge, Point, WayOut
from app.agent_tools.places import shown
from app.agent_tools.scope import Scope
from app.routing.results import Route, Step

SLACK_M = 1.0
"""Places are sought so much farther away than they may be, since they are measured again."""


class Travelled(NamedTuple):
    """An edge, and the part of it that a route travels."""

    edge: Edge
    points: tuple[Point, ...]
    metres: float
    seconds: float


class PlaceBeside(NamedTuple):
    """A place with a name near a route."""

    osm_key: str
    name: str
    type: str
    point: Point


def read_route(scope: Scope, mode: str, route: Route) -> list[Travelled]:
    """The edges of a route in their order."""
    rows = scope.rows(queries.EDGES, _named(route))
    last = len(rows) - 1
    return [
        _travelled(
            row,
            step,
            mode,
            route.start.point if number == 0 else None,
            route.end.point if number == last else None,
        )
        for number, (row, step) in enumerate(zip(rows, route.steps, strict=True))
    ]


def read_ways_out(scope: Scope, mode: str, edges: Sequence[Edge]) -> Mapping[int, list[WayOut]]:
    """By node between two edges: the edges on which the mode may leave it."""
    nodes = {edge.end_node: edge.line[-1] for edge in edges[:-1]}
    binds = {
        "nodes": list(nodes),
        "lons": [lon for lon, _ in nodes.values()],
        "lats": [lat for _, lat in nodes.values()],
    }
    found: dict[int, list[WayOut]] = {}
    for row in scope.rows(queries.WAYS_OUT[mode], binds):
        found.setdefault(row.node_id, []).append(WayOut(row.way_id, row.position, row.roundabout))
    return found


def read_places_beside(scope: Scope, route: Route, metres: float) -> list[PlaceBeside]:
    """Places with a name that may lie within so many metres of a route, by their ids."""
    rows = scope.rows(queries.LANDMARKS, {**_named(route), "metres": metres + SLACK_M})
    return [PlaceBeside(row.osm_key, shown(row.name) or "", row.type, (row.lon, row.lat)) for row in rows]


def _named(route: Route) -> dict[str, list[int]]:
    return {
        "ways": [step.way_id for step in route.steps],
        "positions": [step.position for step in route.steps],
    }


def _travelled(row: Any, step: Step, mode: str, start: Point | None, end: Point | None) -> Travelled:
    line = tuple(map(tuple, shapely.get_coordinates(shapely.from_wkb(bytes(row.wkb))).tolist()))
    line, end_node = (line, row.to_node) if step.forwards else (line[::-1], row.from_node)
    label = shown(row.name or row.ref)
    edge = Edge(step.way_id, step.position, end_node, line, label, row.type, row.roundabout)
    kmh = getattr(row, f"{mode}_{'forward' if step.forwards else 'backward'}_kmh")
    points, share = line, 1.0
    if start or end:
        points = cut_line(line, start, end)
        whole = metres_of(line)
        share = metres_of(points) / whole if whole else 0.0
    metres = share * row.length_m
    return Travelled(edge, points, metres, metres / kmh * 3.6)
