"""The best order of visits, how many visits a budget of time allows, and where two people best meet. Whole minutes."""

from itertools import accumulate, pairwise, permutations

from app.benchmarks.mapeval.derivations.travels import (
    Leg,
    Travels,
    in_order,
    names_of,
    search_all,
    travel_legs,
)
from app.questions.derivations.base import Case, Derived, derivation, refused
from app.questions.derivations.plans import JSON, call, members, plan, result

ARROW = " → "
PEOPLE = 2
FEWEST = 4
"""Places of an order, the start among them."""


@derivation("mapeval", "best_order")
def best_order(case: Case) -> Derived:
    """The order in which it takes least time to travel from the start to all places; it ends at the last."""
    count = len(case.rows)
    if count < FEWEST:
        return refused("no_answer")
    travels = Travels(case.rows, case.margins)
    refusal = travels.fault_of(
        [(one, other) for one in range(count) for other in range(1, count) if one != other]
    )
    if refusal:
        return refused(refusal)
    ways = {order: [*pairwise((0, *order))] for order in permutations(range(1, count))}
    best, second = sorted(ways, key=lambda order: travels.minutes(ways[order]))[:2]
    behind = travels.minutes(ways[second]) - travels.minutes(ways[best])
    behind_s = min(travels.seconds(way) for order, way in ways.items() if order != best) - travels.seconds(
        ways[best]
    )
    wanted = max(case.margins["behind"], case.margins["ratio"] * travels.minutes(ways[best]))
    if behind < wanted or behind_s < case.margins["behind_seconds"]:
        return refused("margin")
    names = names_of(case.rows)
    texts = {order: ARROW.join(names[one] for one in order) for order in ways}
    found, places = search_all(case.rows)
    matrix = call("distance_matrix", origins=places, destinations=places, mode=str(case.binds["mode"]))
    sums: list[JSON] = [
        {"$sum": [{"$minutes": result(count, "seconds", one, other)} for one, other in way]}
        for way in ways.values()
    ]
    answer = {"text": {"$least": members([*texts.values()], sums)}}
    return Derived(
        {"text": texts[best], "minutes": travels.minutes(ways[best])},
        evidence=[("poi", row["osm_key"]) for row in case.rows],
        margin={"minutes": behind, "seconds": behind_s},
        solutions=plan(answer, *found, matrix),
    )


@derivation("mapeval", "places_in_budget")
def places_in_budget(case: Case) -> Derived:
    """How many places can be visited in their order until the time is over, the stay at each included."""
    if len(case.rows) < FEWEST:
        return refused("no_answer")
    travels, legs = Travels(case.rows, case.margins), in_order(len(case.rows))
    refusal = travels.fault_of(legs)
    if refusal:
        return refused(refusal)
    stay, budget = int(case.binds["stay"]), int(case.binds["budget"])
    spent = [*accumulate(travels.minutes([leg]) + stay for leg in legs)]
    room = min(abs(minutes - budget) for minutes in spent)
    if room < case.margins["room"]:
        return refused("margin")
    count = sum(minutes <= budget for minutes in spent)
    if not count:
        return refused("zero")
    found, places = search_all(case.rows)
    calls, minutes = travel_legs(places, legs, str(case.binds["mode"]))
    sums: list[JSON] = [{"$sum": [number * stay, *minutes[:number]]} for number in range(1, len(legs) + 1)]
    return Derived(
        {"text": str(count), "count": count},
        evidence=[("poi", row["osm_key"]) for row in case.rows],
        margin={"minutes": room},
        solutions=plan({"count": {"$at_most": sums, "limit": budget}}, *found, *calls),
    )


@derivation("mapeval", "meeting_place")
def meeting_place(case: Case) -> Derived:
    """The place to which the longer one of two people's ways is the shortest."""
    count = len(case.rows)
    if count < PEOPLE + FEWEST:
        return refused("no_answer")
    travels = Travels(case.rows, case.margins)
    ways: dict[int, list[Leg]] = {
        place: [(one, place) for one in range(PEOPLE)] for place in range(PEOPLE, count)
    }
    refusal = travels.fault_of([leg for way in ways.values() for leg in way])
    if refusal:
        return refused(refusal)
    longer = {place: max(travels.seconds([leg]) for leg in way) for place, way in ways.items()}
    best, second = sorted(longer, key=longer.__getitem__)[:2]
    behind_s = longer[second] - longer[best]
    if behind_s < max(case.margins["behind_seconds"], case.margins["ratio"] * longer[best]):
        return refused("margin")
    found, places = search_all(case.rows)
    mode = str(case.binds["mode"])
    matrix = call("distance_matrix", origins=places[:PEOPLE], destinations=places[PEOPLE:], mode=mode)
    names = names_of(case.rows)
    took = [[result(count, "seconds", one, place) for one in range(PEOPLE)] for place in range(len(ways))]
    greatest: list[JSON] = [{"$greatest": [{"say": one, "by": one} for one in both]} for both in took]
    return Derived(
        {"text": names[best], "objects": [case.rows[best]["osm_key"]]},
        evidence=[("poi", row["osm_key"]) for row in case.rows],
        margin={"seconds": behind_s},
        solutions=plan({"text": {"$least": members(names[PEOPLE:], greatest)}}, *found, matrix),
    )
