"""Rules of Visiting_Order (PN): symbols and words, sums along orders, the farthest place, the chosen order."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise

from app.benchmarks.urban_reasoning.steps.checking import builds
from app.benchmarks.urban_reasoning.steps.context_text import legs_in
from app.benchmarks.urban_reasoning.steps.expressions import Node
from app.benchmarks.urban_reasoning.steps.graphs import Graph, Stated
from app.benchmarks.urban_reasoning.steps.places_named import Mention, PlaceNames
from app.benchmarks.urban_reasoning.steps.plain_text import Plain
from app.benchmarks.urban_reasoning.steps.rules import Announced, Rules, Window
from app.benchmarks.urban_reasoning.steps.tokens import NUMBER, Token, tokens_of
from app.benchmarks.urban_reasoning.steps.tour import distance_name, order_name, tour_graph
from app.scores.reading.mentions import answer_section
from app.scores.reasoning import BLIND, DRIFT, RIGHT, WRONG, Step

_LEG = re.compile(
    r"\b(?:leg|segment|step|vector) ?#?(?P<number>[1-9])\b"
    r"(?! ?[:.)] ?(?:extract|convert|comput|calculat|find|eval|compare|list|determine|build|place))",
    re.IGNORECASE,
)
_WORDS = {
    "x": r"(?-i:\b[xX]\b|[xX]_)|[Δd]x|\beast|\bwest|horizontal",
    "y": r"(?-i:\b[yY]\b|[yY]_)|[Δd]y|\bnorth|\bsouth|vertical",
    "step": r"[Δd][xy]|displace|component|offset|contribut|\bleg\b|vector|moves?\b|shift",
    "spot": r"position|coordinate|located|lies at|\bat\b|ends? at|place at|→ ?\(|reach",
    "sin": r"\bsine?\b",
    "cos": r"\bcos(?:ine)?\b",
    "bearing": r"bearing|azimuth|heading|direction|degrees|angle",
    "distance": r"distance|dist\b|\bkm\b|apart|kilomet|length|far\b|away",
    "total": r"total|\bsum\b|tour|route|path|order|altogether|overall|=\s*$",
    "square": r"squar|\^ ?2",
}  # fmt: skip
_COMPILED = {key: re.compile(pattern, re.IGNORECASE) for key, pattern in _WORDS.items()}
_AXIS = re.compile(r"(?:Δ|d|delta)?(?P<axis>[xyXY])_?(?P<place>\w*)")
_SUM = re.compile(r"(?<![\d.])\d{1,4}(?:\.\d{1,9})?(?: ?km)?(?: ?\+ ?\d{1,4}(?:\.\d{1,9})?(?: ?km)?){1,9}")
_FARTHEST = re.compile(
    r"\b(?:farthest|furthest|most distant)\b(?! apart)(?P<behind>[^.\n;]{0,80})", re.IGNORECASE
)
MARGIN = 0.004
"""Share of its length by which an order is shorter than another one that cannot be called the shortest."""


@builds("PN")
def tour_rules(context: str, question: str, response: str) -> Sequence[Rules]:
    """The rules of a tour."""
    legs = legs_in(context)
    if len(legs) < 2:
        raise ValueError("the context has to tell legs from place to place")
    names = PlaceNames([legs[0].start, *(leg.end for leg in legs)], response)
    graph = tour_graph(legs)
    count = len(legs)
    inputs = frozenset(f"{kind}{leg}" for leg in range(1, count + 1) for kind in ("bearing", "km"))
    pairs = [(f"x{place}", f"y{place}") for place in range(1, count + 1)]
    pairs += [(f"dx{leg}", f"dy{leg}") for leg in range(1, count + 1)]
    return [
        Rules(
            graph, _symbols(names, count), _announced(names, count, graph), _claims(names, graph), inputs, {}, pairs,
            _operands, True,
        )
    ]  # fmt: skip


def _operands(name: str, node: Node) -> Sequence[tuple[str, Node]]:
    """Length and bearing of the leg in a formula of a component: 0.32 × sin(298.34°)."""
    leg = re.fullmatch(r"d?[xy]([1-9])", name)
    return _leg_in(node, leg[1]) if leg else ()


def _leg_in(node: Node, leg: str) -> Sequence[tuple[str, Node]]:
    found = []
    if node.kind == "call" and node.token and node.token.text in ("sin", "cos") and node.parts[0].is_bare():
        found.append((f"bearing{leg}", node.parts[0]))
    if node.kind == "product":
        number, other = node.parts
        if number.is_bare() and other.kind == "call":
            found.append((f"km{leg}", number))
    return [*found, *(one for part in node.parts for one in _leg_in(part, leg))]


def _symbols(names: PlaceNames, count: int) -> Callable[[str], Sequence[str]]:
    @cache
    def meant(symbol: str) -> Sequence[str]:
        found = _AXIS.fullmatch(symbol)
        if found:
            return _component(symbol, found, names, count)
        pair = names.pair_of(symbol)
        if pair:
            return (distance_name(*pair),)
        theta = re.fullmatch(r"(?:θ|theta|bearing|β|b)_?([1-9])", symbol)
        if theta and int(theta[1]) <= count:
            return (f"bearing{theta[1]}", f"bearing{theta[1]}_rad")
        length = re.fullmatch(r"(?:d|r|L|l|dist)_?([1-9])", symbol)
        return (f"km{length[1]}",) if length and int(length[1]) <= count else ()

    return meant


def _component(symbol: str, found: re.Match[str], names: PlaceNames, count: int) -> Sequence[str]:
    axis, told = found["axis"].lower(), found["place"]
    place = names.place_of(told)
    is_step = symbol[0] in "Δd"
    if place is None and told.isdigit() and int(told) <= count:
        place = int(told)
    if place is None or (place == 0 and is_step):
        return ()
    return (f"d{axis}{place}",) if is_step else (f"{axis}{place}", f"d{axis}{place}")[: 2 if place else 1]


def _announced(names: PlaceNames, count: int, graph: Graph) -> Announced:
    def announced(token: Token, window: Window) -> Sequence[Sequence[str]]:
        told = _features(names.without(window.before)) or _features(names.without(window.behind)) - {"total"}
        near = _without_repeats(names.mentions(window.before)) or _without_repeats(
            names.mentions(window.sentence)
        )
        places = near or _places(names, window)
        legs = _legs_of(window, places, count)
        readings = list(_read(told, places, legs, token, window, count, bool(near)))
        return [[_as_leg(name, graph) for name in one if name] for one in readings]

    return announced


def _as_leg(name: str, graph: Graph) -> str:
    """The length of a leg, where a text tells the distance of its ends for the first time."""
    found = re.fullmatch(r"distance_(\d)(\d)", name)
    if found and int(found[2]) == int(found[1]) + 1 and f"km{found[2]}" not in graph.stated:
        return f"km{found[2]}"
    return name


def _features(text: str) -> set[str]:
    return {key for key, pattern in _COMPILED.items() if pattern.search(text)}


def _places(names: PlaceNames, window: Window) -> list[int]:
    """The places that are mentioned nearest above a line."""
    for text in (window.title, *window.above[:4]):
        found = _without_repeats(names.mentions(text))
        if found:
            return found
    return []


def _without_repeats(mentions: Sequence[Mention]) -> list[int]:
    places: list[int] = []
    for mention in mentions:
        if not places or places[-1] != mention.place:
            places.append(mention.place)
    return places


def _legs_of(window: Window, places: Sequence[int], count: int) -> list[int]:
    for text in (window.before, window.sentence, window.title, *window.above[:4]):
        if found := list(_LEG.finditer(text)):
            number = int(found[-1]["number"])
            return [number] if number <= count else []
        if any(abs(one - other) == 1 for one, other in pairwise(places)):
            break
    pairs = [max(pair) for pair in pairwise(places) if abs(pair[0] - pair[1]) == 1]
    if pairs:
        return [pairs[-1]]
    return [places[-1]] if len(places) == 1 and places[-1] else []


def _read(
    told: set[str],
    places: Sequence[int],
    legs: Sequence[int],
    token: Token,
    window: Window,
    count: int,
    near: bool,
) -> Iterator[Sequence[str]]:
    """The quantities, by each way to read the words."""
    place = places[-1] if places else None
    if (
        len(places) == count + 1
        and len(set(places)) == count + 1
        and not told & {"x", "y", "sin", "cos", "bearing"}
    ):
        if near and places[0] == 0 and token.unit in ("km", "m", ""):
            yield [order_name(places)]
        return
    if token.unit == "deg":
        yield [f"bearing{leg}" for leg in legs]
        return
    if {"sin"} == told & {"sin", "cos"}:
        yield [f"sin{leg}" for leg in legs]
        return
    if {"cos"} == told & {"sin", "cos"}:
        yield [f"cos{leg}" for leg in legs]
        return
    if "square" in told:
        return
    axes = [axis for axis in "xy" if axis in told]
    if window.slot is not None and (place is not None or legs):
        axes = ["xy"[window.slot]]
    if axes:
        yield from _components(told, axes[-1:], place, legs, len(places) == 1)
        return
    if "bearing" in told and "distance" not in told and not token.unit:
        yield [f"bearing{leg}" for leg in legs]
        return
    if near or legs:
        yield from _lengths(told, places, legs, token, window)


def _components(
    told: set[str], axes: Sequence[str], place: int | None, legs: Sequence[int], is_single: bool
) -> Iterator[Sequence[str]]:
    steps = [f"d{axis}{leg}" for axis in axes for leg in legs]
    spots = [f"{axis}{place}" for axis in axes if place is not None]
    if "step" in told and "spot" not in told:
        yield steps
        yield spots
    elif ("spot" in told and "step" not in told) or is_single:
        yield spots
        yield steps
    else:
        yield steps
        yield spots


def _lengths(
    told: set[str], places: Sequence[int], legs: Sequence[int], token: Token, window: Window
) -> Iterator[Sequence[str]]:
    if token.unit not in ("km", "m", "") or not (token.unit or "distance" in told or len(places) == 2):
        return
    if len(places) == 2 and places[0] != places[1]:
        yield [distance_name(*places)]
    elif len(places) == 1 and legs and "start" not in window.sentence.lower():
        yield [f"km{leg}" for leg in legs]
        yield [distance_name(0, places[0])] if places[0] else []
    elif len(places) == 1 and places[0]:
        yield [distance_name(0, places[0])]


def _claims(names: PlaceNames, graph: Graph) -> Callable[[Plain, str, Sequence[Step]], Sequence[Step]]:
    def claims(plain: Plain, response: str, steps: Sequence[Step]) -> Sequence[Step]:
        """Addends of orders' lengths, the place that is called the farthest, and the chosen order."""
        return [
            *_addends(names, graph, plain),
            *_farthest(names, graph, plain),
            *_chosen(names, graph, response),
        ]

    return claims


def _addends(names: PlaceNames, graph: Graph, plain: Plain) -> Iterator[Step]:
    """Each number of a sum behind an order of places is the distance of two of them."""
    start = 0
    before: list[int] = []
    for line in plain.text.split("\n"):
        for found in _SUM.finditer(line):
            order = _without_repeats(names.mentions(line[: found.start()])) or before
            numbers = [token for token in tokens_of(found[0]) if token.kind == NUMBER]
            if len(order) == len(numbers) + 1 and len(set(order)) == len(order):
                for pair, token in zip(pairwise(order), numbers, strict=True):
                    position = plain.place(start + found.start() + token.start)
                    yield _length_step(graph, pair, token, position)
        before = _without_repeats(names.mentions(line))
        start += len(line) + 1


def _length_step(graph: Graph, pair: tuple[int, int], token: Token, position: int) -> Step:
    name = distance_name(*pair)
    value, half = (token.value / 1000, token.half / 1000) if token.unit == "m" else (token.value, token.half)
    stated = Stated(value, half, position)
    right = graph.is_right(name, stated) or graph.is_right(
        name, stated._replace(value=value / 1000, half=half / 1000)
    )
    return Step(
        name, value, graph.expected(name), position, RIGHT if right else WRONG, None if right else DRIFT
    )


def _farthest(names: PlaceNames, graph: Graph, plain: Plain) -> Iterator[Step]:
    for found in _FARTHEST.finditer(plain.text):
        if not re.search(r"start|origin|" + re.escape(names.names[0].lower()), found["behind"].lower()):
            continue
        said = [one for one in names.mentions(found["behind"]) if one.place]
        lengths = {place: _first(graph, distance_name(0, place)) for place in range(1, len(names.names))}
        if len({one.place for one in said}) != 1:
            continue
        best = max(lengths, key=lambda place: lengths[place])
        right = lengths[said[0].place] >= lengths[best] * (1 - MARGIN)
        position = plain.place(found.start())
        yield _claim("farthest", names.names[said[0].place], names.names[best], position, right)


def _claim(name: str, stated: str, expected: str, position: int, right: bool) -> Step:
    return Step(name, stated, expected, position, RIGHT if right else WRONG, None if right else BLIND)


def _first(graph: Graph, name: str) -> float:
    return next(iter(graph.candidates(name)), 0.0)


def _chosen(names: PlaceNames, graph: Graph, response: str) -> Iterator[Step]:
    """The order of the answer against the shortest, by the lengths that the text states, else by the true ones."""
    section = answer_section(response)
    order = _without_repeats(names.mentions(section))[: len(names.names)]
    if len(set(order)) == len(names.names) - 1 and 0 not in order:
        order = [0, *order]
    if len(set(order)) != len(names.names) or order[0] != 0:
        return
    lengths = {name: _first(graph, name) for name in graph.quantities if name.startswith("path_")}
    chosen, best = order_name(order), min(lengths, key=lambda name: lengths[name])
    right = lengths[chosen] <= lengths[best] * (1 + MARGIN)
    stated, expected = (one.removeprefix("path_") for one in (chosen, best))
    yield _claim("order", stated, expected, response.rfind(section), right)
