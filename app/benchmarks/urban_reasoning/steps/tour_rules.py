"""Rules of Visiting_Order (PN): symbols and words, sums along orders, the farthest place, the chosen order."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

from app.benchmarks.urban_reasoning.steps.checking import builds
from app.benchmarks.urban_reasoning.steps.context_text import legs_in
from app.benchmarks.urban_reasoning.steps.graphs import Graph, Stated
from app.benchmarks.urban_reasoning.steps.places_named import Mention, PlaceNames
from app.benchmarks.urban_reasoning.steps.plain_text import Plain
from app.benchmarks.urban_reasoning.steps.rules import Rules, Turned
from app.benchmarks.urban_reasoning.steps.stated_numbers import Number
from app.benchmarks.urban_reasoning.steps.tables import title_of_column
from app.benchmarks.urban_reasoning.steps.tokens import NUMBER, Token, tokens_of
from app.benchmarks.urban_reasoning.steps.tour import distance_name, order_name, tour_graph
from app.benchmarks.urban_reasoning.steps.tour_values import beside_tour, faults_of_tour
from app.scores.reading.mentions import answer_section
from app.scores.reasoning import BLIND, DRIFT, RIGHT, WRONG, Step

Key = TypeVar("Key")
NEARLY = 0.01
"""Share by which an addend may differ from a distance."""
NEAR_AXIS = 90
"""Signs before a number in which its axis stands."""
_PART = r"(?:[- ](?:component|part|offset|shift|coordinate|displacement|value|distance))?"
_OF_LEG = (
    r"(?:,? (?:of|for|on|in) (?:the )?"
    r"(?:(?:leg|step|segment|part|move) ?#?\d|(?:first|second|third|fourth|last) \w+))?"
)
_COMES_TO = (
    r"(?:,? (?:is|of|are|was|equals|gives|comes to|works out (?:as|at|to)|amounts to|becomes|reads|makes))?"
)
_AXIS = re.compile(
    r"(?:(?<![a-zA-Z])(?:[Δd]_?)?(?P<axis>[xyXY])(?:_?\{?\w{0,2}\}?)?"
    r"|\b(?P<word>east|north)(?! ?-?(?:east|west))\w*)"
    rf"{_PART}{_OF_LEG}{_COMES_TO}(?: (?:about|roughly|approximately))? ?[=:]? ?[-+]?$",
    re.IGNORECASE,
)
_FORMULA = re.compile(r"(?:(?:[-\d.+*/^()° =]|\bk?m\b|\bsin\b|\bcos\b|\bpi\b){1,40}= ?)[-+]?$")
"""A formula of numbers and the sign of equality behind it."""
_AXIS_TITLE = re.compile(r"(?:Δ|[dD](?:elta)?_?)? ?(?:(?P<axis>[xXyY])|(?P<word>[eE]ast|[nN]orth))\b")
_FUNCTION = re.compile(
    r"\b(?P<function>sin|cos)(?:e|ine)?(?: ?[βθα]\w{0,3})?(?: ?[=:]| (?:is|has the value|of)"
    r"| [a-z]{2,8}(?: (?:as|to|at|out as|the))*)? ?-?$",
    re.IGNORECASE,
)
_DISTANCE = re.compile(r"\b(?:distance|gap|separation|spacing|apart)\b", re.IGNORECASE)
_FUNCTION_TITLE = re.compile(r"(?P<function>sin|cos)(?:e|ine)?\b", re.IGNORECASE)
_TURNED_ANGLE = re.compile(r"\b(?:90|450) ?°? ?- ?|\bφ")
_BEFORE_FUNCTION = re.compile(r"(?: ?km)? ?[*] ?(?:sin|cos)|(?:sin|cos)")
_BEHIND_FUNCTION = re.compile(r"(?:sin|cos) ?\(? ?$")
_LETTERS = re.compile(r"(?<![A-Za-z])[A-Z]{2,6}(?![A-Za-z])")
_TOTAL = re.compile(
    r"total|\bsum|so far|cumulat|running|altogether|longer|shorter|saves?|than\b|versus|\bvs\b|differ",
    re.IGNORECASE,
)
_NUMBER_FIRST = re.compile(r" ?(?:km|kilomet\w+)?\)? ?(?:for|between|from|separat\w*|apart|is the|of|to)\b")
_AXIS_BEHIND = re.compile(
    r" ?(?:km|m)? ?(?:to the |due )?(?P<word>east|north)(?! ?-?(?:east|west))(?!ern)", re.IGNORECASE
)
_STOP = re.compile(r"[.;:] |\n|, (?=(?:and|while|so|but) )")
_OPERAND = re.compile(r"[+*/^(] ?-? ?$")
MOST_BEFORE = 240
LARGEST_SINE = 7.0
"""Numbers up to it behind sin or cos may be angles in radians, or results."""
_OPERATOR = re.compile(r" ?(?:km )?[*/^+(]| ?-| ?(?:sin|cos|sqrt)")
_LENGTH = r"(?:[1-9]\d{0,2}(?:,\d{3}){1,2}(?!\d)|\d{1,6}(?!,\d{3}(?!\d)))(?:\.\d{1,9})?"
"""A length in kilometres or metres, with signs between thousands or not."""
_IN_PAIR = re.compile(rf"\( ?([-+]? ?{_LENGTH})(?: ?k?m)? ?[,;] ?([-+]? ?{_LENGTH})(?: ?k?m)? ?\)")
_SQUARED = re.compile(r"(?: ?k?m)? ?\)?\)? ?\^ ?\(?\{? ?2")
_SIDES = re.compile(r"(?<![\w'])(?:(?i:west|south|left|down)|[WS](?![\w'.]))")
_SUM = re.compile(rf"(?<![\d.,]){_LENGTH}(?: ?k?m)?(?: ?\+ ?{_LENGTH}(?: ?k?m)?){{1,9}}(?![\d.])")
_FARTHEST = re.compile(
    r"\b(?:farthest|furthest|most (?:distant|remote)|(?:largest|greatest|maximum|biggest) distance)\b(?! apart)",
    re.IGNORECASE,
)
_NOTHING_FARTHER = re.compile(
    r"\b(?:nothing|none|no (?:other|place|point|one))\b[^.\n]{0,80}\b(?:farther|further)\b[^.\n]{0,80}?\bthan ",
    re.IGNORECASE,
)
_SHORTEST = re.compile(
    r"\b(?:shortest|minim\w+|smallest|lowest|least|best|optim\w+|winner|wins)\b", re.IGNORECASE
)
ROUNDING = 0.003
"""Share that the rounding of positions takes distances off, small ones left aside."""
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
    inputs = frozenset(f"{kind}{leg}" for leg in range(1, len(legs) + 1) for kind in ("bearing", "km"))
    known, faults = [*beside_tour(legs)], [*faults_of_tour(legs)]
    return [
        Rules(
            graph, _claims(names, graph), inputs, known, faults, _signs(names, graph), _is_signed,
            _narrow(names, graph), by_operations=False, units=_units(graph), rounding=ROUNDING,
            partners=_partners(len(legs)), labels=names.names,
        )
    ]  # fmt: skip


def _partners(legs: int) -> Mapping[str, str]:
    """The components of each leg, which an exchange of sine and cosine exchanges."""
    return {f"dx{leg}": f"dy{leg}" for leg in range(1, legs + 1)}


def _narrow(names: PlaceNames, graph: Graph) -> Callable[[Plain, Number], Callable[[str], bool] | None]:
    """A number at an axis is a component, and one beside an order is about the order."""

    spots = [
        (graph.exact(f"{d}x{n}") or 0.0, graph.exact(f"{d}y{n}") or 0.0)
        for d in ("", "d")
        for n in _numbers(graph)
    ]

    @lru_cache(maxsize=1)
    def is_east_first(plain: Plain) -> bool:
        """Whether most pairs in brackets are east and north, and not north and east."""
        pairs = [
            tuple(float(re.sub("[ ,]", "", one)) for one in found.groups())
            for found in _IN_PAIR.finditer(plain.text)
        ]
        pairs += [tuple(one / 1000 for one in pair) for pair in pairs]
        east = sum(any(_alike(pair, spot) for spot in spots) for pair in pairs)
        return east > sum(any(_alike(pair, spot[::-1]) for spot in spots) for pair in pairs)

    def narrow(plain: Plain, number: Number) -> Callable[[str], bool] | None:
        if abs(number.value) in graph.given.values():
            return None
        if number.digits >= 2 and _BEFORE_FUNCTION.match(plain.text, number.end):
            return lambda name: re.fullmatch(r"km\d", name) is not None
        is_angle = number.unit == "deg" or abs(number.value) > LARGEST_SINE
        if (
            is_angle
            and number.digits >= 2
            and _BEHIND_FUNCTION.search(plain.text[max(0, number.start - 6) : number.start])
        ):
            return lambda name: name.startswith("bearing")
        if number.digits < 2 or _OPERATOR.match(plain.text, number.end) or number.unit in ("deg", "rad"):
            return None
        if labelled := _of_label(names, plain, number):
            return labelled
        axis = _axis_of(names, plain, number)
        if axis:
            return lambda name: bool(re.match(rf"d?{axis}\d|gap2?_{axis}", name))
        before = plain.text[max(0, number.start - 3) : number.start]
        slot = _slot(plain, number)
        if slot is not None and is_east_first(plain):
            return lambda name: bool(re.match(rf"d?{'xy'[slot]}\d|gap_{'xy'[slot]}", name))
        if slot is not None or _OPERAND.search(before):
            return None
        places = _places_at(names, plain, number)
        if len(places) == len(names.names) == len(set(places)) and places[0] == 0:
            return _of_order(places)
        return None

    return narrow


def _units(graph: Graph) -> Callable[[Sequence[Number]], Sequence[Number]]:
    """Lengths without a unit are in metres where the text has its lengths in metres."""
    angles = [value for name, value in graph.given.items() if name.startswith("bearing")]
    turned = {
        round(turn + sign * angle, 6)
        for angle in angles
        for turn in (0, 90, 180, 360, 450)
        for sign in (1, -1)
    }

    def units(numbers: Sequence[Number]) -> Sequence[Number]:
        lengths = [number.unit for number in numbers if number.unit in ("m", "km")]
        if lengths.count("m") <= lengths.count("km"):
            return numbers
        return [
            number._replace(unit="m")
            if not number.unit
            and number.digits >= 2
            and _is_in_metres(number)
            and round(number.value, 6) not in turned
            else number
            for number in numbers
        ]

    return units


def _is_in_metres(number: Number) -> bool:
    """Whether a number may be metres: large, or of as few decimals as lengths in metres have."""
    return abs(number.value) > LARGEST_SINE or number.half >= 0.05


def _part_of(plain: Plain, number: Number) -> str:
    """The part of a sentence, or the row of a table, that a number stands in."""
    text = plain.text
    starts = [found.end() for found in _STOP.finditer(text, max(0, number.start - MOST_BEFORE), number.start)]
    end = _STOP.search(text, number.end, number.end + MOST_BEFORE)
    return text[
        starts[-1] if starts else max(0, number.start - MOST_BEFORE) : end.start() if end else number.end
    ]


def _places_at(names: PlaceNames, plain: Plain, number: Number) -> list[int]:
    """The places that a number is about: those between it and the number before it, or all of its sentence."""
    line = plain.text.rfind("\n", 0, number.start) + 1
    before = plain.text[max(line, number.start - MOST_BEFORE) : number.start]
    gap = re.split(r"\d\.\d+", before)[-1]
    if len(gap) < len(before) and _NUMBER_FIRST.match(gap):
        return _without_repeats(names.mentions(_part_of(plain, number))) if _STOP.search(gap) else []
    gap = _STOP.split(gap)[-1]
    if not names.are_letters_default and (found := _LETTERS.findall(gap)):
        places = [names.letters.get(letter) for letter in found[-1]]
        known = [place for place in places if place is not None]
        return known if len(set(known)) == len(places) else []
    mentions = names.mentions(gap)
    if len(mentions) <= 2 and _TOTAL.search(gap):
        return []
    if len(mentions) >= 2:
        behind = gap[mentions[-1].end :]
        return _without_repeats(mentions) if len(behind) < 25 and "," not in behind else []
    is_first = len(gap) == len(before) or "|" in before
    return _without_repeats(names.mentions(_part_of(plain, number))) if is_first else []


def _of_order(order: Sequence[int]) -> Callable[[str], bool]:
    own = {order_name(order[: count + 1]) for count in range(1, len(order))}
    own |= {prefix + order_name(order) for prefix in ("more_", "back_")}
    own |= {distance_name(*pair) for pair in pairwise(order)}
    own |= {f"km{max(pair)}" for pair in pairwise(order) if abs(pair[0] - pair[1]) == 1}
    return own.__contains__


def _of_label(names: PlaceNames, plain: Plain, number: Number) -> Callable[[str], bool] | None:
    """A sine or cosine that is named as such, and a distance that two places are named for."""
    function = _function_of(plain, number)
    if function:
        return lambda name: re.fullmatch(rf"{function}\d", name) is not None
    pair = _pair_of_cell(names, plain, number) or _pair_told(names, plain, number)
    return (lambda name: name in (pair, f"km{pair[-1]}")) if pair else None


def _function_of(plain: Plain, number: Number) -> str:
    """The sine or cosine of a bearing that a label right before a number names; not where the text turns bearings."""
    if abs(number.value) > 1 or number.unit or _TURNED_ANGLE.search(plain.text):
        return ""
    line = plain.text.rfind("\n", 0, number.start) + 1
    found = _FUNCTION.search(plain.text[max(line, number.start - NEAR_AXIS) : number.start])
    found = found or _FUNCTION_TITLE.match(title_of_column(plain, number))
    return found["function"].lower() if found else ""


def _pair_of_cell(names: PlaceNames, plain: Plain, number: Number) -> str | None:
    """The distance that a cell of a table holds whose row and column are places."""
    title = names.mentions(title_of_column(plain, number))
    line = plain.text.rfind("\n", 0, number.start) + 1
    row = names.mentions(plain.text[line : number.start].split("|")[1]) if title else []
    if len(title) != 1 or len(row) != 1 or title[0].place == row[0].place:
        return None
    return distance_name(title[0].place, row[0].place)


def _pair_told(names: PlaceNames, plain: Plain, number: Number) -> str | None:
    """The distance that a number is said to be of the two places before it."""
    title = title_of_column(plain, number)
    in_column = bool(_DISTANCE.search(title))
    if number.signed or (number.unit not in ("km", "m") and not in_column):
        return None
    line = plain.text.rfind("\n", 0, number.start) + 1
    part = _STOP.split(plain.text[max(line, number.start - MOST_BEFORE) : number.start])[-1]
    mentions = names.mentions(part)
    if len(mentions) != 2 or mentions[0].place == mentions[1].place:
        return None
    behind = part[mentions[1].end :]
    if re.search(r"\d", behind) or not (in_column or _DISTANCE.search(behind)):
        return None
    return distance_name(mentions[0].place, mentions[1].place)


def _axis_of(names: PlaceNames, plain: Plain, number: Number) -> str:
    """The axis that stands right before a number, or right behind it."""
    line = plain.text.rfind("\n", 0, number.start) + 1
    near = plain.text[max(line, number.start - NEAR_AXIS) : number.start]
    found = _AXIS.search(names.without(near))
    formula = _FORMULA.search(near)
    if not found and formula and formula[0].count("(") == formula[0].count(")"):
        found = _AXIS.search(names.without(near[: formula.start()]).rstrip(" ,"))
    found = found or _AXIS_BEHIND.match(plain.text, number.end)
    title = title_of_column(plain, number)
    found = found or (None if title.strip() in names.letters else _AXIS_TITLE.match(title))
    if not found:
        return ""
    told = found.groupdict()
    return (told.get("axis") or "xy"[told["word"].lower() == "north"]).lower()


def _numbers(graph: Graph) -> range:
    return range(1, sum(name.startswith("km") for name in graph.quantities) + 1)


def _alike(pair: tuple[float, ...], spot: tuple[float, ...]) -> bool:
    """Whether sizes are those of a place, or of a leg's components."""
    return all(abs(abs(one) - abs(other)) < 0.02 for one, other in zip(pair, spot, strict=True))


def _slot(plain: Plain, number: Number) -> int | None:
    """The place of a number in two that stand in brackets."""
    start = max(0, number.start - 30)
    for found in _IN_PAIR.finditer(plain.text[start : number.end + 30]):
        for slot in (0, 1):
            if start + found.start(slot + 1) == number.start:
                return slot
    return None


def _signs(names: PlaceNames, graph: Graph) -> Callable[[Plain, Sequence[Turned]], Sequence[Step]]:
    """Components and positions that lost their sign, where they stand behind their axis or side by side."""

    def signs(plain: Plain, turned: Sequence[Turned]) -> Sequence[Step]:
        for number, one, sizes in turned:
            if any(not name.startswith("gap") for name in sizes) or _SQUARED.match(plain.text, number.end):
                continue
            line = plain.text.rfind("\n", 0, number.start) + 1
            near = plain.text[max(line, number.start - NEAR_AXIS) : number.start]
            if number.signed or _axis_of(names, plain, number) or _slot(plain, number) is not None:
                if _SIDES.search(near) or _SIDES.search(plain.text[number.end : number.end + 14]):
                    continue
                expected = graph.exact(one.name)
                return [Step(one.name, number.value, expected, plain.place(number.start), WRONG, DRIFT)]
        return []

    return signs


def _is_signed(name: str) -> bool:
    return bool(re.fullmatch(r"d?[xy]\d", name))


def _without_repeats(mentions: Sequence[Mention]) -> list[int]:
    places: list[int] = []
    for mention in mentions:
        if not places or places[-1] != mention.place:
            places.append(mention.place)
    return places


def _claims(names: PlaceNames, graph: Graph) -> Callable[[Plain, str, Sequence[Step]], Sequence[Step]]:
    def claims(plain: Plain, response: str, steps: Sequence[Step]) -> Sequence[Step]:
        """Addends of orders' lengths, the place that is called the farthest, and the chosen order."""
        return [
            *_addends(names, graph, plain),
            *_farthest(names, graph, plain),
            *_chosen(names, graph, plain, response),
        ]

    return claims


def _addends(names: PlaceNames, graph: Graph, plain: Plain) -> Iterator[Step]:
    """Each number of a sum behind an order of places is the distance of two of them."""
    start = 0
    before: list[int] = []
    for line in plain.text.split("\n"):
        for found in _SUM.finditer(line):
            if line[: found.start()].endswith(("(", "( ", "(-", "- ")):
                continue
            order = _without_repeats(names.mentions(line[: found.start()])) or before
            numbers = [token for token in tokens_of(found[0]) if token.kind == NUMBER]
            if len(order) == len(numbers) + 1 == len(names.names) and len(set(order)) == len(order):
                for pair, token in zip(pairwise(order), numbers, strict=True):
                    position = plain.place(start + found.start() + token.start)
                    yield _length_step(graph, pair, token, position)
        before = _without_repeats(names.mentions(line))
        start += len(line) + 1


def _length_step(graph: Graph, pair: tuple[int, int], token: Token, position: int) -> Step:
    name = distance_name(*pair)
    value, half = (token.value / 1000, token.half / 1000) if token.unit == "m" else (token.value, token.half)
    stated = Stated(value, half, position)
    exact = graph.exact(name) or 0.0
    right = abs(value - exact) < NEARLY * exact or abs(value / 1000 - exact) < NEARLY * exact
    right = (
        right
        or graph.is_right(name, stated)
        or graph.is_right(name, stated._replace(value=value / 1000, half=half / 1000))
    )
    return Step(
        name, value, graph.expected(name), position, RIGHT if right else WRONG, None if right else DRIFT
    )


def _farthest(names: PlaceNames, graph: Graph, plain: Plain) -> Iterator[Step]:
    for found in _FARTHEST.finditer(plain.text):
        start = max(plain.text.rfind(stop, 0, found.start()) for stop in (". ", "\n", "; ", ": ")) + 1
        start = max(start, found.start() - 160)
        sentence = re.split(r"[.;]\s|\n", plain.text[start : found.end() + 160])[0]
        said = {one.place for one in names.mentions(sentence) if one.place}
        if len(said) != 1:
            continue
        yield _farthest_claim(names, graph, said.pop(), plain.place(found.start()))
    for found in _NOTHING_FARTHER.finditer(plain.text):
        mentioned = names.mentions(plain.text[found.end() : found.end() + 80])
        if mentioned and mentioned[0].place and mentioned[0].start < 8:
            yield _farthest_claim(names, graph, mentioned[0].place, plain.place(found.start()))


def _farthest_claim(names: PlaceNames, graph: Graph, place: int, position: int) -> Step:
    right = any(
        lengths[place] >= max(lengths.values()) * (1 - MARGIN)
        for lengths in _lengths(graph, {n: distance_name(0, n) for n in range(1, len(names.names))})
    )
    exact = {n: graph.exact(distance_name(0, n)) or 0.0 for n in range(1, len(names.names))}
    best = max(exact, key=lambda one: exact[one])
    return _claim("farthest", names.names[place], names.names[best], position, right)


def _lengths(graph: Graph, quantities: Mapping[Key, str]) -> Iterator[dict[Key, float]]:
    """Lengths by the context, and by what the text states."""
    yield {key: graph.exact(name) or 0.0 for key, name in quantities.items()}
    yield {key: next(iter(graph.candidates(name)), 0.0) for key, name in quantities.items()}


def _claim(name: str, stated: str, expected: str, position: int, right: bool) -> Step:
    return Step(name, stated, expected, position, RIGHT if right else WRONG, None if right else BLIND)


def _chosen(names: PlaceNames, graph: Graph, plain: Plain, response: str) -> Iterator[Step]:
    """The order of the answer against the shortest, by the true lengths or by those that the text states."""
    section = answer_section(response)
    order = _without_repeats(names.mentions(section))[: len(names.names)]
    if len(set(order)) == len(names.names) - 1 and 0 not in order:
        order = [0, *order]
    if len(set(order)) != len(names.names) or order[0] != 0:
        return
    chosen = order_name(order)
    paths = {name: name for name in graph.quantities if name.startswith("path_")}
    right = any(lengths[chosen] <= min(lengths.values()) * (1 + MARGIN) for lengths in _lengths(graph, paths))
    best = min(paths, key=lambda name: graph.exact(name) or 0.0)
    stated, expected = (one.removeprefix("path_") for one in (chosen, best))
    position = response.rfind(section)
    for found in _SHORTEST.finditer(plain.text):
        behind = re.split(r"\n\n|[.;]\s|</", plain.text[found.start() : found.start() + 400])[0]
        before = re.split(r"\n|[.;]\s", plain.text[max(0, found.start() - 300) : found.start()])[-1]
        if order in (_without_repeats(names.mentions(text)) for text in (behind, before)):
            position = min(position, plain.place(found.start()))
            break
    yield _claim("order", stated, expected, position, right)
