"""Prechecks of the Knowledge Module: which rank is asked for of four areas."""

from app.benchmarks.urban_knowledge.derivations.comparing import FIRST, RANKS
from app.core.seeds import choose
from app.questions.prechecks import Intended, precheck


@precheck("urban_knowledge")
def rank_asked(intended: Intended) -> str | None:
    """Of four areas one rank is asked for: the first, as published; else any, so that the four do not tell the key."""
    if "rank" not in intended.binds:
        return None
    drawn = choose(RANKS, 0, "rank", str(intended.binds["aois"]))
    asked = FIRST if intended.variant == "published" else drawn
    return None if intended.binds["rank"] == asked else "other_form"
