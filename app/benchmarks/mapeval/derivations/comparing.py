"""Which of four pairs is the closest or the farthest, and which of four places lies between two others. Metres."""

from collections.abc import Sequence

from app.benchmarks.mapeval.derivations.duplicates import has_near_duplicate
from app.questions.derivations.base import Case, Derived, Row, clearance, derivation, refused
from app.questions.derivations.plans import JSON, call, found, members, plan, result, search

FOUR = 4


def _measure_pairs(rows: Sequence[Row]) -> list[JSON]:
    """The calls that find the two places of each pair, and then measure each pair."""
    names = [row[part] for row in rows for part in ("one_name", "other_name")]
    places = [found(number, name=name) for number, name in enumerate(names)]
    ends = zip(places[::2], places[1::2], strict=True)
    return [*map(search, names), *(call("distance", origin=one, destination=other) for one, other in ends)]


def _extreme_pair(case: Case, rows: Sequence[Row], choice: str) -> Derived:
    """The first of the rows, of which the second must differ clearly."""
    if len(rows) < FOUR:
        return refused("no_answer")
    if any(row["distance"] < case.margins["least"] for row in rows):
        return refused("too_close")
    first, second = rows[:2]
    behind = abs(second["distance"] - first["distance"])
    wanted = clearance(min(first["distance"], second["distance"]), case.margins)
    if behind < wanted:
        return refused("margin")
    values = [result(2 * FOUR + number, "distance_m") for number in range(FOUR)]
    answer = {"text": {choice: members([row["name"] for row in rows], values)}}
    gold = {"text": first["name"], "objects": [first["osm_key"]]}
    margin = {"behind": behind, "wanted": wanted}
    return Derived(gold, margin=margin, solutions=plan(answer, *_measure_pairs(rows)))


@derivation("mapeval", "closest_pair")
def closest_pair(case: Case) -> Derived:
    """The pair with the smallest distance; rows come closest first."""
    return _extreme_pair(case, case.rows, "$least")


@derivation("mapeval", "farthest_pair")
def farthest_pair(case: Case) -> Derived:
    """The pair with the greatest distance."""
    return _extreme_pair(case, case.rows[::-1], "$greatest")


@derivation("mapeval", "lies_between")
def lies_between(case: Case) -> Derived:
    """The only one of four places that adds little to the way from the origin to the destination."""
    if len(case.rows) < FOUR:
        return refused("no_answer")
    rows = sorted(case.rows, key=lambda row: row["to_origin"] + row["to_destination"])
    apart = rows[0]["apart"]
    if apart < case.margins["least"]:
        return refused("too_close")
    first, second = ((row["to_origin"] + row["to_destination"]) / apart for row in rows[:2])
    if first > case.margins["longest"] or second < case.margins["others"]:
        return refused("not_one_right")
    if has_near_duplicate(rows):
        return refused("near_duplicate")
    gold = {"text": rows[0]["name"], "objects": [rows[0]["osm_key"]]}
    return Derived(gold, margin={"first": first, "second": second}, solutions=_plan_between(rows))


def _plan_between(rows: Sequence[Row]) -> dict[str, JSON]:
    """The calls that find all places, and measure from each of the four to both ends."""
    names = [row["name"] for row in rows]
    ends = rows[0]["origin_name"], rows[0]["destination_name"]
    places = [found(number, name=name) for number, name in enumerate((*ends, *names))]
    first = len(places)
    ways = [
        {"$sum": [result(first + 2 * number + end, "distance_m") for end in range(2)]}
        for number in range(FOUR)
    ]
    measured = [call("distance", origin=end, destination=place) for place in places[2:] for end in places[:2]]
    answer = {"text": {"$least": members(names, ways)}}
    return dict(plan(answer, *map(search, (*ends, *names)), *measured))
