"""Questions about what no map tells: none of the options is right."""

from collections.abc import Mapping

from app.questions.derivations.base import Case, Derived, derivation, refused
from app.questions.gold import NO_ANSWER, UNANSWERABLE

TELLING_KEYS: Mapping[str, frozenset[str]] = {
    "busy": frozenset({"capacity", "visitors"}),
    "closing": frozenset({"end_date", "opening_date"}),
    "flood": frozenset({"flood_prone", "hazard", "ele"}),
    "music": frozenset({"live_music"}),
    "prices": frozenset({"charge", "price"}),
    "queue": frozenset({"queue"}),
    "reviews": frozenset({"rating", "stars", "award"}),
    "staff": frozenset({"rating", "award"}),
    "view": frozenset({"view", "viewpoint"}),
}
"""By what is asked: the keys of tags that could hint at an answer. A place that has one is not asked about."""


@derivation("mapeval", "not_on_the_map")
def not_on_the_map(case: Case) -> Derived:
    """That there is no answer, where four places could be it for all that the map tells."""
    if len(case.rows) < case.limits["places"]:
        return refused("no_answer")
    radius = case.rows[-1]["distance"]
    if radius > case.limits["farthest"]:
        return refused("too_far", radius)
    telling = TELLING_KEYS[str(case.binds["untold"])]
    if any(telling & {key.split(":")[0] for key in row["keys"]} for row in case.rows):
        return refused("map_may_tell", radius)
    evidence = [("poi", row["osm_key"]) for row in case.rows]
    gold = {"text": NO_ANSWER, "objects": []}
    return Derived(gold, evidence=evidence, radius=radius, gold_kind=UNANSWERABLE)
