"""What one does on the fastest route by car: where one turns off a road onto which, and how many turns there are.

Rows are the steps of the route. Degrees are those of a turn, to the right where they are positive; metres.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from app.benchmarks.mapeval.derivations.routes import (
    ROUTE,
    RoadTaken,
    ends_of,
    fault_of_ends,
    is_nearly_as_fast,
    plan_of_route,
    roads_taken,
    step_result,
)
from app.core.names import normal_form
from app.questions.derivations.base import Case, Derived, Row, derivation, refused
from app.questions.derivations.plans import JSON, result

SIDES = ("left", "right")
PLAIN = (60.0, 120.0)
"""The degrees of a turn that is neither slight nor sharp."""
SHARPEST = 170.0
"""What turns more is a turn back."""
COUNTED: Mapping[str, frozenset[str]] = {
    "left turns": frozenset({"left", "sharp_left"}),
    "right turns": frozenset({"right", "sharp_right"}),
    "roundabouts": frozenset({"roundabout"}),
}
"""What is counted, by the kinds of steps that count."""


class TurnTaken(NamedTuple):
    """A turn off a road that the route takes once, right onto another one with a name or a number."""

    off: RoadTaken
    onto: RoadTaken
    side: str
    degrees: float

    @property
    def text(self) -> str:
        """As steps say it."""
        return f"Turn {self.side} onto {self.onto.name}"

    def fault(self, margins: Mapping[str, float]) -> str | None:
        """Why it may not be asked for."""
        if min(self.off.metres, self.onto.metres) < margins["stretch"]:
            return "short_road"
        return "unclear_turn" if is_near(self.degrees, PLAIN, margins["degrees"]) else None


def is_near(degrees: float, borders: Sequence[float], room: float) -> bool:
    """Whether a turn is so near to a border between two kinds that people may call it either."""
    return any(abs(abs(degrees) - border) < room for border in borders)


def turns_taken(steps: Sequence[Row]) -> list[TurnTaken]:
    """The turns to the left or the right that lead off one road right onto another, in their order."""
    roads = roads_taken(steps)
    names = [normal_form(road.name) for road in roads]
    found = []
    for off, onto in pairwise(roads):
        step = steps[onto.step]
        is_alone = names.count(normal_form(off.name)) == 1
        if onto.step == off.last + 1 and step["kind"] in SIDES and is_alone:
            found.append(TurnTaken(off, onto, step["kind"], step["degrees"]))
    return found


@derivation("mapeval", "next_step")
def next_step(case: Case) -> Derived:
    """The turn of a rank: the text tells the road that it leads off, the answer is the turn."""
    refusal = fault_of_ends(case)
    if refusal:
        return refused(refusal)
    turns, rank = turns_taken(case.rows), int(str(case.binds["after"])) - 1
    if len(turns) <= rank:
        return refused("too_few_turns")
    turn = turns[rank]
    refusal = turn.fault(case.margins)
    if refusal is None and ";" in turn.off.name + turn.onto.name:
        refusal = "road_twice"
    if refusal is None and is_nearly_as_fast(case):
        refusal = "near_tie"
    return refused(refusal) if refusal else _tell_turn(case, turn)


def _tell_turn(case: Case, turn: TurnTaken) -> Derived:
    roads = dict.fromkeys(road.name for road in roads_taken(case.rows))
    texts: list[JSON] = [
        {"say": f"Turn {side} onto {road}", "by": [side, road]} for road in roads for side in SIDES
    ]
    done: JSON = {"$only": texts, "equals": [step_result(turn.onto.step, name) for name in ("kind", "road")]}
    return Derived(
        {"text": turn.text, "after": turn.off.name},
        evidence=ends_of(case),
        margin={"degrees": turn.degrees, "metres": turn.off.metres},
        solutions=plan_of_route(case, {"text": done}),
        labels={"after": turn.off.name},
    )


@derivation("mapeval", "count_on_route")
def count_on_route(case: Case) -> Derived:
    """How many turns to a side, or roundabouts, the route has, if each surely is one or none."""
    refusal = fault_of_ends(case) or _fault_of_steps(case)
    if refusal is None and is_nearly_as_fast(case):
        refusal = "near_tie"
    if refusal:
        return refused(refusal)
    counted = COUNTED[str(case.binds["counted"])]
    count = sum(row["kind"] in counted for row in case.rows)
    if not count:
        return refused("zero")
    kinds: JSON = {"$each": result(ROUTE, "routes", 0, "steps"), "of": "kind"}
    number: JSON = {"$among": kinds, "of": sorted(counted)}
    return Derived(
        {"text": str(count), "count": count},
        evidence=ends_of(case),
        margin={"degrees": _room_of(case)},
        solutions=plan_of_route(case, {"count": number}),
    )


def _fault_of_steps(case: Case) -> str | None:
    """Why turns cannot be counted: one is nearly another kind of turn, one turns back, or an end is on a roundabout."""
    for row in case.rows:
        if row["kind"] in ("turn_back", "leave_roundabout") or (
            row["kind"] == "roundabout" and not row["exit"]
        ):
            return "unclear_turn"
    return "unclear_turn" if _room_of(case) < case.margins["degrees"] else None


def _room_of(case: Case) -> float:
    """How many degrees every turn is from counting or not."""
    turned = [abs(row["degrees"]) for row in case.rows if row["degrees"] and row["kind"] != "roundabout"]
    return min((abs(degrees - border) for degrees in turned for border in (PLAIN[0], SHARPEST)), default=90.0)
