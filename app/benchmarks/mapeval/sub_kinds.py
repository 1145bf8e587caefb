"""What questions of MapEval work out, as its paper counts them: straight lines, directions (Table 6) and counts."""

from app.scores.grouping import SUB_KINDS

KINDS = ("straight line", "direction", "counting")


def sub_kind_of(template: str, told: str | None) -> str | None:
    """The kind of a question; `told` is that of a published one, which was found by its words. None of all others."""
    if told in KINDS:
        return told
    if template.startswith("Straight_Line"):
        return "straight line"
    if template.startswith("Count_"):
        return "counting"
    return "direction" if "Direction" in template else None


SUB_KINDS.add("mapeval", "sub_kind", sub_kind_of)
