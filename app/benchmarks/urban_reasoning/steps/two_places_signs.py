"""Signs of differences and of what follows from them, in responses about two places (DS and DR)."""

import re
from collections.abc import Callable, Sequence

from app.benchmarks.urban_reasoning.steps.graphs import Graph
from app.benchmarks.urban_reasoning.steps.plain_text import Plain
from app.benchmarks.urban_reasoning.steps.rules import Known, Turned
from app.benchmarks.urban_reasoning.steps.stated_numbers import Number
from app.scores.reasoning import DRIFT, WRONG, Step


def is_signed(name: str) -> bool:
    """Whether the sign of a quantity matters."""
    return name in _SIGNED or name in ("lat1_deg", "lat2_deg", "lon1_deg", "lon2_deg", "dlat_deg", "dlat_rad")


_COORDINATES = ("lat1_deg", "lat2_deg", "lon1_deg", "lon2_deg")
Signs = Callable[[Plain, Sequence[Turned]], Sequence[Step]]
_SIGNED = frozenset("dlon_deg dlon_rad sin_dlon y x theta_rad theta_deg".split())
_SIDES = tuple("west south east north abs magnitude size apart differ gap separat change °w °s °e °n".split())
_SIDE = re.compile(r"[°\d\"'] ?[SW]\b|\b(?:west|south)", re.IGNORECASE)
_SIZE = re.compile(r"\|[^|\n\d]{1,12}\|")
"""Bars around a symbol."""
REACH = 40


def signs_of_distance(graph: Graph) -> Signs:
    """Both differences are of one order of the places, or sizes."""

    def signs(plain: Plain, turned: Sequence[Turned]) -> Sequence[Step]:
        turned = _without_sizes(plain, turned)
        axes = {one.name[:4] for number, one, _ in turned if _is_difference(one) and number.signed}
        for number, one, _ in turned:
            if one.name in ("lon1_deg", "lon2_deg", "lat1_deg", "lat2_deg") and _is_bare(plain, number):
                return [_wrong(graph, plain, number, one)]
        other = {"dlat": "dlon", "dlon": "dlat"}
        if len(axes) != 1:
            return []
        axis = axes.pop()
        kept = [step for step in (f"{other[axis]}_deg", f"{other[axis]}_rad") if step in graph.stated]
        exact = graph.exact(f"{other[axis]}_deg") or 0.0
        if not kept or exact > 0:
            return []
        signed = any(
            plain.text[told.position] == "-" for name in kept for told in graph.stated[name] if told.position
        )
        first = next(
            (one[:2] for one in turned if one.known.name[:4] == axis and _is_difference(one.known)), None
        )
        return [_wrong(graph, plain, *first)] if first and signed else []

    return signs


def signs_of_bearing(graph: Graph) -> Signs:
    """Differences and components go from the origin to the destination."""

    def signs(plain: Plain, turned: Sequence[Turned]) -> Sequence[Step]:
        turned = [one for one in _without_sizes(plain, turned) if _matters(plain, one)]
        signed = [one for one in turned if one.number.signed or _is_bare(plain, one.number)]
        if not signed:
            return []
        first = next(one for one in turned if one.known.name in _SIGNED or one == signed[0])
        return [_wrong(graph, plain, first.number, first.known)]

    return signs


def _matters(plain: Plain, one: Turned) -> bool:
    """Whether the bearing depends on the sign of a number that is no part of a formula."""
    before, behind = (
        plain.text[max(0, one.number.start - 4) : one.number.start].rstrip()[-1:],
        plain.text[one.number.end : one.number.end + 4].lstrip()[:1],
    )
    is_operand = before in ("/", "*") or behind in ("/", "*")
    return not is_operand and (one.known.name in _SIGNED or one.known.name in _COORDINATES)


def _without_sizes(plain: Plain, turned: Sequence[Turned]) -> list[Turned]:
    """Without coordinates whose side the text tells by a letter, or whose sign it adds elsewhere."""
    sides = bool(_SIDE.search(plain.text))
    return [
        one
        for one in turned
        if one.known.name not in _COORDINATES
        or one.number.signed
        or not (sides or f"-{int(abs(one.known.value) * 100) / 100:.2f}" in plain.text)
    ]


def _is_difference(one: Known) -> bool:
    return one.name in ("dlat_deg", "dlat_rad", "dlon_deg", "dlon_rad")


def _is_bare(plain: Plain, number: Number) -> bool:
    """Whether nothing at a number tells its side or that it is a size."""
    line = max(plain.text.rfind(end, 0, number.start) for end in ("\n", ". ", "; ")) + 1
    near = plain.text[max(line, number.start - REACH) : number.start].lower()
    is_table = plain.text[plain.text.rfind("\n", 0, number.start) + 1] == "|"
    behind = plain.text[number.end : number.end + 12].lower()
    return not any(side in near + behind for side in _SIDES) and (is_table or not _SIZE.search(near))


def _wrong(graph: Graph, plain: Plain, number: Number, one: Known) -> Step:
    expected = graph.exact(one.name) if one.name in graph.quantities else one.value
    return Step(one.name, number.value, expected, plain.place(number.start), WRONG, DRIFT)
