"""Rules of Destination (PR): what words mean, and the candidate that is chosen."""

import re
from collections.abc import Callable, Sequence

from app.benchmarks.urban_reasoning.steps.checking import builds
from app.benchmarks.urban_reasoning.steps.context_text import way_and_candidates
from app.benchmarks.urban_reasoning.steps.graphs import Graph
from app.benchmarks.urban_reasoning.steps.heading import heading_graph
from app.benchmarks.urban_reasoning.steps.heading_values import beside_headings
from app.benchmarks.urban_reasoning.steps.places_named import PlaceNames
from app.benchmarks.urban_reasoning.steps.plain_text import Plain
from app.benchmarks.urban_reasoning.steps.rules import Rules, Turned
from app.benchmarks.urban_reasoning.steps.stated_numbers import Number
from app.benchmarks.urban_reasoning.steps.tables import title_of_column
from app.scores.reading.mentions import answer_section, mentions_in
from app.scores.reasoning import BLIND, DRIFT, RIGHT, WRONG, Step

FINEST = 0.004
"""Half a unit of the last digit of numbers that are no headings, but coordinates and their differences."""
NEAR = 200
_STOP = re.compile(r"[.;] |\n")
_SUBJECT = re.compile(r"_(?:c|leg)\d$")
_COMPONENT = re.compile(r"[Δ*+=^]|north|south|east|west|component|\blat|\blon|degree of", re.IGNORECASE)
_LENGTH = re.compile(r"\bkm\b|\bdist|length", re.IGNORECASE)
_COORDINATE = re.compile(
    r"(?:latitude|longitude|\blat|\blon|Δlat|Δlon)(?: [a-z]+){0,2}[ =:]*[-+]?$", re.IGNORECASE
)
_TURN = re.compile(r"\boff\b|differ|deviat|turn|relative|away|misalign|apart|diverg|within", re.IGNORECASE)
_TURN_BEHIND = re.compile(r"[°)]? ?(?:degrees )?(?:off|away|apart|different|from the)\b")
_HEADING = re.compile(r"bearing|heading|azimuth|course", re.IGNORECASE)
_LEG = re.compile(r"\b(?:leg|segment|step) ?#?(?P<number>[1-9])\b", re.IGNORECASE)


@builds("PR")
def heading_rules(context: str, question: str, response: str) -> Sequence[Rules]:
    """The rules of a way and its candidates."""
    way, candidates = way_and_candidates(context)
    if len(way) < 2 or not candidates:
        raise ValueError("the context has to tell a way and candidates")
    names = PlaceNames([place.name for place in (*way, *candidates)], response)
    if names.are_letters_default:
        names.letters = {}
    graph = heading_graph(way, candidates)
    told = [place.name for place in candidates]
    return [
        Rules(
            graph, _claims(told, graph), frozenset(graph.given), [*beside_headings(way, candidates)],
            signs=_signs(graph),
            is_signed=_is_signed, narrow=_narrow(names, len(way)), named=_named(names, len(way), graph),
        )
    ]  # fmt: skip


def _narrow(names: PlaceNames, points: int) -> Callable[[Plain, Number], Callable[[str], bool] | None]:
    """What stands in a sentence about one candidate, or one leg, is about no other one."""

    def narrow(plain: Plain, number: Number) -> Callable[[str], bool] | None:
        text = plain.text
        starts = [one.end() for one in _STOP.finditer(text, max(0, number.start - NEAR), number.start)]
        stop = _STOP.search(text, number.end, number.end + NEAR)
        part = text[
            starts[-1] if starts else max(0, number.start - NEAR) : stop.start() if stop else number.end
        ]
        places = {mention.place for mention in names.mentions(part)}
        candidates = {place for place in places if place >= points}
        told = _kinds(plain, number, part)
        if len(candidates) == 1 and places <= candidates | {points - 1}:
            return _of(told, f"c{candidates.pop() - points}", f"leg{points - 1}")
        legs = {int(found["number"]) for found in _LEG.finditer(part)}
        if len(places) == 2 and not candidates and max(places) == min(places) + 1:
            legs.add(max(places))
        if not legs and len(places) == 1 and not candidates and "|" in part:
            place = max(places)
            return _of(told, f"leg{place}", f"leg{place + 1}")
        if len(legs) == 1 and not candidates and len(places) <= 2:
            return _of(told, f"leg{legs.pop()}")
        return None

    return narrow


def _of(kinds: tuple[str, ...], *keys: str) -> Callable[[str], bool]:
    """Whether a quantity is of these kinds, and one of these subjects' or of none."""
    ends = tuple(f"_{key}" for key in keys)
    return lambda name: (_SUBJECT.search(name) is None or name.endswith(ends)) and name.startswith(kinds)


def _kinds(plain: Plain, number: Number, part: str) -> tuple[str, ...]:
    """How the names of the quantities begin that a unit or an unmistakable label leaves."""
    if number.unit in ("km", "m") and not _COMPONENT.search(part):
        return ("distance_", "sum_of", "mean_of")
    near = re.split(r"\d", plain.text[max(0, number.start - 50) : number.start])[-1]
    near = title_of_column(plain, number) or near.rpartition("\n")[2]
    if number.unit == "" and _LENGTH.search(near):
        return ("distance_", "sum_of", "mean_of")
    if number.unit in ("", "deg") and _COORDINATE.search(near) and not re.search("cos|sin", near):
        return ("dlat_", "dlon_", "lat_", "lon_")
    behind = re.split(r"[\d,;.\n]", plain.text[number.end : number.end + 25])[0]
    is_turn = bool(_TURN.search(near) or _TURN_BEHIND.match(behind))
    is_heading = bool(_HEADING.search(near))
    if is_turn == is_heading or number.unit == "rad" or number.half < FINEST:
        return ("",)
    return (
        ("off_", "turn", "bearing_leg", "bearing_overall", "mean_heading")
        if is_turn
        else ("bearing_", "mean_heading", "acute_", "off_mean")
    )


def _named(names: PlaceNames, points: int, graph: Graph) -> Callable[[Plain, Number], Sequence[str]]:
    """The quantities of the leg or the candidate that is mentioned last."""

    def named(plain: Plain, number: Number) -> Sequence[str]:
        near = plain.text[max(0, number.start - NEAR) : number.start]
        keys = []
        if found := list(_LEG.finditer(near)):
            keys.append((found[-1].end(), f"leg{found[-1]['number']}"))
        for mention in names.mentions(near):
            place = mention.place
            keys.append((mention.end, f"c{place - points}" if place >= points else f"leg{place}"))
        if not keys:
            return ()
        key = max(keys)[1]
        return [name for name in graph.quantities if name.endswith(f"_{key}")]

    return named


_DIFFERENCE = re.compile(
    r"(?:Δ|[dD]elta[ _]?|\bd)_?(?:lat|lon|φ|λ)\w* ?(?:=|:|\||of|is) ?[-+]?$", re.IGNORECASE
)


def _signs(graph: Graph) -> Callable[[Plain, Sequence[Turned]], Sequence[Step]]:
    """Labelled differences of coordinates go from the start of a leg to its end."""

    def signs(plain: Plain, turned: Sequence[Turned]) -> Sequence[Step]:
        for number, one, _ in turned:
            if _DIFFERENCE.search(plain.text[max(0, number.start - 30) : number.start]):
                expected = graph.exact(one.name)
                return [Step(one.name, number.value, expected, plain.place(number.start), WRONG, DRIFT)]
        return []

    return signs


def _is_signed(name: str) -> bool:
    return name.startswith(("dlat_leg", "dlon_leg", "dlat_c", "dlon_c"))


def _claims(told: Sequence[str], graph: Graph) -> Callable[[Plain, str, Sequence[Step]], Sequence[Step]]:
    def claims(plain: Plain, response: str, steps: Sequence[Step]) -> Sequence[Step]:
        """The chosen candidate: the one least off the last and the overall heading, by true or by stated values."""
        acute = _unfinished(graph, steps)
        section = answer_section(response)
        places = {mention.place for mention in mentions_in(section, told)}
        if len(places) != 1:
            return acute
        chosen = places.pop()
        numbers = range(len(told))
        offs = [
            [
                (graph.exact(f"off_last_c{one}") or 0) + (graph.exact(f"off_overall_c{one}") or 0)
                for one in numbers
            ],
            [_first(graph, f"off_last_c{one}") + _first(graph, f"off_overall_c{one}") for one in numbers],
        ]
        right = any(off[chosen] <= min(off) for off in offs)
        best = min(range(len(told)), key=lambda number: offs[0][number])
        position = response.rfind(section)
        return [
            *acute,
            Step(
                "choice",
                told[chosen],
                told[best],
                position,
                RIGHT if right else WRONG,
                None if right else BLIND,
            ),
        ]

    return claims


def _unfinished(graph: Graph, steps: Sequence[Step]) -> list[Step]:
    """Angles within a quadrant that are stated in place of a heading, which is stated nowhere."""
    told = {step.quantity for step in steps}
    return [
        step._replace(quantity=name, expected=graph.exact(name), verdict=WRONG, failure=DRIFT)
        for step in steps
        if step.quantity.startswith("acute_")
        and (name := step.quantity.replace("acute_", "bearing_")) in graph.quantities
        and name not in told
    ]


def _first(graph: Graph, name: str) -> float:
    return next(iter(graph.candidates(name)), 180.0)
