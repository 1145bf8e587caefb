"""By way of which of four places one gets from a start to a destination the fastest, or by the shortest way, and which
one the fastest way passes.

Places are numbered from 0: the start, the destination, and those that one may pass by. Seconds, metres.
"""

from collections.abc import Mapping, Sequence

from app.benchmarks.mapeval.derivations.travels import Leg, Travels, names_of, search_all
from app.questions.derivations.base import Case, Derived, derivation, refused
from app.questions.derivations.plans import JSON, call, members, plan, result

PLACES = 6
START, DESTINATION, FIRST = 0, 1, 2
"""Numbers of places; FIRST is that of the first one that one may pass by."""


def _fault_of(case: Case, *more: Leg) -> str | None:
    """Why nothing may be asked of the ways by these places, and of `more` ways."""
    by = range(FIRST, PLACES)
    legs = [*more, *(leg for place in by for leg in ((START, place), (place, DESTINATION)))]
    return "no_answer" if len(case.rows) < PLACES else Travels(case.rows, case.margins).fault_of(legs)


def _tell_best(case: Case, totals: Mapping[int, float], least: float, unit: str, lengths: bool) -> Derived:
    """The place of the smallest total, if every other total is greater by `least` or more."""
    best, second = sorted(totals, key=totals.__getitem__)[:2]
    behind = totals[second] - totals[best]
    if behind < max(least, case.margins["ratio"] * totals[best]):
        return refused("margin")
    return _tell(case, best, {unit: behind}, lengths)


def _tell(case: Case, best: int, margin: Mapping[str, float], lengths: bool) -> Derived:
    """The place of that number, the sum of whose ways is the smallest."""
    names = names_of(case.rows)
    return Derived(
        {"text": names[best], "objects": [case.rows[best]["osm_key"]]},
        evidence=[("poi", row["osm_key"]) for row in case.rows],
        margin=dict(margin),
        solutions=_plan(case, names, lengths),
    )


def _plan(case: Case, names: Sequence[str], lengths: bool) -> Mapping[str, JSON]:
    """The sum of both parts of the way by each place; the least of the sums."""
    searches, places = search_all(case.rows)
    by, more = places[FIRST:], {"mode": str(case.binds["mode"]), **({"lengths": True} if lengths else {})}
    to_them = call("distance_matrix", origins=[places[START]], destinations=by, **more)
    from_them = call("distance_matrix", origins=by, destinations=[places[DESTINATION]], **more)
    cells = "distance_m" if lengths else "seconds"
    totals: list[JSON] = [
        {"$sum": [result(PLACES, cells, 0, number), result(PLACES + 1, cells, number, 0)]}
        for number in range(len(by))
    ]
    answer = {"text": {"$least": members(names[FIRST:], totals)}}
    return plan(answer, *searches, to_them, from_them)


@derivation("mapeval", "fastest_via")
def fastest_via(case: Case) -> Derived:
    """The place by way of which it takes the least time."""
    refusal = _fault_of(case)
    if refusal:
        return refused(refusal)
    return _tell_best(case, _seconds_by_each(case), case.margins["behind_seconds"], "seconds", lengths=False)


@derivation("mapeval", "shortest_via")
def shortest_via(case: Case) -> Derived:
    """The place by way of which one has the fewest metres to go, along the fastest ways."""
    refusal = _fault_of(case)
    if refusal:
        return refused(refusal)
    totals = {
        place: case.rows[START]["metres"][place] + case.rows[place]["metres"][DESTINATION]
        for place in range(FIRST, PLACES)
    }
    return _tell_best(case, totals, case.margins["behind_metres"], "metres", lengths=True)


def _seconds_by_each(case: Case) -> dict[int, float]:
    """How long it takes by way of each place, by its number."""
    travels = Travels(case.rows, case.margins)
    return {place: travels.seconds([(START, place), (place, DESTINATION)]) for place in range(FIRST, PLACES)}


@derivation("mapeval", "landmark_passed")
def landmark_passed(case: Case) -> Derived:
    """The only place by way of which it takes about as long as without it; by each other it takes clearly longer."""
    refusal = _fault_of(case, (START, DESTINATION))
    if refusal:
        return refused(refusal)
    direct = case.rows[START]["seconds"][DESTINATION]
    longer = {place: seconds - direct for place, seconds in _seconds_by_each(case).items()}
    best, second = sorted(longer, key=longer.__getitem__)[:2]
    if longer[best] > case.margins["passed_seconds"] or longer[second] < case.margins["aside_seconds"]:
        return refused("not_one_right")
    return _tell(case, best, {"seconds": longer[second] - longer[best]}, lengths=False)
