"""Keys of questions about roads: the drivable ways of one name are one road."""

from collections.abc import Sequence

from app.benchmarks.urban_knowledge.derivations.numerals import metres_text, near_rounding
from app.core import seeds
from app.core.names import normal_form
from app.questions.derivations.base import Case, Derived, derivation, refused


@derivation("urban_knowledge", "length_option")
def length_option(case: Case) -> Derived:
    """How long all ways of the road are together, in whole metres."""
    if not case.rows:
        return refused("no_answer")
    if not case.facts.get("road", {}).get("inside", True):
        return refused("leaves_outline")
    row = case.rows[0]
    if row["repaired"]:
        return refused("repaired_geometry")
    if row["length"] < case.margins["least"]:
        return refused("too_short")
    if near_rounding(row["length"], 1.0):
        return refused("near_rounding")
    gold = {"text": metres_text(row["length"]), "objects": row["osm_keys"], "length": row["length"]}
    evidence = [("road", key) for key in row["osm_keys"]]
    return Derived(gold, None, evidence, {"wanted": case.margins["least"]})


def pair_text(names: Sequence[str]) -> str:
    """`A and B`, whichever came first."""
    return " and ".join(sorted(names))


@derivation("urban_knowledge", "junctions_option")
def junctions_option(case: Case) -> Derived:
    """The two roads at the first and the last junction of the longest part of a road in an area."""
    unfit = _unfit_stretch(case)
    if unfit:
        return refused(unfit)
    first, last = case.rows[0]["node_id"], case.rows[-1]["node_id"]
    if first == last:
        return refused("no_answer")
    ends = [[row for row in case.rows if row["node_id"] == node] for node in (first, last)]
    if any(len(end) > 1 for end in ends):
        return refused("ambiguous_junction")
    crossed = [end[0] for end in ends]
    names = [row["cross_name"] for row in crossed]
    if normal_form(names[0]) == normal_form(names[1]):
        return refused("one_cross_road")
    keys = [row["cross_key"] for row in crossed]
    evidence = [("road", key) for key in (*case.rows[0]["osm_keys"], *keys)]
    gold = {"text": pair_text(names), "objects": sorted(keys), "names": sorted(names)}
    return Derived(gold, None, evidence, {"share": case.rows[0]["share"]}, names=names)


def _unfit_stretch(case: Case) -> str | None:
    """Why nothing can be asked about the part of a road in an area, if so."""
    if not case.facts.get("stretch", {}).get("inside", True):
        return "leaves_outline"
    if not case.rows:
        return "no_answer"
    part = case.rows[0]
    if part["repaired"]:
        return "repaired_geometry"
    if part["share"] < case.margins["share"]:
        return "in_parts"
    if part["closed"]:
        return "closed_road"
    if any(row["doubtful"] for row in case.rows):
        return "near_area_edge"
    return "no_answer" if part["node_id"] is None else None


FORMS = ("connected", "not_connected")
LEAST_WRONG = 3
"""How many wrong options a form must have for a road to be asked about in it."""


def _forms_that_work(direct: int, second: int, farther: int, few: float) -> list[str]:
    """The ways to ask about a road: it is met by so many, and there are so many two hops away, or farther."""
    works = {
        "connected": direct > 0 and (direct <= few or second + farther >= LEAST_WRONG),
        "not_connected": direct > few and second > 0,
    }
    return [form for form in FORMS if works[form]]


@derivation("urban_knowledge", "connection_option")
def connection_option(case: Case) -> Derived:
    """A road that is connected with the road, or one that is two hops away where more than `few` are connected.

    Where both can be asked, a hash of the road and the area says which is.
    """
    if not case.facts.get("stretch", {}).get("inside", True):
        return refused("leaves_outline")
    direct, second, farther = ([row for row in case.rows if row["hop"] == hop] for hop in (1, 2, 3))
    if not direct:
        return refused("no_answer")
    forms = _forms_that_work(len(direct), len(second), len(farther), case.limits["few"])
    if not forms:
        return refused("no_second_hop")
    form = case.binds["form"]
    # of a question that stands, only whether it can be asked: it may be older than the hash
    chosen = forms[seeds.below(len(forms), 0, "form", case.binds["stretch"])]
    if form not in forms or (case.facts and form != chosen):
        return refused("other_form")
    if case.rows[0]["repaired"]:
        return refused("repaired_geometry")
    if case.rows[0]["doubtful"]:
        return refused("near_area_edge")
    asked = direct if form == "connected" else second
    key = min(asked, key=lambda row: (row["turn"], row["name"]))
    own = case.rows[0]["osm_keys"]
    evidence = [("road", one) for one in (*own, *(row["osm_key"] for row in (*direct, *second)))]
    names = [row["name"] for row in (*direct, *second)]
    gold = {"text": key["name"], "objects": [key["osm_key"]]}
    return Derived(gold, None, evidence, {"direct": len(direct), "second": len(second)}, names=names)
