"""Keys of questions that compare four areas: the one of a rank, by size or by what they hold."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from app.questions.derivations.base import Case, Derived, Row, derivation, refused

RANKS = ("largest", "second", "third", "smallest")
"""Which of four areas may be asked for, where each is clearly apart from the next."""
FIRST = "first"
"""The largest, where the others may be as they are among themselves."""


def _of_rank(case: Case, measure: str, least: str, most: str) -> Derived:
    """The area of the wanted rank; each has at most `ratio` of the one before, or of the first, border or not.

    `least` and `most` name the columns of what surely counts, and of what may.
    """
    rows = sorted(case.rows, key=lambda row: (-row[measure], row["osm_key"]))
    refusal = _unfit(case, rows, measure, least, most)
    if refusal:
        return refused(refusal)
    rank = case.binds["rank"]
    key = rows[0 if rank == FIRST else RANKS.index(rank)]
    gold: dict[str, Any] = {"text": key["name"], "objects": [key["osm_key"]]}
    if measure != "area":
        gold["count"] = key[measure]
    evidence = [("poi", place) for row in rows for place in row.get("poi_keys", ())]
    closest = max(lower[measure] / upper[measure] for upper, lower in _apart(case, rows))
    return Derived(gold, None, evidence, {"closest_ratio": closest, "wanted": case.margins["ratio"]})


def _apart(case: Case, rows: Sequence[Row]) -> list[tuple[Row, Row]]:
    """The pairs of a larger and a smaller area that must be clearly apart."""
    return [(rows[0], row) for row in rows[1:]] if case.binds["rank"] == FIRST else list(pairwise(rows))


def _unfit(case: Case, rows: list[Row], measure: str, least: str, most: str) -> str | None:
    ratio = case.margins["ratio"]
    if len(rows) < len(RANKS):
        return "no_answer"
    if any(row.get("repaired") for row in rows):
        return "repaired_geometry"
    if measure == "number" and any(row.get("twice_mapped") for row in rows):
        return "twice_mapped"
    pairs = _apart(case, rows)
    if any(upper[measure] == 0 for upper, _ in pairs):
        return "zero"
    if any(lower[measure] > ratio * upper[measure] for upper, lower in pairs):
        return "margin"
    if any(upper[least] == 0 or lower[most] > ratio * upper[least] for upper, lower in pairs):
        return "near_area_edge"
    return None


@derivation("urban_knowledge", "area_of_rank_option")
def area_of_rank_option(case: Case) -> Derived:
    """The largest, second, third or smallest of four areas by ground."""
    return _of_rank(case, "area", "area", "area")


@derivation("urban_knowledge", "pois_of_rank_option")
def pois_of_rank_option(case: Case) -> Derived:
    """That by the number of points of interest."""
    return _of_rank(case, "number", "sure_number", "possible_number")


@derivation("urban_knowledge", "kinds_of_rank_option")
def kinds_of_rank_option(case: Case) -> Derived:
    """That by the number of kinds of points of interest."""
    return _of_rank(case, "kinds", "sure_kinds", "possible_kinds")
