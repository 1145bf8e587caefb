"""Guesses at open questions: by hand on short prompts. `test_questions.py` tries them on a real map."""

import json
from math import factorial
from typing import Any

import pytest

from app.questions.prompts import ContextPart, StoredPrompt, text_prompt
from app.solvers.guesses import find_guesses

SEGMENTS = {
    "High Street": ("(47.00000, 9.00000)", "(47.00000, 9.00100)"),
    "Mill Lane": ("(47.00000, 9.00100)", "(47.00100, 9.00100)"),
    "Back Road": ("(47.00000, 9.00000)", "(47.00100, 9.00100)"),
}
"""A triangle; the goal is where the first two meet."""
LEGS = [("A", "Way to B"), ("Way to B", "C"), ("C", "Gate to D to E")]


def prompt(context: str) -> StoredPrompt:
    return [ContextPart("Data", context).as_json(), *text_prompt("What then?")]


def guess(template: str, context: str = "") -> list[str]:
    listing = find_guesses("urban_reasoning", template)
    assert listing is not None
    return [*listing(prompt(context))]


def legs(as_json: bool) -> str:
    if as_json:
        told = [{"from": one, "to": other} for one, other in LEGS]
        return json.dumps({"legs": told})
    return "\n".join(f"- From {one} to {other}: 10.00 degrees (N), 0.50 km" for one, other in LEGS)


def network(as_json: bool) -> str:
    start, goal = SEGMENTS["High Street"]
    if as_json:
        told: Any = [{"name": name, "from": one, "to": other} for name, (one, other) in SEGMENTS.items()]
        return json.dumps({"start": start, "goal": goal, "segments": told})
    lines = [f"- {name}: {one} → {other}" for name, (one, other) in SEGMENTS.items()]
    return "\n".join(["Points are latitude, then longitude.", f"Start: {start}", f"Goal: {goal}", *lines])


@pytest.mark.parametrize("as_json", [True, False])
def test_orders_begin_where_the_first_leg_begins(as_json: bool) -> None:
    found = guess("Visiting_Order", legs(as_json))
    assert len(found) == len(set(found)) == factorial(3)
    assert "A->Way to B->C->Gate to D to E" in found
    assert all(sorted(order.split("->")) == ["A", "C", "Gate to D to E", "Way to B"] for order in found)
    assert all(order.startswith("A->") for order in found)


@pytest.mark.parametrize("as_json", [True, False])
def test_segments_join_from_the_start_on(as_json: bool) -> None:
    assert sorted(guess("Shortest_Way", network(as_json))) == [
        "Back Road",
        "Back Road, then Mill Lane",
        "Back Road, then Mill Lane, then High Street",
        "High Street",
        "High Street, then Mill Lane",
        "High Street, then Mill Lane, then Back Road",
    ]


def test_distances_and_terms_need_no_context() -> None:
    distances = guess("Distance")
    assert (len(distances), distances[0], distances[-1]) == (100, "0.20 km", "20.00 km")
    assert guess("Relation_Of_Areas") == ["Overlapping", "Adjacent", "Separate"]
    assert find_guesses("urban_reasoning", "Destination") is None, "its options are letters"
