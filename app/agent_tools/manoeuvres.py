"""What one does along a route: where one turns, enters a roundabout, leaves it by which exit, boards a ferry. Pure.

A direction at a junction is that of the straight line between the junction and the place on the edge that is REACH_M
away from it along the edge, or the edge's other end where it is shorter. Degrees count clockwise from north; a turn's
degrees are the change of direction, from -180 to 180, to the right where they are positive.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from pyproj import Geod

Point = tuple[float, float]
"""Degrees: lon, lat."""

GEOD = Geod(ellps="WGS84")
REACH_M = 20.0
STRAIGHT, SLIGHT, PLAIN, SHARP = 20.0, 60.0, 120.0, 170.0
"""The most degrees of each kind of turn; what turns more is a turn back."""
FERRY = "ferry"


class Edge(NamedTuple):
    """An edge of a route in the direction of travel; `line` is all of it, even where a part of it is travelled."""

    way_id: int
    position: int
    end_node: int
    line: tuple[Point, ...]
    label: str | None
    """Its name, else its reference number."""
    klass: str
    roundabout: bool


class WayOut(NamedTuple):
    """An edge on which one may leave a node."""

    way_id: int
    position: int
    roundabout: bool


class Manoeuvre(NamedTuple):
    """What one does before the edge number `first` of a route, and then follows the road to the next manoeuvre."""

    kind: str
    first: int
    degrees: float | None = None
    exit: int | None = None
    """The exit of a roundabout that is taken, of those that one passes: 1 is the first. None where one stays on it."""
    road: str | None = None
    """What the road is called that one takes."""


WaysOut = Mapping[int, Sequence[WayOut]]
"""By node."""


def find_manoeuvres(edges: Sequence[Edge], ways_out: WaysOut) -> list[Manoeuvre]:
    """The manoeuvres of a route, the departure first; the arrival is none.

    Where one can only go on, no bend is a turn. Where one can choose, a turn is told unless the road leads straight on,
    or bends slightly and keeps its name. A new name is told wherever it
    begins.
    """
    found = [Manoeuvre("depart", 0, None, None, edges[0].label)]
    label = edges[0].label
    for number in range(1, len(edges)):
        before, after = edges[number - 1], edges[number]
        if before.roundabout and not after.roundabout:
            _leave_roundabout(found, edges, number, ways_out)
        elif told := _tell(before, after, number, label, ways_out):
            found.append(told)
        else:
            label = after.label or label
            continue
        label = after.label
    return found


def _tell(before: Edge, after: Edge, number: int, label: str | None, ways_out: WaysOut) -> Manoeuvre | None:
    """The manoeuvre from an edge to the next, None where one follows the road."""
    degrees = turn_degrees(before.line, after.line)
    if after.roundabout:
        return None if before.roundabout else Manoeuvre("roundabout", number, degrees)
    if (before.klass == FERRY) != (after.klass == FERRY):
        kind = "board_ferry" if after.klass == FERRY else "leave_ferry"
        return Manoeuvre(kind, number, degrees, None, after.label)
    kind = _kind_of_turn(before, after, degrees)
    renamed = after.label is not None and after.label != label
    if kind != "turn_back":
        can_choose = _can_choose(before, after, ways_out)
        keeps = kind == "straight" or (kind.startswith("slight_") and after.label == label is not None)
        if (keeps or not can_choose) and not renamed:
            return None
    return Manoeuvre(kind, number, degrees, None, after.label)


def _kind_of_turn(before: Edge, after: Edge, degrees: float) -> str:
    same = (before.way_id, before.position) == (after.way_id, after.position)
    return "turn_back" if same else name_turn(degrees)


def _can_choose(before: Edge, after: Edge, ways_out: WaysOut) -> bool:
    travelled = {(one.way_id, one.position) for one in (before, after)}
    return any((one.way_id, one.position) not in travelled for one in ways_out.get(before.end_node, ()))


def _leave_roundabout(found: list[Manoeuvre], edges: Sequence[Edge], number: int, ways_out: WaysOut) -> None:
    """Complete the manoeuvre of the roundabout that ends before an edge; where the route began on it, add one."""
    first = number - 1
    while first > 0 and edges[first - 1].roundabout:
        first -= 1
    passed = sum(
        any(not one.roundabout for one in ways_out.get(edge.end_node, ())) for edge in edges[first:number]
    )
    road = edges[number].label
    if first == 0:
        found.append(Manoeuvre("leave_roundabout", number, None, passed, road))
        return
    degrees = turn_degrees(edges[first - 1].line, edges[number].line)
    found[-1] = found[-1]._replace(degrees=degrees, exit=passed, road=road)


def name_turn(degrees: float) -> str:
    """The kind of a turn by its degrees."""
    size, side = abs(degrees), "right" if degrees > 0 else "left"
    if size <= STRAIGHT:
        return "straight"
    if size <= SLIGHT:
        return f"slight_{side}"
    if size <= PLAIN:
        return side
    return f"sharp_{side}" if size <= SHARP else "turn_back"


def turn_degrees(before: Sequence[Point], after: Sequence[Point]) -> float:
    """The change of direction from a line to the one that goes on from its end; 0 where one of them has no length."""
    if len(set(before)) == 1 or len(set(after)) == 1:
        return 0.0
    change = direction_after(after) - direction_before(before)
    return (change + 180) % 360 - 180


def direction_before(line: Sequence[Point]) -> float:
    """The direction in which a line comes to its end."""
    return (direction_after(line[::-1]) + 180) % 360


def direction_after(line: Sequence[Point]) -> float:
    """The direction in which a line leaves its beginning; 0 for a line without length."""
    reached = place_along(line, REACH_M)
    azimuth, _, metres = GEOD.inv(*line[0], *reached)
    return float(azimuth % 360) if metres else 0.0


def place_along(line: Sequence[Point], metres: float) -> Point:
    """The place on a line so many metres from its beginning, its end where it is shorter."""
    for start, end in pairwise(line):
        azimuth, _, length = GEOD.inv(*start, *end)
        if length >= metres:
            lon, lat, _ = GEOD.fwd(*start, azimuth, metres)
            return float(lon), float(lat)
        metres -= length
    return line[-1]
