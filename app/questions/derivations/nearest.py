"""Nearest places: whether the second is far enough behind (DESIGN.md: at least max(10 m, 2 %)). Metres."""

import math
from collections.abc import Sequence

from app.questions.derivations.base import Case, Derived, Row, clearance, refused


def nearest_of(case: Case, rows: Sequence[Row]) -> Derived:
    """The refusal, margin, evidence and radius that all questions for a nearest place share; no gold yet.

    `rows` come nearest first. A SELECT that looks no farther than `reach` metres cannot know what is behind a nearest
    that is almost that far away.
    """
    if not rows:
        return refused("no_answer")
    first = rows[0]
    distance = first["distance"]
    wanted = clearance(distance, case.margins)
    behind = rows[1]["distance"] - distance if len(rows) > 1 else None
    radius = distance + wanted
    if distance < case.margins.get("least", 0):
        return refused("too_close", radius)
    if radius > case.binds.get("reach", math.inf):
        return refused("too_far", radius)
    if behind is not None and behind < wanted:
        return refused("margin", radius)
    if any(row["repaired"] for row in rows if row["distance"] <= radius):
        return refused("repaired_geometry", radius)
    margin = {"behind": behind, "wanted": wanted}
    return Derived(evidence=[("poi", first["osm_key"])], margin=margin, radius=radius)
