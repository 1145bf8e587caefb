"""How long one way takes, and which of several places is reached first. Whole minutes, as they are printed; seconds."""

from app.benchmarks.mapeval.derivations.travels import Leg, Travels, names_of, search_all, travel_legs
from app.questions.derivations.base import Case, Derived, derivation, refused
from app.questions.derivations.plans import call, members, plan, result

ENDS, COMPARED = 2, 5
"""How many places a question is about: both ends of a way; a start, and four places to go to."""


@derivation("mapeval", "travel_time_between")
def travel_time_between(case: Case) -> Derived:
    """The minutes of the way from the first place to the second."""
    if len(case.rows) < ENDS:
        return refused("no_answer")
    travels, legs = Travels(case.rows, case.margins), [(0, 1)]
    refusal = travels.fault_of(legs)
    if refusal is None and travels.minutes(legs) < case.margins["least"]:
        refusal = "too_close"
    if refusal:
        return refused(refusal)
    searches, places = search_all(case.rows)
    calls, minutes = travel_legs(places, legs, str(case.binds["mode"]))
    gold = {"text": f"{travels.minutes(legs)} minutes", "minutes": travels.minutes(legs)}
    evidence = [("poi", row["osm_key"]) for row in case.rows]
    return Derived(gold, evidence=evidence, solutions=plan({"minutes": minutes[0]}, *searches, *calls))


@derivation("mapeval", "nearest_by_travel")
def nearest_by_travel(case: Case) -> Derived:
    """The place that is reached first, if the next one is reached clearly later."""
    if len(case.rows) < COMPARED:
        return refused("no_answer")
    travels = Travels(case.rows, case.margins)
    legs: list[Leg] = [(0, place) for place in range(1, len(case.rows))]
    refusal = travels.fault_of(legs)
    if refusal:
        return refused(refusal)
    took = {place: travels.seconds([(0, place)]) for _, place in legs}
    first, second, *_ = sorted(took, key=took.__getitem__)
    behind = took[second] - took[first]
    if behind < max(case.margins["behind_seconds"], case.margins["ratio"] * took[first]):
        return refused("margin")
    searches, places = search_all(case.rows)
    mode, names = str(case.binds["mode"]), names_of(case.rows)
    matrix = call("distance_matrix", origins=places[:1], destinations=places[1:], mode=mode)
    seconds = [result(len(case.rows), "seconds", 0, number) for number in range(len(legs))]
    return Derived(
        {"text": names[first], "objects": [case.rows[first]["osm_key"]]},
        evidence=[("poi", row["osm_key"]) for row in case.rows],
        margin={"seconds": behind},
        solutions=plan({"text": {"$least": members(names[1:], seconds)}}, *searches, matrix),
    )
