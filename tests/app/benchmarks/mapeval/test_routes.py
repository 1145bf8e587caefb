"""Roads of routes of mapeval, on a route that is told by hand: gold, refusals, and answers from what is printed."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from app.benchmarks.mapeval.contexts.blocks import routes_block
from app.benchmarks.mapeval.derivations.nearest import ORDINALS
from app.benchmarks.mapeval.derivations.routes import roads_to_ask_for
from app.questions.contexts import CONTEXT, Shown, context_fault
from app.questions.derivations import derive
from app.questions.derivations.base import Case, Derived
from app.questions.prechecks import Intended, refused_beforehand
from tests.support.town import benchmarks

NAME = "mapeval"
STEPS = (
    ("depart", None, 40.0),
    ("left", "Ring", 300.0),
    ("right", "Marktstraße", 120.0),
    ("roundabout", "Marktstraße", 80.0),
    ("straight", None, 60.0),
    ("right", "L 12", 2500.0),
    ("straight", "Hauptstraße", 900.0),
    ("left", "Am Bach", 45.0),
    ("arrive", None, 0.0),
)
"""What is done, the road that is taken, and the metres until the next step."""
DEGREES = {"left": -90.0, "right": 85.0, "straight": 5.0, "roundabout": 12.0}
ROADS = ["Ring", "Marktstraße", "L 12", "Hauptstraße", "Am Bach"]
Steps = Sequence[tuple[str, str | None, float]]


def rows_of(
    steps: Steps = STEPS, seconds: float = 600.0, behind: float | None = 120.0
) -> list[dict[str, Any]]:
    """The steps as the program gives them."""
    return [
        {
            "origin_key": "n1",
            "origin_name": "Krone",
            "destination_key": "n2",
            "destination_name": "Rathaus",
            "seconds": seconds,
            "next_seconds": None if behind is None else seconds + behind,
            "number": number,
            "kind": kind,
            "degrees": DEGREES.get(kind),
            "exit": 1 if kind == "roundabout" else None,
            "road": road,
            "metres": metres,
        }
        for number, (kind, road, metres) in enumerate(steps)
    ]


def ask(template: str, rows: Sequence[Mapping[str, Any]], ordinal: str = "third") -> Derived:
    """What the template derives, with the bounds of its header."""
    found = benchmarks()[NAME].templates[template]
    case = Case(rows, {"ordinal": ordinal}, found.header.margins, found.header.limits)
    return derive(NAME, found.header.derive, case)


@pytest.mark.parametrize(
    ("ordinal", "road"), [("second", "Marktstraße"), ("third", "L 12"), ("fourth", "Hauptstraße")]
)
def test_roads_with_names_or_numbers_are_counted_once_each(ordinal: str, road: str) -> None:
    made = ask("Road_On_Route", rows_of(), ordinal)
    assert (made.refusal, made.gold) == (None, {"text": road})
    (route,) = [one for one in made.solutions["tool_plan"]["calls"] if one["tool"] == "directions"]
    assert route["arguments"]["mode"] == "car"


@pytest.mark.parametrize("steps", [STEPS, STEPS[:7], (*STEPS[:7], ("left", "Am Bach", 20.0), *STEPS[8:])])
def test_options_are_the_roads_that_could_be_the_key(steps: Steps) -> None:
    """Of each of them, and of no other road, the route makes a question."""
    margins = benchmarks()[NAME].templates["Road_On_Route"].header.margins
    asked = [ask("Road_On_Route", rows_of(steps), ordinal) for ordinal in ORDINALS[1:]]
    assert roads_to_ask_for(rows_of(steps), margins) == [
        one.gold["text"] for one in asked if one.refusal is None
    ]


def with_road(number: int, road: str, metres: float = 500.0) -> list[dict[str, Any]]:
    """The route with another road at a step."""
    rows = rows_of()
    rows[number] |= {"road": road, "metres": metres}
    return rows


REFUSED: Mapping[str, tuple[str, list[dict[str, Any]]]] = {
    "no_way": ("Road_On_Route", []),
    "too_close": ("Road_On_Route", rows_of(seconds=100.0)),
    "long_way": ("Road_On_Route", rows_of(seconds=3000.0)),
    "near_tie": ("Road_On_Route", rows_of(behind=50.0)),
    "road_twice": ("Road_On_Route", with_road(6, "Ring")),
    "short_road": ("Road_On_Route", with_road(1, "Ring", 20.0)),
    "too_few_roads": ("Road_On_Route", rows_of(STEPS[:6])),
}


@pytest.mark.parametrize(("reason", "asked"), REFUSED.items(), ids=REFUSED)
def test_what_cannot_be_told_surely_is_refused(reason: str, asked: tuple[str, list[dict[str, Any]]]) -> None:
    assert ask(*asked).refusal == reason


def test_near_places_are_refused_before_a_router_is_asked() -> None:
    def asked(lat: float) -> Intended:
        ends = {"origin": {"lon": 9.5, "lat": 47.1}, "destination": {"lon": 9.5, "lat": lat}}
        return Intended({"ordinal": "third"}, {**ends, "ordinal": {}})

    assert refused_beforehand(NAME, asked(47.11)) == "too_close"
    assert refused_beforehand(NAME, asked(47.12)) is None


def test_a_route_without_another_is_no_tie() -> None:
    assert ask("Road_On_Route", rows_of(behind=None)).refusal is None


def tell(steps: Steps = STEPS) -> str:
    """The printed context of a route."""
    told = [
        {
            "kind": kind,
            "lat": 0.0,
            "lon": 0.0,
            "heading": 0.0,
            "road": road,
            "distance_m": metres,
            "seconds": 1.0,
            "landmarks": [],
            "said": _say(kind, road, metres),
        }
        for kind, road, metres in steps
    ]
    other = [
        {**step, "road": "Umweg", "said": "Head north on Umweg. Go on for 9.00 km."} for step in told[:1]
    ]
    ends = {"origin": {"name": "Krone"}, "destination": {"name": "Rathaus"}, "mode": "car"}
    routes = [
        {"seconds": 600.0, "distance_m": 4045.0, "steps": told},
        {"seconds": 720.0, "distance_m": 9000.0, "steps": other},
    ]
    return "\n".join(line.text for line in routes_block({**ends, "routes": routes}))


def _say(kind: str, road: str | None, metres: float) -> str:
    if kind == "arrive":
        return "You arrive at Rathaus, on the left."
    others = {"depart": "Head north", "roundabout": "At the roundabout, take exit 1"}
    told = others.get(kind, f"Turn {kind}")
    onto = f" {'on' if kind == 'depart' else 'onto'} {road}" if road else ""
    length = f"{metres / 1000:.2f} km" if metres >= 1000 else f"{metres:.1f} m"
    return f"{told}{onto}. Go on for {length}. You pass Rat onto Hof. and Post on the left."


def fault(
    template: str, gold: Mapping[str, Any], text: str, options: Sequence[str] = ROADS, **asks: Any
) -> str | None:
    """Why the gold does not follow from what is printed."""
    asked = {CONTEXT: {"asks": {"origin": "Krone", "destination": "Rathaus", **asks}}}
    return context_fault(NAME, Shown(template, text, options), asked, gold)


def test_answers_follow_from_the_printed_steps_of_the_fastest_way() -> None:
    lines = tell().split("\n")
    assert lines[0] == "There are 2 routes from Krone to Rathaus by car. They are:"
    assert lines[1] == "1. Via L 12 | 10 mins | 4.0 km"
    for ordinal, road in zip(("second", "third", "fourth", "fifth"), ROADS[1:], strict=True):
        assert fault("Road_On_Route", {"text": road}, tell(), ordinal=ordinal) is None
    assert fault("Road_On_Route", {"text": "L 12"}, tell(STEPS[:3]), ordinal="third") == "no option is listed"
    elsewhere = tell().replace("Krone", "Linde")
    assert fault("Road_On_Route", {"text": "L 12"}, elsewhere, ordinal="third") == (
        "the context does not tell how one gets from Krone to Rathaus by car"
    )
