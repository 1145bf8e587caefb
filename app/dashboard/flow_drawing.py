"""GeoFlow graphs as pictures: concepts as boxes in rows by role, lines from what a step takes to what it makes.

Rows come in the order of the roles; within a role, what is computed from another concept stands below it. One unit is
about a pixel. All texts are cut here and escaped by the template.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from app.core.identity import canonical_json
from app.geoflow.checking import Violation
from app.geoflow.graphs import Concept, Graph
from app.geoflow.ontology import ontology
from app.geoflow.projecting import edges_of

WIDTH = 800
BOX_WIDTH, BOX_HEIGHT = 182, 66
GAP, ROW_GAP, MARGIN = 14, 46, 8
LABEL = 20
"""Units above the first row of a role, for its name."""
PER_ROW = (WIDTH - 2 * MARGIN + GAP) // (BOX_WIDTH + GAP)
LONGEST_LINE = 25
"""Characters that fit into a box."""


class Box(NamedTuple):
    """A concept: where its box stands, and its lines. `broken`: constraints that are violated there."""

    x: float
    y: float
    kind: str
    head: str
    name: str
    made_by: str
    whole: str
    """All that the box says, without cuts."""
    is_measure: bool
    broken: Sequence[str]


class Line(NamedTuple):
    """From a concept to one that a step makes of it."""

    path: str
    says: str


class Band(NamedTuple):
    """Where the rows of a role begin."""

    role: str
    y: float


class Flow(NamedTuple):
    """A graph ready to be written down."""

    height: float
    bands: Sequence[Band]
    boxes: Sequence[Box]
    lines: Sequence[Line]
    kinds: Sequence[str]
    """The types of concepts in it, for the legend."""


def draw_flow(graph: Graph, violations: Sequence[Violation] = ()) -> Flow:
    """The picture of a graph, also of one that breaks constraints."""
    bands: list[Band] = []
    at: dict[str, tuple[float, float]] = {}
    y = float(MARGIN)
    for role, rows in _rows_by_role(graph):
        bands.append(Band(role, y))
        y += LABEL
        for row in rows:
            left = (WIDTH - len(row) * (BOX_WIDTH + GAP) + GAP) / 2
            for place, concept in enumerate(row):
                at[concept.id] = (left + place * (BOX_WIDTH + GAP), y)
            y += BOX_HEIGHT + ROW_GAP
    broken = _broken_at(graph, violations)
    boxes = [_box(graph, concept, *at[concept.id], broken.get(concept.id, ())) for concept in graph.concepts]
    kinds = [name for name in ontology().concepts if any(one.type == name for one in graph.concepts)]
    return Flow(y - ROW_GAP + MARGIN, bands, boxes, [*_lines(graph, at)], kinds)


def _rows_by_role(graph: Graph) -> Iterator[tuple[str, list[list[Concept]]]]:
    """By role: the concepts in rows, each of which fits the width."""
    depths = _depths(graph)
    for role in ontology().roles:
        rows: list[list[Concept]] = []
        found = [one for one in graph.concepts if one.role == role]
        for depth in sorted({depths[one.id] for one in found}):
            level = [one for one in found if depths[one.id] == depth]
            rows += [level[first : first + PER_ROW] for first in range(0, len(level), PER_ROW)]
        if rows:
            yield role, rows


def _depths(graph: Graph) -> dict[str, int]:
    """By concept: over how many steps it is computed. A cycle ends after as many rounds as there are concepts."""
    depths = {one.id: 0 for one in graph.concepts}
    edges = [one for one in edges_of(graph) if one.source in depths and one.target in depths]
    for _ in graph.concepts:
        before = dict(depths)
        for edge in edges:
            depths[edge.target] = min(max(depths[edge.target], depths[edge.source] + 1), len(depths))
        if depths == before:
            break
    return depths


def _box(graph: Graph, concept: Concept, x: float, y: float, broken: Sequence[str]) -> Box:
    maker = graph.makers().get(concept.id)
    name = concept.name or (canonical_json(concept.attrs) if concept.attrs else "")
    made_by = "" if maker is None else maker.op
    params = "" if maker is None or not maker.params else f" {canonical_json(maker.params)}"
    told = [f"{concept.id}: {concept.type}, {concept.role}", concept.name]
    told += [canonical_json(concept.attrs)] if concept.attrs else []
    told += [f"made by {made_by}{params}"] if made_by else []
    return Box(
        round(x, 1),
        round(y, 1),
        concept.type,
        _cut(f"{concept.id} {concept.type}"),
        _cut(name),
        _cut(f"← {made_by}") if made_by else "",
        "\n".join(filter(None, told)),
        concept.id == graph.measure,
        broken,
    )


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_LINE else f"{text[: LONGEST_LINE - 1]}…"


def _lines(graph: Graph, at: Mapping[str, tuple[float, float]]) -> Iterator[Line]:
    operators = {step.id: step.op for step in graph.steps}
    for edge in edges_of(graph):
        if edge.source not in at or edge.target not in at:
            continue
        (x, y), (end_x, end_y) = at[edge.source], at[edge.target]
        x, end_x, y = x + BOX_WIDTH / 2, end_x + BOX_WIDTH / 2, y + BOX_HEIGHT
        bend = max(24.0, abs(end_y - y) / 2)
        # A line that passes rows goes around the boxes between.
        aside = (
            0.0 if 0 < end_y - y < BOX_HEIGHT + ROW_GAP else BOX_WIDTH * (0.8 if end_x < WIDTH / 2 else -0.8)
        )
        path = (
            f"M{x:g} {y:g}C{x - aside:g} {y + bend:g} {end_x - aside:g} {end_y - bend:g} {end_x:g} {end_y:g}"
        )
        yield Line(path, f"{edge.source} → {edge.target}: {edge.port} of {operators[edge.op_id]}")


def _broken_at(graph: Graph, violations: Sequence[Violation]) -> dict[str, list[str]]:
    """By concept: the constraints that are violated at it, or at the step that makes it."""
    outputs = {step.id: step.outputs for step in graph.steps}
    found: dict[str, list[str]] = {}
    for one in violations:
        step = (one.edge or "").partition(".")[0]
        for concept in [one.node] if one.node is not None else outputs.get(step, ()):
            if one.constraint not in found.setdefault(concept, []):
                found[concept].append(one.constraint)
    return found
