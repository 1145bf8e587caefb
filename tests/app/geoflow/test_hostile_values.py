"""Whatever a model writes into a graph, an operator either gives a value or says what is wrong: nothing else is raised.

Each operator is given hostile literals, values of every origin (written by a model, calculated, made by tools), and
every outcome that a call can have.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, get_args

import pytest

from app.agent_tools.calling import read_call
from app.agent_tools.errors import ToolError, ToolErrorKind
from app.agent_tools.outcomes import ToolOutcome
from app.agent_tools.tool_plans.running import Answering
from app.core.identity import canonical_json
from app.geoflow.graphs import Concept, Step
from app.geoflow.matching import match_form, match_option
from app.geoflow.ontology import Operator, Param, ontology
from app.geoflow.operators.base import Asked, Bound, OperatorFault, Value, find_work
from app.geoflow.operators.calculating import GIVES, fields_of
from app.geoflow.operators.given import check_given
from app.geoflow.operators.values import value_of_source
from tests.app.agent_tools.test_road_tools import EAST, NORTH, WEST
from tests.app.geoflow.conftest import TOOLS
from tests.app.geoflow.test_operators import CENTRE
from tests.support.flows import random_literal

SCALARS: Sequence[Any] = (
    None, True, False, -1, 0, 3, 10**400, 1e308, -1e308, 91, 0.5, "", " ", "\x00", "\ud800", "x" * 500, "T", "-", "…",
    "n1", "n" + "9" * 400, "50.0,10.0", "95,10", "09:10", "25:61", "2024-09-16T09:10", "2024-13-40T99:99", "Monday", "24/7",
    "Mo-Fr 09:00-18:00", "m", "min", "north", "{0.__class__}", "{99}+{0}", "9**9**9", "=", "a=b", "left turns",
    '{"$call": 0, "path": "value"}', '{"$clock": {"$call": 0, "path": "time"}, "add": 1e300}', '{"$typed": [], "as": [[]]}',
    '{"$sum": [1e308, 1e308]}', '{"$minutes": 1e400}', '{"$call": 0, "path": "' + "9" * 4000 + '"}',
)  # fmt: skip
"""Literals of the kinds that JSON has, and texts that mean something to one operator and nothing to another."""
FIELDS = (
    "id", "name", "lat", "lon", "value", "unit", "time", "day", "hours", "place", "members", "routes", "from", "total",
    "more", "distance_m", "seconds", "attributes", "feasible", "state", "instruction", "result", "type", "destination",
)  # fmt: skip
ANSWERS = ("count", "distance", "azimuth", "name", "names", "location", "order", "fact", "area", "option")

SENSIBLE: Mapping[str, Any] = {
    "formula": "{0} / 2", "what": "turns", "direction": "east", "type": "cafe", "minutes": 5, "metres": 1100,
}  # fmt: skip
"""Literals that mean something to the operators which have these parameters."""
WITHOUT_VALUE = ("intersection_of", "area_of", "places_in")
"""Operators that nothing drawn here can please: no place is an area, and no two are streets that meet."""


class Hostile:
    """Draws what a step may be given: mostly what makes sense, or mostly what does not."""

    def __init__(self, seed: int, made: Sequence[Value]) -> None:
        self.draw = random.Random(seed)
        self.made = made
        self.sense = self.draw.choice([0.95, 0.5])

    def literal(self, name: str = "", param: Param | None = None) -> Any:
        """What a graph may have as a literal; of a parameter, sometimes one of its kind."""
        if param is not None and self.draw.random() < self.sense:
            return SENSIBLE.get(name) or random_literal(self.draw, param)
        one = self.draw.choice(SCALARS)
        return (
            one if self.draw.random() < 0.8 else [one, self.draw.choice(SCALARS)][: self.draw.randint(0, 2)]
        )

    def junk(self, depth: int = 0) -> Any:
        """What an expression can come to: any JSON."""
        if depth > 2 or self.draw.random() < 0.4:
            return self.draw.choice([one for one in SCALARS if one is None or storable_number(one)])
        if self.draw.random() < 0.5:
            return [self.junk(depth + 1) for _ in range(self.draw.randint(0, 3))]
        return {self.draw.choice(FIELDS): self.junk(depth + 1) for _ in range(self.draw.randint(0, 4))}

    def value(self, kind: str) -> Value:
        """A value of a type: what a model wrote, what an expression came to, or what a tool said."""
        told = [one for one in self.made if one.type == kind]
        if told and self.draw.random() < self.sense:
            return self.draw.choice(told)
        if kind in GIVES.values() and self.draw.random() < 0.4:
            return Value(kind, fields_of(kind, self.junk()))
        attrs = {self.draw.choice(FIELDS): self.literal() for _ in range(self.draw.randint(0, 3))}
        name = self.draw.choice(["", "Krone", "50.0,10.0", "n1", "9:10", "7", "nan", "inf", "1e999"])
        return value_of_source(Concept("c", kind, "EXTENT", name, attrs))

    def given(self, operator: Operator) -> tuple[Step, dict[str, Value]]:
        """A step of the operator, and the values of its inputs."""
        values: dict[str, Value] = {}
        inputs: dict[str, list[str]] = {}
        for name, port in operator.ports.items():
            ids = []
            for place in range(self.draw.randint(0 if port.optional else 1, 3 if port.many else 1)):
                kinds = [*ontology().concepts] if self.draw.random() < 0.1 else port.takes
                ids.append(f"{name}{place}")
                values[ids[-1]] = self.value(self.draw.choice(kinds))
            if ids and self.draw.random() < 0.95:
                inputs[name] = ids
        params = {
            name: self.literal(name, param)
            for name, param in operator.params.items()
            if self.draw.random() < 0.7
        }
        return Step("s", operator.name, inputs, ["m"], params), values

    def outcome(self, real: ToolOutcome) -> ToolOutcome:
        """What a call came to: mostly what the tool really says."""
        if self.draw.random() < self.sense:
            return real
        return self.draw.choice(
            [ToolOutcome("It is too large.", withheld_bytes=10**6)]
            + [ToolOutcome("No.", kind=kind) for kind in get_args(ToolErrorKind)]
        )


def storable_number(one: Any) -> bool:
    """Whether JSON that is stored may hold it."""
    return not isinstance(one, int) or abs(one) < 10**300


@pytest.fixture(scope="module")
def answer(tool_answers: Answering, road_answers: Answering) -> Any:
    """What a call comes to on one of the two towns; equal calls are answered once."""
    known: dict[str, ToolOutcome] = {}

    def answered(towns: Answering, tool: str, arguments: Mapping[str, Any]) -> ToolOutcome:
        try:
            return ToolOutcome.of_answer(towns(read_call(tool, arguments, TOOLS)))
        except ToolError as error:
            return ToolOutcome.of_error(error)

    def find(on_roads: bool, tool: str, arguments: Mapping[str, Any]) -> ToolOutcome:
        key = repr((on_roads, tool, arguments))
        if key not in known:
            known[key] = answered(road_answers if on_roads else tool_answers, tool, arguments)
        return known[key]

    return find


def values_of(step: Step, values: Mapping[str, Value], find: Any) -> Sequence[Value]:
    """What the operator gives. Raises OperatorFault."""
    work = find_work(step.op)(check_given(step, values, None))
    try:
        asked = next(work)
        while True:
            asked = work.send(find(asked))
    except StopIteration as end:
        found: Sequence[Value] = end.value
        return found


@pytest.fixture(scope="module")
def made(answer: Any) -> Mapping[bool, Sequence[Value]]:
    """Values that make sense on the town of streets (True) and on the other one (False)."""
    return {on_roads: [*_written(), *_made_by_tools(answer, on_roads)] for on_roads in (False, True)}


def _outcome(hostile: Hostile, answer: Any, on_roads: bool, asked: Asked) -> ToolOutcome:
    return hostile.outcome(answer(on_roads, asked.tool, asked.arguments))


def _written() -> Iterator[Value]:
    yield value_of_source(Concept("c", "AMOUNT", "EXTENT", "90", {"unit": "s"}))
    yield value_of_source(Concept("c", "AMOUNT", "EXTENT", "30", {"unit": "s"}))
    yield value_of_source(Concept("c", "EVENT", "TEXTENT", "09:10", {"day": "Monday"}))


def _made_by_tools(answer: Any, on_roads: bool) -> Iterator[Value]:
    def run(op: str, params: Mapping[str, Any], **inputs: Value) -> Sequence[Value]:
        step = Step("s", op, {port: [port] for port in inputs}, ["m"], params)
        return values_of(step, inputs, lambda asked: answer(on_roads, asked.tool, asked.arguments))

    def place(name: str) -> Value:
        return value_of_source(Concept("c", "LOCATION", "EXTENT", name))

    if on_roads:
        ends = {"origin": place(WEST), "destination": place(EAST)}
        yield from ends.values()
        yield from run("directions", {}, **ends)
        yield from run("distance_matrix", {}, origins=place(WEST), destinations=place(NORTH))
        yield from run("nearest_places", {"type": "cafe"}, center=place(WEST))
        return
    (krone,), (linde,) = (run("geocode", {}, place=place(one)) for one in ("Krone", "Linde"))
    yield from (krone, linde)
    yield from run("place_search", {"type": "restaurant", "radius_m": 1000}, center=place(CENTRE))
    yield from run("place_details", {}, place=krone)
    yield from run("opening_hours", {}, place=krone)
    yield from run("bearing", {}, origin=krone, destination=linde)


@pytest.mark.parametrize("name", sorted(ontology().operators))
def test_an_operator_gives_a_value_or_says_what_is_wrong(
    name: str, answer: Any, made: Mapping[bool, Sequence[Value]]
) -> None:
    operator = ontology().operators[name]
    gave = 0  # so that operators are seen beyond what checks their inputs
    for seed in range(48):
        on_roads = seed % 2 == 0
        hostile = Hostile(seed, made[on_roads])
        step, values = hostile.given(operator)
        try:
            found = values_of(step, values, partial(_outcome, hostile, answer, on_roads))
        except OperatorFault:
            continue
        gave += 1
        for one in found:
            canonical_json(one.shown())
            for kind in ANSWERS:
                match_form(one, kind)
            match_option(one, ["3", "7 minutes", "09:10", "north", "Krone", "Krone → Linde"])
    assert gave or not operator.available or name in WITHOUT_VALUE


def test_any_value_is_matched_or_not() -> None:
    for seed in range(800):
        one = Hostile(seed, []).value(random.Random(seed).choice([*ontology().concepts]))
        for form in ANSWERS:
            match_form(one, form)
        match_option(one, ["3", "7 minutes", "09:10", "north", "yes", "no", "Krone", "Krone → Linde"])


def test_what_is_wrong_is_told_with_its_place() -> None:
    place = value_of_source(Concept("c", "LOCATION", "EXTENT", "", {"lat": "high", "lon": 10.0}))
    step = Step("s", "place_search", {"center": ["c"]}, ["m"], {})
    with pytest.raises(
        OperatorFault, match=r"lat of c at port center of place_search is 'high': it must be a latitude"
    ):
        check_given(step, {"c": place}, None)
    given = step._replace(params={"radius_m": 10**400, "type": None})
    with pytest.raises(OperatorFault, match="radius_m of place_search is 1000"):
        check_given(given, {"c": value_of_source(Concept("c", "LOCATION", "EXTENT", "n1"))}, None)
    assert isinstance(
        check_given(step, {"c": value_of_source(Concept("c", "LOCATION", "EXTENT", "n1"))}, None), Bound
    )


@pytest.mark.parametrize("days", [8, -8, 1.5, "1"])
def test_midnights_between_are_a_whole_number(days: object) -> None:
    time = value_of_source(Concept("t", "EVENT", "", "", {"time": "09:10", "days_later": days}))
    step = Step("s", "calculate_arrival_time", {"start": ["t"], "duration": ["d"]}, ["m"], {})
    duration = value_of_source(Concept("d", "AMOUNT", "", "", {"value": 5, "unit": "min"}))
    with pytest.raises(OperatorFault, match=r"days_later of t at port start .* a whole number from -7 to 7"):
        check_given(step, {"t": time, "d": duration}, None)
