"""Reads a response about a destination (PR): each number is to be a quantity of a line that the text is about there.

Which quantity, the text itself tells: by what the numbers behind the same label are. A number is right if it has the
value by the context or by the values that the text states of the line; the first that has neither is the fault.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import cos, hypot, radians
from typing import NamedTuple

from app.benchmarks.urban_reasoning.steps.comparing import joined_lines, numbers_in_names
from app.benchmarks.urban_reasoning.steps.context_text import Place
from app.benchmarks.urban_reasoning.steps.graphs import Graph, Stated
from app.benchmarks.urban_reasoning.steps.heading_labels import (
    HEADINGS,
    LEARNED,
    Labelled,
    component_named,
    labels_of,
    learn,
    worded,
)
from app.benchmarks.urban_reasoning.steps.heading_lines import Kind, Parts, Range
from app.benchmarks.urban_reasoning.steps.heading_mentions import Mentions
from app.benchmarks.urban_reasoning.steps.heading_ranges import EVERYWHERE, PARTS, Ranges
from app.benchmarks.urban_reasoning.steps.places_named import PlaceNames
from app.benchmarks.urban_reasoning.steps.plain_text import Plain
from app.benchmarks.urban_reasoning.steps.shown_formulas import findings_in
from app.benchmarks.urban_reasoning.steps.slips import is_constant, is_slip
from app.benchmarks.urban_reasoning.steps.stated_numbers import (
    Equation,
    Number,
    equations_in,
    numbers_in,
)
from app.benchmarks.urban_reasoning.steps.tokens import WORD, tokens_of
from app.scores.reasoning import DRIFT, MISREAD, RIGHT, UNCHECKED, WRONG, Step

COORDINATE = "coordinate"
MAIN = (*PARTS, "distance", "off_last", "off_overall")
"""What a number is called first that has the value of several quantities."""
MOST_NUMBERS = 1200
ROUNDING = 2.1
"""Halves of its last digit that a number may be off: rounded, or cut off."""
NEAR_SCALE = 0.6
"""Degrees beside the points from where a text may take the latitude of its scale."""
FEW_DIGITS = 3
"""Digits from which on a number is no chance hit of a quantity of another line."""
COORDINATE_DECIMALS = 4
"""Decimals from which on a number near to a coordinate is one."""
MANY_STRAIGHT = 4
"""How many more differences have the right sign than the other one where that is wrong."""
NEARBY = 8
"""Numbers before a number that it may be computed from without a formula."""


class Item(NamedTuple):
    """A number, the lines it may be about, its labels, and the quantities that it has the value of: name and line."""

    number: Number
    lines: frozenset[str]
    labelled: Labelled
    matched: frozenset[tuple[str, str]]
    equation: Equation | None


class HeadingReader:
    """One response."""

    def __init__(
        self, plain: Plain, way: Sequence[Place], candidates: Sequence[Place], names: PlaceNames, graph: Graph
    ) -> None:
        self.plain, self.graph = plain, graph
        self.points = {f"w{number}": place for number, place in enumerate(way)}
        self.points |= {f"c{number}": place for number, place in enumerate(candidates)}
        tokens = joined_lines(tokens_of(plain.text))
        inside = numbers_in_names(plain.text, names.names)
        numbers = [one for one in numbers_in(tokens) if one.start not in inside and not self._counts(one)][
            :MOST_NUMBERS
        ]
        self.ranges = Ranges(way, candidates, self._scales(numbers), plain.text)
        mentions = Mentions(names, len(way), len(candidates), plain.text)
        equations = equations_in(tokens, self._is_given)
        words = [one._replace(kind=WORD) if one.start in inside else one for one in tokens]
        self.shown = {one.at: one for one in findings_in(plain.text, words, numbers, self._is_given)}
        labelled = labels_of(plain, mentions.blank, numbers)
        self.items = []
        for number, label in zip(numbers, labelled, strict=True):
            lines = mentions.at(number.start, number.end) or frozenset(self.ranges.lines)
            matched = frozenset(
                (kind.name, key)
                for key in (*lines, EVERYWHERE)
                for kind in self.ranges.kinds[key]
                if fits(number, kind)
            )
            self.items.append(Item(number, lines, label, matched, equations.get(number.at)))
        self.with_heading = {key for one in self.items for name, key in one.matched if name == "bearing"}
        self.learned = learn(
            labelled,
            [frozenset(name for name, _ in one.matched) for one in self.items],
            [one.number.signed for one in self.items],
        )

    def _scales(self, numbers: Iterable[Number]) -> list[float]:
        """Numbers that are cosines of latitudes of the region."""
        lats = [place.lat for place in self.points.values()]
        ends = sorted(cos(radians(lat)) for lat in (min(lats) - NEAR_SCALE, max(lats) + NEAR_SCALE))
        return [
            one.value
            for one in numbers
            if not one.unit
            and one.digits >= 2
            and ends[0] - one.half <= one.value <= ends[1] + one.half < 1.1
        ]

    def _counts(self, number: Number) -> bool:
        """Whether a number numbers the items of a list."""
        text = self.plain.text
        line = text[text.rfind("\n", 0, number.start) + 1 : number.start]
        return (
            not line.strip(" •#")
            and _is_whole(number)
            and text[number.end : number.end + 1] in (".", ")", ":")
        )

    def _is_given(self, value: float) -> bool:
        return any(
            abs(abs(value) - abs(angle)) < 1e-9
            for place in self.points.values()
            for angle in (place.lat, place.lon)
        )

    def read(self) -> list[Step]:
        """The steps, in the order of the text."""
        judged = [(one, self._verdict(one)) for one in self.items]
        stated = [self._stated_by([one for one, verdict in judged if verdict == RIGHT])]
        judged = [
            (one, RIGHT if verdict == WRONG and self._is_rounded(one, stated) else verdict)
            for one, verdict in judged
        ]
        wrong = [one for one, verdict in judged if verdict == WRONG]
        everything = [self._stated_by([one for one, verdict in judged if verdict != UNCHECKED])]
        steps = []
        for one, verdict in judged:
            if (
                verdict == WRONG
                and one.number.at not in self.shown
                and self._follows(one, everything, [other for other in wrong if other is not one])
            ):
                verdict = RIGHT
            steps.append(self._step(one, verdict))
        return steps

    def _is_rounded(self, one: Item, stated: Sequence[dict[str, dict[str, Range]]]) -> bool:
        """Whether a number follows from right numbers as they are printed."""
        return one.number.at not in self.shown and self._follows(one, stated, [])

    def _wanted(self, one: Item) -> frozenset[str]:
        """The quantities one of which a number is to be by its label; none where its label does not tell."""
        if one.labelled.is_operand:
            return frozenset()
        learned = (self.learned[label] for label in one.labelled.labels if label in self.learned)
        told = next(learned, None)
        if told:
            return told
        is_difference = abs(one.number.value) < 1 and self._decimals(one.number) >= 3
        if is_difference or one.number.unit in ("km", "m"):
            named = component_named(one.labelled.labels, one.number.unit)
            if named or (is_difference and one.number.unit):
                return named
        return worded(one.labelled.labels, one.number.unit)

    def _verdict(self, one: Item) -> str:
        number, wanted = one.number, self._wanted(one)
        names = {name for name, _ in one.matched}
        if all(name.startswith("acute") for name in names) and not one.lines & self.with_heading:
            names = set()
        is_matched = bool(names & wanted if wanted else names)
        shown = self.shown.get(number.at)
        if shown:
            return RIGHT if shown.holds else WRONG
        if self._is_repeated(one):
            return RIGHT
        if self._is_turned(one) or self._is_slipped(one):
            return WRONG
        if is_matched:
            return RIGHT if not self._is_copied(number) or COORDINATE in names else WRONG
        if self._is_free(one, names):
            return RIGHT
        if wanted and (
            one.labelled.in_table
            or not _is_whole(number)
            or (number.digits > 1 and "#" not in one.labelled.labels[0])
        ):
            return WRONG
        if self._is_copied(number):
            return WRONG
        return RIGHT if names and self._is_of_interest(number) else UNCHECKED

    def _is_turned(self, one: Item) -> bool:
        """Whether a difference has the other sign than most of the text's differences."""
        turned = {"turned dlat", "turned dlon"}
        if not one.number.signed or len(one.lines) > 1 or not self._has_turned(one, turned):
            return False
        others = [other for other in self.items if other is not one and len(other.lines) == 1]
        straight = sum(bool({name for name, _ in other.matched} & {"dlat", "dlon"}) for other in others)
        return straight > MANY_STRAIGHT * sum(self._has_turned(other, turned) for other in others)

    def _has_turned(self, one: Item, turned: set[str]) -> bool:
        names = {name for name, _ in one.matched}
        is_other = {"dlat", "dlon", "dlon_scaled", "north", "east"} & names
        return bool(names & turned) and not is_other and one.number.value != 0

    def _is_slipped(self, one: Item) -> bool:
        """Whether an operand is the difference of its line but for a slip of its digits."""
        number = one.number
        if one.matched or len(one.lines) > 1 or not one.labelled.is_operand or self._decimals(number) < 4:
            return False
        differences = [
            kind.range.middle()
            for key in one.lines
            for kind in self.ranges.kinds[key]
            if kind.name in ("dlat", "dlon")
        ]
        return any(
            is_slip(number.value, number.half, value)
            or any(abs(abs(number.value) - abs(value) * ten) <= number.half * ten for ten in (10.0, 0.1))
            for value in differences
        )

    def _is_repeated(self, one: Item) -> bool:
        """Whether a number outside of tables stands in the text before."""
        return not one.labelled.in_table and any(
            other.number.value == one.number.value and other.number.unit == one.number.unit
            for other in self.items
            if other.number.start < one.number.start and one.number.digits >= 2
        )

    def _is_free(self, one: Item, names: set[str]) -> bool:
        """Whether a number may stand anywhere: a coordinate, a scale, a latitude for it, a heading repeated."""
        if COORDINATE in names and self._is_copied(one.number):
            return True
        if not one.labelled.in_table and self.ranges.is_mean_latitude(
            abs(one.number.value), self._decimals(one.number)
        ):
            return True
        is_learned = any(label in self.learned for label in one.labelled.labels)
        repeats = not is_learned and any(name.startswith(HEADINGS) for name in names)
        return repeats or ("scale" in names and one.number.digits >= FEW_DIGITS)

    def _decimals(self, number: Number) -> int:
        return len(self.plain.text[number.start : number.end].partition(".")[2].rstrip(" °NESW"))

    def _is_copied(self, number: Number) -> bool:
        """Whether a number can only be a coordinate: near to one, and with as many decimals."""
        return (
            self._decimals(number) >= COORDINATE_DECIMALS
            and abs(number.value) > 1
            and number.unit in ("", "deg")
            and self.ranges.may_be_coordinate(number.value)
        )

    def _is_of_interest(self, number: Number) -> bool:
        if number.unit == "%" or is_constant(number) or _is_whole(number):
            return False
        return number.digits >= 2

    def _is_elsewhere(self, one: Item) -> bool:
        """Whether a number that is nothing of its line repeats, combines or anticipates others."""
        number = one.number
        at = self.items.index(one)
        if any(other.number.value == number.value for other in self.items[:at]):
            return True
        if number.digits >= FEW_DIGITS and any(
            fits(number, kind) for kinds in self.ranges.kinds.values() for kind in kinds
        ):
            return True
        near = [other.number.value for other in self.items[max(0, at - NEARBY) : at]]
        reach = ROUNDING * number.half
        return number.digits >= FEW_DIGITS + 1 and any(
            abs(abs(number.value) - abs(value)) <= reach for value in _combined(near)
        )

    def _stated_by(self, items: Iterable[Item]) -> dict[str, dict[str, Range]]:
        """By line: the values that numbers give its parts."""
        found: dict[str, dict[str, Range]] = {}
        for one in items:
            wanted = self._wanted(one)
            fine = self._decimals(one.number) >= 3 or one.number.unit in ("km", "m")
            sure = wanted or (set(PARTS[:-1]) if fine else set())
            names = [(name, key) for name, key in one.matched if name in PARTS and name in sure]
            if not names:
                names = [(name, key) for name in PARTS if name in wanted for key in one.lines]
            for name, key in names:
                if key:
                    found.setdefault(key, {})[name] = _as_range(one.number, name)
        return found

    def _follows(
        self, one: Item, stated: Sequence[dict[str, dict[str, Range]]], wrong: Sequence[Item]
    ) -> bool:
        """Whether a number has the value that follows from what the text states of parts, or from wrong numbers."""
        if self._is_copied(one.number):
            return any(
                abs(other.number.value) == abs(one.number.value) and other.number.start < one.number.start
                for other in wrong
            )
        wanted = self._wanted(one)
        own = next((PARTS.index(name) for name in PARTS if name in wanted), len(PARTS))
        return any(
            fits(one.number, kind)
            for key in one.lines
            for told in stated
            for kind in self._variants(key, told, wrong, own)
            if (kind.name in wanted if wanted else kind.name.endswith(LEARNED))
        )

    def _variants(
        self, key: str, told: dict[str, dict[str, Range]], wrong: Sequence[Item], own: int
    ) -> Iterator[Kind]:
        parts = {name: one for name, one in told.get(key, {}).items() if PARTS.index(name) < own}
        others = {
            other: {"bearing": told[other]["bearing"]}
            for other in (self.ranges.last, "overall")
            if other != key and "bearing" in told.get(other, {})
        }
        choices: list[Parts] = [{}, parts]
        for names in (("dlat", "dlon"), ("dlat", "dlon_scaled"), ("north", "east"), ("bearing",)):
            choices.append({name: parts[name] for name in names if name in parts})
        for other in wrong:
            if key in other.lines and not self._wanted(other):
                choices += [
                    {name: _as_range(other.number, name)}
                    for name in PARTS[:own]
                    if self._may_be(other, name, key)
                ]
        for choice in choices:
            for against in ({}, others, *({name: told} for name, told in others.items())):
                yield from self.ranges.of(key, {**against, key: choice})
        for other in wrong:
            value = other.number.value
            if not other.number.unit and 0 < value <= 1:
                yield from self.ranges.of(key, others, scale=Range(value, value))
            if abs(value) > 1 and other.number.digits > FEW_DIGITS:
                for line in self.ranges.with_coordinate(key, value):
                    yield from self.ranges.of(key, others, line)

    def _may_be(self, one: Item, name: str, key: str) -> bool:
        """Whether a wrong number may have been meant for a part of a line, by its unit and size."""
        kind = next(each for each in self.ranges.kinds[key] if each.name == name)
        if one.number.unit not in ("", kind.unit) and not (kind.unit == "km" and one.number.unit == "m"):
            return False
        return (
            name == "bearing"
            or abs(_as_range(one.number, name).middle()) < 12 * max(map(abs, kind.range)) + 1e-9
        )

    def _step(self, one: Item, verdict: str) -> Step:
        name, expected = self._name_of(one, verdict)
        value = one.number.value
        if name in self.graph.quantities:
            unit = self.graph.quantities[name].unit
            scale = 0.001 if unit == "km" and one.number.unit == "m" else 1.0
            value *= scale
            self.graph.state(name, Stated(value, one.number.half * scale, one.number.start))
        failure = None
        if verdict == WRONG:
            failure = MISREAD if name in self.graph.given else DRIFT
        return Step(name, value, expected, self.plain.place(one.number.start), verdict, failure)

    def _name_of(self, one: Item, verdict: str) -> tuple[str, float | None]:
        """The quantity that a number was or was meant for, and what it should be."""
        wanted = self._wanted(one)
        if verdict == RIGHT and one.matched:
            matched = sorted(one.matched, key=lambda pair: (pair[0] not in wanted, _rank(pair[0]), pair))
            name, key = matched[0]
            return self._known(name, key, one.number)
        if verdict == UNCHECKED:
            return "number", None
        if wanted:
            return self._known(min(wanted, key=_rank), min(one.lines), one.number)
        point = self._nearest_point(one)
        if point:
            return point, self.graph.exact(point)
        near = [
            (
                abs(abs(_as_range(one.number, kind.name, kind.unit).middle()) - abs(kind.range.middle())),
                kind.name,
                key,
            )
            for key in one.lines
            for kind in self.ranges.kinds[key]
            if kind.name in MAIN and one.number.unit in ("", kind.unit, "m")
        ]
        return self._known(*min(near)[1:], one.number) if near else ("number", None)

    def _known(self, name: str, key: str, number: Number) -> tuple[str, float | None]:
        """A quantity by the name that it has in the graph, and its value."""
        if not key:
            point = next(
                (
                    f"{axis}_{point}"
                    for point, place in self.points.items()
                    for axis in ("lat", "lon")
                    if abs(abs(getattr(place, axis)) - abs(number.value)) <= ROUNDING * number.half
                ),
                name,
            )
            return point, self.graph.exact(point) if point in self.graph.quantities else None
        plain = name.removeprefix("size of ").removeprefix("turned ")
        told = f"{plain}_{key}"
        if told in self.graph.quantities:
            return told, self.graph.exact(told)
        kind = next((one for one in self.ranges.kinds[key] if one.name == name), None)
        return told, kind.range.middle() if kind else None

    def _nearest_point(self, one: Item) -> str | None:
        """The coordinate that a number with many digits was copied from."""
        number = one.number
        if number.digits <= FEW_DIGITS or number.unit not in ("", "deg") or abs(number.value) < 1:
            return None
        ends = {
            end for key in one.lines for end in (self.ranges.lines[key].start, self.ranges.lines[key].end)
        }
        near = [
            (place not in ends, abs(getattr(place, axis) - number.value), f"{axis}_{point}")
            for point, place in self.points.items()
            for axis in ("lat", "lon")
        ]
        _, apart, name = min(near)
        return name if apart < 1 else None


def _rank(name: str) -> tuple[int, str]:
    return (MAIN.index(name) if name in MAIN else len(MAIN), name)


def _is_whole(number: Number) -> bool:
    """Whether a number has neither decimals nor a unit, so that it may count something."""
    return number.half >= 0.5 and not number.unit


def fits(number: Number, kind: Kind) -> bool:
    """Whether a number has the value of a quantity, within the rounding of its digits."""
    if number.unit and number.unit != kind.unit and not (number.unit == "m" and kind.unit == "km"):
        return False
    scales = (
        (0.001,) if number.unit == "m" else (1.0, 0.001) if kind.unit == "km" and not number.unit else (1.0,)
    )
    for scale in scales:
        value, reach = number.value * scale, ROUNDING * number.half * scale + 1e-12
        if kind.period:
            value = kind.range.low + (value - kind.range.low + reach) % kind.period - reach
        if kind.range.low - reach <= value <= kind.range.high + reach:
            return True
    return False


def _as_range(number: Number, name: str, unit: str = "") -> Range:
    """A stated value of a part, with its rounding; lengths without a unit that are too long for km are in m."""
    is_length = name in ("north", "east", "distance") or unit == "km"
    in_metres = is_length and (number.unit == "m" or (not number.unit and abs(number.value) >= 30))
    scale = 0.001 if in_metres else 1.0
    return Range((number.value - number.half) * scale, (number.value + number.half) * scale)


def _combined(near: Sequence[float]) -> Iterator[float]:
    for place, one in enumerate(near):
        yield from (one * one, one / 2, 2 * one, 1 - one, radians(one), one * 1000, one / 1000, one + 360)
        for other in near[place + 1 :]:
            yield from (one + other, one - other, one * other, (one + other) / 2, hypot(one, other))
