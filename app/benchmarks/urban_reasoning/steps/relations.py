"""Relation (RE): what a response claims of two shapes, against the points that the prompt prints.

A relation that the printed points refute is topological blindness; a point that is copied wrongly is misread input.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

import shapely
from shapely import LineString, Polygon

from app.benchmarks.urban_reasoning.steps.checking import checks
from app.benchmarks.urban_reasoning.steps.claims import concluded, copied_points, verdict_class
from app.benchmarks.urban_reasoning.steps.plain_text import MOST_SIGNS, plain_text
from app.benchmarks.urban_reasoning.steps.printed_data import Shape, shapes_in
from app.benchmarks.urban_reasoning.steps.relation_claims import Claimed, claims_in
from app.benchmarks.urban_reasoning.truth.lattice import common_points, points_inside
from app.benchmarks.urban_reasoning.truth.relations import (
    ADJACENT,
    CLEAR_M,
    INTERSECTING,
    LIE_OUTSIDE,
    OVERLAPPING,
    PASS_THROUGH,
    ROUNDED_M,
    TOUCH,
    on_plane,
    relation_of_areas,
    relation_of_road_and_area,
    relation_of_roads,
)
from app.benchmarks.urban_reasoning.truth.sphere import Point
from app.scores.reading.mentions import answer_section
from app.scores.reasoning import BLIND, RIGHT, WRONG, Reasoning, Step
from app.scores.scorers.urban_relation import KINDS, read_relation

MEETING = frozenset({INTERSECTING, PASS_THROUGH, TOUCH, OVERLAPPING, ADJACENT})
"""Relations of shapes that have a point in common."""
FITTING = {
    "intersect": {INTERSECTING, PASS_THROUGH, OVERLAPPING},
    "cross": {INTERSECTING, PASS_THROUGH},
    "overlap": {OVERLAPPING},
    "meet": MEETING,
}
"""By word the relations under which it holds; where a word may or may not be said of one, nobody is contradicted."""
UNDECIDED = {
    "intersect": {TOUCH, ADJACENT},
    "cross": {TOUCH, ADJACENT, OVERLAPPING, PASS_THROUGH},
    "overlap": {PASS_THROUGH, TOUCH, INTERSECTING, ADJACENT},
    "meet": frozenset({OVERLAPPING, PASS_THROUGH}),
}


class Pair:
    """Two shapes, and what is true of them."""

    def __init__(self, shapes: Sequence[Shape]) -> None:
        self.kinds = [one.kind for one in shapes]
        self.kind = " and ".join(dict.fromkeys(self.kinds))
        self.points = [list(one.points) for one in shapes]

    @cached_property
    def relation(self) -> str | None:
        """The term that holds; None where it is not clear."""
        decide = {
            "road": relation_of_roads,
            "road and area": relation_of_road_and_area,
            "area": relation_of_areas,
        }
        return decide[self.kind](*self.points)

    @cached_property
    def has_common_points(self) -> bool:
        """Whether a point is printed of both."""
        return bool(common_points(*self.points))

    def apart(self, point: Point) -> float:
        """How far a point lies from that shape which is the farther one, in metres; from boundaries, not areas."""
        lines = [
            LineString([(lon, lat) for lat, lon in [*points, *(points[:1] if kind == "area" else [])]])
            for kind, points in zip(self.kinds, self.points, strict=True)
        ]
        spot, *placed = on_plane(shapely.Point(point.lon, point.lat), *lines)
        return max(float(spot.distance(line)) for line in placed)

    def is_inside(self, point: Point) -> bool | None:
        """Whether a printed point of one shape is inside the other, an area; None where that cannot be said."""
        owners = [place for place, own in enumerate(self.points) if point in own]
        if len(owners) != 1 or self.kinds[1 - owners[0]] != "area":
            return None
        other = self.points[1 - owners[0]]
        ring = Polygon([(lon, lat) for lat, lon in other])
        spot, placed = on_plane(shapely.Point(point.lon, point.lat), ring.exterior)
        return None if spot.distance(placed) <= ROUNDED_M else bool(points_inside([point], other))

    def count_inside(self) -> tuple[int, int]:
        """How many points of the road are inside the area, and how many points it has."""
        road, ring = self.points
        return len(points_inside(road, ring)), len(road)


@checks("RE")
def check_relation(context: str, question: str, response: str) -> Reasoning:
    """The points, the claims and the answer of a response."""
    pair = Pair(shapes_in(context))
    plain = plain_text(response)
    steps = list(copied_points(plain, [point for points in pair.points for point in points]))
    for claim in claims_in(plain):
        verdict = _is_true(pair, claim)
        if verdict is not None:
            told = RIGHT if verdict else WRONG
            expected = claim.words if verdict else f"not: {claim.words}"
            place = plain.place(claim.start)
            steps.append(Step(claim.about, claim.words, expected, place, told, verdict_class(told, BLIND)))
    return concluded(response, [*steps, *_answer(pair, response)])


def _answer(pair: Pair, response: str) -> Iterator[Step]:
    """The term that is answered."""
    kinds = {"road": "roads", "area": "areas"}
    stated = read_relation(response[:MOST_SIGNS], KINDS[kinds.get(pair.kind, pair.kind)])
    if stated is None or pair.relation is None:
        return
    verdict = RIGHT if stated == pair.relation else WRONG
    section = answer_section(response)
    place = response.rfind(section) if section is not response else max(0, len(response.rstrip()) - 1)
    yield Step("relation", stated, pair.relation, place, verdict, verdict_class(verdict, BLIND))


def _is_true(pair: Pair, claim: Claimed) -> bool | None:
    """Whether the printed points bear a claim out; None where they leave it open."""
    if claim.about == "common point":
        return None if claim.holds else not pair.has_common_points
    if claim.about == "meeting point" and claim.point is not None:
        metres = pair.apart(claim.point)
        return True if metres <= 2 * ROUNDED_M else False if metres >= CLEAR_M else None
    if claim.about == "inside" and claim.point is not None:
        inside = pair.is_inside(claim.point)
        return None if inside is None else inside == claim.holds
    if claim.about in FITTING:
        return _fits(pair, claim)
    if claim.about in ("all inside", "none inside") and pair.kind == "road and area":
        count, points = pair.count_inside()
        return count == points if claim.about == "all inside" else not count
    return None


def _fits(pair: Pair, claim: Claimed) -> bool | None:
    if pair.relation is None or pair.relation in UNDECIDED[claim.about]:
        return None
    if pair.relation == LIE_OUTSIDE and claim.about == "cross" and claim.holds:
        return False
    return (pair.relation in FITTING[claim.about]) == claim.holds
