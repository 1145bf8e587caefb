"""The switch of pages with scores: by Trigpoint's rules, or by those of the benchmark's paper."""

from typing import Annotated, Literal

from fastapi import Query

from app.leaderboard.formatting import PROFILES
from app.scores.paper_rules import find_rules

PageRules = Annotated[Literal["trigpoint", "published"], Query()]


def profiles_of_pages(benchmark: str) -> dict[str, str]:
    """The profiles between which a page switches, and what each is called; none where the paper has no own rules."""
    return dict(PROFILES) if find_rules(benchmark) is not None else {}
