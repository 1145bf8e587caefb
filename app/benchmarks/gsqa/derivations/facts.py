"""Questions that lean on an external fact: one asked for (T7), or one that names the anchor (T8).

Rows carry the fact as the columns of trigpoint.map_fact; gold keeps it whole but for the time when it was read.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.benchmarks.gsqa.derivations.nearest import nearest_place
from app.benchmarks.gsqa.derivations.places import NAMES
from app.questions.derivations.base import Case, Derived, derivation, refused

FACT_COLUMNS = (
    "attribute", "kind", "value", "unit", "names", "source", "credit", "source_url", "licence"
)  # fmt: skip


def as_fact(row: Mapping[str, Any]) -> dict[str, Any]:
    """A fact as gold keeps it: {id, attribute, kind, value, unit, names, source, credit, source_url, licence}."""
    return {"id": row["fact_id"], **{column: row[column] for column in FACT_COLUMNS}}


@derivation("gsqa", "nearest_fact")
def nearest_fact(case: Case) -> Derived:
    """What the source says of the nearest place; the nearest must be named, and known by a fact that stands alone."""
    found = nearest_place(NAMES, case)
    if found.refusal:
        return found
    first = case.rows[0]
    if first["own_class"]:
        return refused("own_class", found.radius)
    if first["fact_id"] is None:
        return refused("no_fact", found.radius)
    fact = as_fact(first)
    gold = {"fact": fact, "objects": found.gold["objects"]}
    return replace(found, gold=gold, margin={**found.margin, "fact": fact["id"]}, facts=[fact["id"]])


@derivation("gsqa", "nearest_name_by_fact")
def nearest_name_by_fact(case: Case) -> Derived:
    """The name of the place nearest to the one that a fact describes, and no other place's fact does."""
    found = nearest_place(NAMES, case)
    if found.refusal:
        return found
    first = case.rows[0]
    if first["bearers"] != 1:
        return refused("ambiguous_anchor", found.radius)
    fact = as_fact(first)
    return replace(
        found,
        gold={**found.gold, "fact": fact},
        margin={**found.margin, "fact": fact["id"]},
        facts=[fact["id"]],
        names=[case.binds["anchor"]],
    )
