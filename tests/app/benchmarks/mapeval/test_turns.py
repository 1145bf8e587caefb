"""Turns of routes of mapeval, on a route that is told by hand: gold, options, refusals, and answers from the steps."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.agent_tools.tool_plans.running import evaluate
from app.benchmarks.mapeval.derivations.turns import turns_taken
from app.benchmarks.mapeval.distractors.turns import CountsOfRoutes, TurnsOfRoute
from app.questions.alike import COMMON
from app.questions.derivations import derive
from app.questions.derivations.base import Case, Derived
from app.questions.phrasing import tell_derived
from app.questions.picking import Pick, Tuple
from app.questions.strategies import TOO_FEW, QuestionToFill, Sources
from tests.app.benchmarks.mapeval.test_routes import fault, rows_of, tell
from tests.support.town import benchmarks

NAME = "mapeval"
TOWN = (
    ("depart", "Ring", 300.0),
    ("right", "Marktstraße", 120.0),
    ("roundabout", "L 12", 900.0),
    ("left", "Am Bach", 200.0),
    ("left", "Kirchgasse", 500.0),
    ("straight", None, 60.0),
    ("right", "Hofweg", 80.0),
    ("arrive", None, 0.0),
)
"""Ring, right onto Marktstraße, round onto L 12, left onto Am Bach, left onto Kirchgasse, then at last Hofweg."""
ENDS = Pick(["n1", "n2"], "n1,n2", "from Krone to Rathaus", {"names": ["Krone", "Rathaus"]})


def ask(template: str, rows: Sequence[Mapping[str, Any]], **binds: str) -> Derived:
    """What the template derives, with the bounds of its header."""
    header = benchmarks()[NAME].templates[template].header
    return derive(NAME, header.derive, Case(rows, binds, header.margins, header.limits))


def results_of(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What the calls of a plan give: both ends, and the route with these steps."""
    return [{}, {}, {"routes": [{"steps": list(rows)}]}]


def answer_of_plan(made: Derived, rows: Sequence[Mapping[str, Any]]) -> Any:
    return evaluate(made.solutions["tool_plan"]["answer"], results_of(rows))


@pytest.mark.parametrize(
    ("rank", "off", "done"),
    [
        ("1", "Ring", "Turn right onto Marktstraße"),
        ("2", "L 12", "Turn left onto Am Bach"),
        ("3", "Am Bach", "Turn left onto Kirchgasse"),
    ],
)
def test_the_text_tells_the_road_and_gold_is_the_turn_off_it(rank: str, off: str, done: str) -> None:
    rows = rows_of(TOWN)
    made = ask("Next_Step", rows, after=rank)
    assert (made.refusal, made.gold, made.labels) == (None, {"text": done, "after": off}, {"after": off})
    assert answer_of_plan(made, rows) == {"text": done}
    assert fault_of_text(made, off) is None


def fault_of_text(made: Derived, off: str) -> str | None:
    options = [made.gold["text"], "Turn left onto Nowhere"]
    return fault("Next_Step", made.gold, tell(TOWN), options=options, after=off)


def test_the_label_of_a_parameter_is_what_the_derivation_told() -> None:
    picked = Tuple({"places": [ENDS], "after": [Pick("1", "1", "1", everyday="first")]})
    told = tell_derived(picked, {"after": "Ring"})
    assert (told.one("after").label, told.one("after").everyday) == ("Ring", None)
    assert told.one("places") is picked.one("places")
    assert told.parameters == picked.parameters


@pytest.mark.parametrize(("counted", "number"), [("left turns", 2), ("right turns", 2), ("roundabouts", 1)])
def test_turns_to_a_side_and_roundabouts_are_counted(counted: str, number: int) -> None:
    rows = rows_of(TOWN)
    made = ask("Count_On_Route", rows, counted=counted)
    assert (made.refusal, made.gold) == (None, {"text": str(number), "count": number})
    assert answer_of_plan(made, rows) == {"count": number}
    options = ["1", "2", "3", "4"]
    assert fault("Count_On_Route", made.gold, tell(TOWN), options=options, counted=counted) is None
    assert fault("Count_On_Route", made.gold, tell(TOWN[:1]), options=options, counted=counted) is not None


def changed(number: int, **values: Any) -> list[dict[str, Any]]:
    """The route with other values of a step."""
    rows = rows_of(TOWN)
    rows[number] |= values
    return rows


REFUSED: Mapping[str, tuple[str, list[dict[str, Any]], dict[str, str]]] = {
    "few turns": ("too_few_turns", rows_of(TOWN), {"after": "4"}),
    "a road that is taken again": ("too_few_turns", changed(6, road="Am Bach"), {"after": "3"}),
    "hardly followed": ("short_road", changed(3, metres=20.0), {"after": "2"}),
    "nearly sharp": ("unclear_turn", changed(3, degrees=-115.0), {"after": "2"}),
    "two names": ("road_twice", changed(3, road="Am Bach;Mühlweg"), {"after": "2"}),
    "a tie": ("near_tie", rows_of(TOWN, behind=20.0), {"after": "1"}),
    "no way": ("no_way", [], {"after": "1"}),
    "nearly slight": ("unclear_turn", changed(3, degrees=-63.0), {"counted": "left turns"}),
    "nearly a turn": ("unclear_turn", changed(5, degrees=58.0), {"counted": "roundabouts"}),
    "a turn back": ("unclear_turn", changed(5, kind="turn_back"), {"counted": "left turns"}),
    "an end on a roundabout": ("unclear_turn", changed(2, exit=None), {"counted": "roundabouts"}),
    "none": ("zero", rows_of(TOWN[:2]), {"counted": "left turns"}),
    "short": ("too_close", rows_of(TOWN, seconds=100.0), {"counted": "left turns"}),
    "a tie of counts": ("near_tie", rows_of(TOWN, behind=20.0), {"counted": "left turns"}),
}


@pytest.mark.parametrize(("reason", "rows", "binds"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_told_surely_is_refused(
    reason: str, rows: list[dict[str, Any]], binds: dict[str, str]
) -> None:
    template = "Next_Step" if "after" in binds else "Count_On_Route"
    assert ask(template, rows, **binds).refusal == reason


def sources_of(template: str, routes: Sequence[Sequence[Mapping[str, Any]]] = (), **more: Any) -> Sources:
    """What a strategy is told, of a map with these routes."""
    found = SimpleNamespace(header=benchmarks()[NAME].templates[template].header)
    choices = {"places": [Pick([f"n{number}", "n0"], "", "") for number in range(len(routes))]}
    strategy = found.header.strategy_of("default")
    return Sources(cast(Any, None), cast(Any, None), cast(Any, found), strategy, choices, 7, lambda _: routes)


def question(number: int, made: Derived, rows: Sequence[Mapping[str, Any]], **picks: str) -> QuestionToFill:
    picked = Tuple({"places": [ENDS], **{name: [Pick(value, value, value)] for name, value in picks.items()}})
    return QuestionToFill(f"q{number}", picked, rows, (), made.gold)


def test_options_are_both_sides_with_two_roads_of_which_each_is_the_key_as_often() -> None:
    rows, strategy = rows_of(TOWN), TurnsOfRoute(sources_of("Next_Step"))
    assert [turn.off.name for turn in turns_taken(rows)] == ["Ring", "L 12", "Am Bach"]
    kept = dict.fromkeys(("1", "2", "3"), 0)
    for rank in kept:
        made = ask("Next_Step", rows, after=rank)
        for number in range(400):
            drawn = strategy.draw(question(number, made, rows, after=rank), 3)
            if isinstance(drawn, str):
                assert drawn == COMMON
                continue
            kept[rank] += 1
            texts = {made.gold["text"], *(one["text"] for one in drawn)}
            roads = {text.split(" onto ")[1] for text in texts}
            assert texts == {f"Turn {side} onto {road}" for side in ("left", "right") for road in roads}
            assert made.gold["after"] not in roads
    # Marktstraße may stand beside Am Bach and beside Kirchgasse, which may not stand beside each other
    assert kept["1"] == 400
    assert 160 < kept["2"] < 240
    assert 160 < kept["3"] < 240


def test_a_route_without_another_fitting_turn_gives_no_options() -> None:
    rows = rows_of(TOWN[:3])
    made = ask("Next_Step", rows, after="1")
    assert TurnsOfRoute(sources_of("Next_Step")).draw(question(1, made, rows, after="1"), 3) == TOO_FEW


def test_numbers_follow_one_another_and_frequent_ones_are_given_up() -> None:
    one, two, three = rows_of(TOWN[:4]), rows_of(TOWN), rows_of((*TOWN[:5], *TOWN[4:]))
    made = ask("Count_On_Route", two, counted="left turns")
    drawn: dict[str, list[Any]] = {}
    for name, routes in {"alike": [two] * 30, "even": [one, two, three] * 20, "few": [one, two] * 9}.items():
        strategy = CountsOfRoutes(sources_of("Count_On_Route", routes))
        found = [strategy.draw(question(number, made, two, counted="left turns"), 1) for number in range(60)]
        drawn[name] = [COMMON if isinstance(others, str) else others[0]["text"] for others in found]
    assert {*drawn["alike"]} == {*drawn["few"]} == {COMMON}  # no other number could be right, or nobody knows
    assert {*drawn["even"]} == {"1", "3"}
