"""Questions without an answer: nothing that anybody could take for one lies where they ask (paper, section 3.4)."""

from app.benchmarks.gsqa.derivations.places import places_found, unfit
from app.questions.derivations.base import Case, Derived, derivation, radius_within, refused
from app.questions.gold import UNANSWERABLE


@derivation("gsqa", "nothing_found")
def nothing_found(case: Case) -> Derived:
    """Gold without a value, where no row holds an object.

    The circle around an area depends on where it is centred, so an anchor that is one is refused.
    """
    found = nothing_around(case)
    if found.refusal != "has_answer" and case.rows[0]["is_area"]:
        return refused("reference_point", found.radius)
    return found


@derivation("gsqa", "nothing_around")
def nothing_around(case: Case) -> Derived:
    """Gold without a value, where no row holds an object; an area counts as the point that the map has of it.

    Whether another point would do as well, the question's readings say.
    """
    radius = radius_within(case.binds)
    if not case.rows or places_found(case):
        return refused("has_answer", radius)
    first = case.rows[0]
    own = first["anchor_class"] in str(case.binds.get("category", "")).split(",")
    unfitting = "own_class" if own else unfit(case)
    if unfitting:
        return refused(unfitting, radius)
    return Derived(gold_kind=UNANSWERABLE, radius=radius)
