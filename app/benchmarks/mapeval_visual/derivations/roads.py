"""Roads between places, and places by roads, among what is written in the picture. Metres."""

from app.questions.derivations.base import Case, Derived, derivation, refused

BENCHMARK = "mapeval_visual"
FOUR = 4


@derivation(BENCHMARK, "road_between")
def road_between(case: Case) -> Derived:
    """The only one of four roads that the straight line crosses."""
    if len(case.rows) < FOUR:
        return refused("no_answer")
    crossed = [row for row in case.rows if row["is_crossed"]]
    if len(crossed) != 1:
        return refused("not_one_right")
    return Derived({"text": crossed[0]["name"], "objects": [crossed[0]["osm_key"]]})


@derivation(BENCHMARK, "place_by_road")
def place_by_road(case: Case) -> Derived:
    """The one of four places that is nearest to the road."""
    if len(case.rows) < FOUR:
        return refused("no_answer")
    first, second = case.rows[:2]
    behind = second["distance"] - first["distance"]
    return Derived({"text": first["name"], "objects": [first["osm_key"]]}, margin={"behind": behind})
