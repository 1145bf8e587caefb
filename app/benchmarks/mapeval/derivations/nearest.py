"""The nearest place of a kind, or the one after so many. Metres."""

from collections.abc import Sequence
from dataclasses import replace

from app.questions.derivations.base import Case, Derived, Row, clearance, derivation, refused
from app.questions.derivations.plans import call, found, plan, result, search

ORDINALS = ("first", "second", "third", "fourth", "fifth")


def place_at(case: Case, rank: int) -> Derived:
    """The place of the kind that has this rank from 0 by its distance: gold, margin, evidence and radius; no plan."""
    if len(case.rows) <= rank:
        return refused("no_answer")
    one = case.rows[rank]
    wanted = clearance(one["distance"], case.margins)
    radius = one["distance"] + wanted
    refusal = _fault_of(case, rank, wanted)
    if refusal:
        return refused(refusal, radius)
    return Derived(
        {"text": " ".join(one["name"].split()), "objects": [one["osm_key"]]},
        evidence=[("poi", one["osm_key"])],
        margin={"clear": min(_gaps(case.rows, rank), default=None), "wanted": wanted},
        radius=radius,
    )


def _fault_of(case: Case, rank: int, wanted: float) -> str | None:
    """Why the place of this rank may not be asked for."""
    one = case.rows[rank]
    if one["is_own_class"]:
        return "own_class"
    if case.rows[0]["distance"] < case.margins["least"]:
        return "too_close"
    if any(gap < wanted for gap in _gaps(case.rows, rank)):
        return "margin"
    if any(row["repaired"] for row in case.rows if row["distance"] <= one["distance"] + wanted):
        return "repaired_geometry"
    if not (one["name"] or "").strip() or ";" in one["name"]:
        return "unnamed_answer"
    return "shared_name" if one["bearers"] != 1 else None


def _gaps(rows: Sequence[Row], rank: int) -> list[float]:
    """By how many metres the places before and behind a rank differ from it."""
    near = [rows[other] for other in (rank - 1, rank + 1) if 0 <= other < len(rows)]
    return [abs(row["distance"] - rows[rank]["distance"]) for row in near]


def _with_plan(case: Case, rank: int, **sought: object) -> Derived:
    """The place of this rank, and the calls that find it by what is sought."""
    nearest = place_at(case, rank)
    if nearest.refusal:
        return nearest
    name = case.rows[0]["anchor_name"]
    solution = plan(
        {"text": result(1, "places", rank, "name")},
        search(name),
        call("nearby", where=found(0, name=name), limit=rank + 1, **sought),
    )
    return replace(nearest, solutions=solution)


@derivation("mapeval", "nearest_of_type")
def nearest_of_type(case: Case) -> Derived:
    """The nearest place of a kind."""
    return _with_plan(case, 0, type=str(case.binds["category"]))


@derivation("mapeval", "kth_nearest")
def kth_nearest(case: Case) -> Derived:
    """The second to the fifth nearest place of a kind."""
    rank = ORDINALS.index(str(case.binds["ordinal"]))
    return _with_plan(case, rank, type=str(case.binds["category"]))


@derivation("mapeval", "nearest_with")
def nearest_with(case: Case) -> Derived:
    """The nearest place of a kind that surely has something, where no place as near perhaps has it."""
    kind, tag, value = str(case.binds["category"]).split(",")
    sure = replace(case, rows=[row for row in case.rows if row["is_sure"]])
    nearest = _with_plan(sure, 0, type=kind, attributes={tag: value})
    if not nearest.refusal and any(row["distance"] <= (nearest.radius or 0.0) for row in _doubtful(case)):
        return refused("doubtful_attribute", nearest.radius)
    return nearest


def _doubtful(case: Case) -> list[Row]:
    return [row for row in case.rows if not row["is_sure"]]
