"""Rules of Distance (DS) and Direction (DR)."""

import re
from collections.abc import Callable, Sequence

from app.benchmarks.urban_reasoning.steps.checking import builds
from app.benchmarks.urban_reasoning.steps.context_text import Place, places_in
from app.benchmarks.urban_reasoning.steps.graphs import Graph, Stated
from app.benchmarks.urban_reasoning.steps.plain_text import MOST_SIGNS, Plain
from app.benchmarks.urban_reasoning.steps.rules import Rules
from app.benchmarks.urban_reasoning.steps.two_places import (
    beside_bearing,
    beside_distance,
    direction_graph,
    distance_graph,
    faults_of_bearing,
    faults_of_distance,
)
from app.benchmarks.urban_reasoning.steps.two_places_signs import (
    is_signed,
    signs_of_bearing,
    signs_of_distance,
)
from app.benchmarks.urban_reasoning.steps.two_places_words import named_by, narrow_direction, narrow_distance
from app.benchmarks.urban_reasoning.truth.sphere import wind_of
from app.scores.reading.compass import SECTORS, Point, points_in
from app.scores.reading.mentions import answer_section
from app.scores.reasoning import BLIND, DRIFT, RIGHT, WRONG, Step

INPUTS = frozenset(f"{axis}{place}_deg" for axis in ("lat", "lon") for place in (1, 2))
DIRECT = frozenset(
    [f"{axis}{place}_rad" for axis in ("lat", "lon") for place in (1, 2)] + ["mean_lat_deg", "mean_lat_rad"]
)
PARTNERS = {"sin_lat1": "cos_lat1", "sin_lat2": "cos_lat2", "sin_dlon": "y"}
_LAW_OF_COSINES = re.compile(r"arccos|acos|law of cosines|cos\^?\{?\(?[-⁻−][1¹]", re.IGNORECASE)
_VECTORS = re.compile(
    r"vector|chord|cartesian|[xyzΔ] ?_?\{?[12z₁]|sin_?[ ({]{0,2}(?:lat|φ|ϕ|\\?(?:var)?phi)", re.IGNORECASE
)
_COMPONENT = re.compile(r" ?-?(?:part|component|term|axis|direction component)")
_BEARING = re.compile(r"(\d{1,3}(?:\.\d{1,6})?) ?(?:°|deg)")
TURN = 0.6
"""Degrees that a bearing may be off by rounding of what it is computed from."""
_TURNED = re.compile(r"\b(?:reverse|opposite|back)", re.IGNORECASE)


@builds("DS")
def distance_rules(context: str, question: str, response: str) -> Sequence[Rules]:
    """Origin and destination, and the quantities between them."""
    one, other = _ends(context, question)
    graph = distance_graph(one, other, bool(_LAW_OF_COSINES.search(response[:MOST_SIGNS])))
    known = beside_distance(one, other)
    if not _VECTORS.search(response[:MOST_SIGNS]):
        known = [each for each in known if not each.name.startswith(("vector", "chord", "sin_lat"))]
    return [
        Rules(
            graph, _no_claims, INPUTS, known, faults_of_distance(one, other),
            signs_of_distance(graph), narrow=narrow_distance, is_signed=is_signed, named=named_by(graph), direct=DIRECT,
            partners=PARTNERS, labels=(one.name, other.name),
        )
    ]  # fmt: skip


@builds("DR")
def direction_rules(context: str, question: str, response: str) -> Sequence[Rules]:
    """The bearing is that from the origin."""
    one, other = _ends(context, question)
    graph = direction_graph(one, other)
    known = beside_bearing(one, other)
    if not _TURNED.search(response[:MOST_SIGNS]):
        known = [one for one in known if one.name != "turned"]
    return [
        Rules(
            graph, _direction_claim(graph), INPUTS, known, faults_of_bearing(one, other),
            signs_of_bearing(graph), narrow=narrow_direction(graph), is_signed=is_signed,
            named=named_by(graph), direct=DIRECT, partners=PARTNERS, labels=(one.name, other.name),
        )
    ]  # fmt: skip


def _ends(context: str, question: str) -> tuple[Place, Place]:
    """Origin and destination: as the question tells them, else in the order of the context."""
    places = places_in(context)
    if len(places) < 2:
        raise ValueError("the context has to give two places with coordinates")
    asked = [place for place in places if place.name in question] or places
    one, other = (asked if len(asked) >= 2 else places)[:2]
    told = re.escape(other.name)
    turned = re.search(
        rf"\bfrom {told}(?!\w)|\bat {told} looks|\b{told} (?:to|towards) {re.escape(one.name)}", question
    )
    straight = re.search(rf"\bfrom {re.escape(one.name)}(?!\w)", question)
    return (other, one) if turned and not straight else (one, other)


def _no_claims(plain: Plain, response: str, steps: Sequence[Step]) -> Sequence[Step]:
    return []


def _direction_claim(graph: Graph) -> Callable[[Plain, str, Sequence[Step]], Sequence[Step]]:
    def claim(plain: Plain, response: str, steps: Sequence[Step]) -> Sequence[Step]:
        """The direction that the response names in the end, by the bearing that it states."""
        told = [
            one.stated
            for one in steps
            if one.quantity in ("bearing", "theta_deg") and isinstance(one.stated, float)
        ]
        exact = graph.exact("bearing") or 0.0
        section = answer_section(response)
        at = response.rfind(section)
        if turned := _turned_bearing(graph, steps, section):
            return [turned]
        mentions = [Point(one.azimuth, one.start + at, one.end + at) for one in points_in(section)]
        if not mentions:
            return []
        named, expected = _wind(mentions[-1].azimuth), wind_of(told[-1] % 360 if told else exact)
        if named in {wind_of(value % 360) for value in (*told, exact)}:
            return [Step("direction", named, expected, mentions[-1].start, RIGHT)]
        position = _mentioned(plain, mentions[-1].azimuth, named)
        return [Step("direction", named, expected, min(position, mentions[-1].start), WRONG, BLIND)]

    return claim


def _turned_bearing(graph: Graph, steps: Sequence[Step], section: str) -> Step | None:
    """The bearing of the answer, where it is neither the right one nor what the angle before it gives."""
    found = _BEARING.search(section)
    if not found:
        return None
    bearing = float(found[1])
    rounding = 0.5 * 10.0 ** -len(found[1].partition(".")[2])
    stated = Stated(bearing, max(TURN, rounding), 0)
    if any(graph.is_right(name, stated) for name in ("bearing", "theta_deg")):
        return None
    places = [
        step.position
        for step in steps
        if isinstance(step.stated, float) and abs(step.stated - bearing) <= 1.1 * rounding and step.position
    ]
    return Step("bearing", bearing, graph.expected("bearing"), max(places), WRONG, DRIFT) if places else None


def _mentioned(plain: Plain, azimuth: float, letters: str) -> int:
    """Where the later half of a text first names a direction, in letters or in words."""
    half = len(plain.text) // 2
    found = re.search(rf"(?<![\w'.]){letters}(?![\w'])", plain.text[half:])
    places = [half + found.start()] if found else []
    places += [
        half + one.start
        for one in points_in(plain.text[half:])
        if one.azimuth == azimuth and not _COMPONENT.match(plain.text, half + one.end)
    ]
    return plain.place(min(places)) if places else len(plain.text)


def _wind(azimuth: float) -> str:
    return next(name.upper() for name, middle in SECTORS.items() if middle == azimuth)
