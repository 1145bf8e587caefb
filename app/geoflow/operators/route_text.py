"""Operators that read the steps of a route: how many turns, and what comes after a landmark."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from app.core.names import search_form
from app.geoflow.operators.base import Bound, OperatorFault, Value, computes
from app.geoflow.operators.values import first_route

LEFT: Final = frozenset({"left", "sharp_left"})
RIGHT: Final = frozenset({"right", "sharp_right"})
COUNTED: Final[Mapping[str, frozenset[str]]] = {
    "left turns": LEFT,
    "right turns": RIGHT,
    "turns": LEFT | RIGHT,
    "roundabouts": frozenset({"roundabout"}),
}
"""By what is counted: the kinds of steps that count. Slight turns do not."""
Step = Mapping[str, Any]


def _steps_of(value: Value) -> Sequence[Step]:
    steps: Sequence[Step] = first_route(value).get("steps", ())
    if not steps:
        raise OperatorFault("the route has no steps: only directions tells them")
    return steps


def _count(steps: Sequence[Step], what: str) -> int:
    return sum(step["kind"] in COUNTED[what] for step in steps)


@computes("count_in_route", "AMOUNT")
def count_in_route(bound: Bound) -> Mapping[str, Any]:
    """How many steps of a kind there are."""
    what = bound.params["what"].strip().lower().replace("_", " ")
    what = what if what in COUNTED else f"{what}s"
    if what not in COUNTED:
        raise OperatorFault(f"what is counted is one of {', '.join(COUNTED)}")
    return {"value": _count(_steps_of(bound.one("route")), what), "unit": what}


@computes("steps_analysis", "EVENT")
def steps_analysis(bound: Bound) -> Mapping[str, Any]:
    """The instruction after a landmark or after a road; without both, the first one. And the turns in all."""
    steps = _steps_of(bound.one("route"))
    landmark, after = bound.maybe("landmark"), bound.params.get("after")
    place = 0
    if landmark is not None or after is not None:
        place = 1 + (_passing(steps, landmark) if landmark is not None else _on_road(steps, str(after)))
    if place >= len(steps):
        raise OperatorFault("nothing comes after that: it is the end of the route", "data")
    step = steps[place]
    return {
        "time": "",
        "instruction": step["said"],
        "kind": step["kind"],
        "road": step.get("road"),
        "counts": {what: _count(steps, what) for what in COUNTED},
        "exits": [one["exit"] for one in steps if one.get("exit")],
    }


def _passing(steps: Sequence[Step], landmark: Value) -> int:
    """The step in which the landmark is passed."""
    key, name = landmark.data.get("id"), search_form(str(landmark.data.get("name", "")))
    for number, step in enumerate(steps):
        for one in step.get("landmarks", ()):
            if one["id"] == key or (name and search_form(one["name"]) == name):
                return number
    raise OperatorFault(f"the route does not pass {landmark.data.get('name')!r:.80}", "data")


def _on_road(steps: Sequence[Step], road: str) -> int:
    """The last step on a road."""
    wanted = search_form(road)
    found = [number for number, step in enumerate(steps) if wanted in search_form(step.get("road") or "")]
    if not wanted or not found:
        raise OperatorFault(f"the route does not use {road!r:.80}", "data")
    return found[-1]
