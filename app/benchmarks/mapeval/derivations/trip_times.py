"""How long a trip takes in all, when it arrives, and when it must begin. Whole minutes and times of the clock."""

from collections.abc import Callable, Mapping
from typing import Any

from app.benchmarks.mapeval.derivations.travels import (
    Travels,
    clock_text,
    in_order,
    minute_of,
    search_all,
    travel_legs,
)
from app.questions.derivations.base import Case, Derived, derivation, refused
from app.questions.derivations.plans import JSON, plan

FEWEST = 3
Telling = Callable[[int, int, JSON], tuple[Mapping[str, Any], Mapping[str, Any]]]
"""From minutes on the way, minutes of stays and the sum of both in a plan: the gold, and the answer of the plan."""


def _derive(case: Case, tell: Telling) -> Derived:
    if len(case.rows) < FEWEST:
        return refused("no_answer")
    travels, legs = Travels(case.rows, case.margins), in_order(len(case.rows))
    refusal = travels.fault_of(legs)
    if refusal is None and travels.minutes(legs) < case.margins["least"]:
        refusal = "too_close"
    if refusal is None and travels.sums_differ(legs):
        refusal = "near_rounding"
    if refusal:
        return refused(refusal)
    found, places = search_all(case.rows)
    calls, minutes = travel_legs(places, legs, str(case.binds["mode"]))
    stays = int(case.binds.get("stay", 0)) * (len(legs) - 1)
    gold, answer = tell(travels.minutes(legs), stays, {"$sum": [stays, *minutes]})
    evidence = [("poi", row["osm_key"]) for row in case.rows]
    return Derived(dict(gold), evidence=evidence, solutions=plan(answer, *found, *calls))


@derivation("mapeval", "total_travel_time")
def total_travel_time(case: Case) -> Derived:
    """How many minutes are travelled."""

    def tell(minutes: int, stays: int, total: JSON) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        return {"text": f"{minutes} minutes", "minutes": minutes}, {"minutes": total}

    return _derive(case, tell)


@derivation("mapeval", "arrival_time")
def arrival_time(case: Case) -> Derived:
    """When one is at the last place, after the same stay at each place before."""
    start = str(case.binds["departure"])

    def tell(minutes: int, stays: int, total: JSON) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        text = clock_text(minute_of(start) + minutes + stays)
        return {"text": text, "minutes": minutes}, {"text": {"$clock": start, "add": total}}

    return _derive(case, tell)


@derivation("mapeval", "latest_departure")
def latest_departure(case: Case) -> Derived:
    """When one must leave to be at the last place in time, after the same stay at each place before."""
    deadline = str(case.binds["deadline"])

    def tell(minutes: int, stays: int, total: JSON) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        text = clock_text(minute_of(deadline) - minutes - stays)
        return {"text": text, "minutes": minutes}, {"text": {"$clock": deadline, "take": total}}

    return _derive(case, tell)
