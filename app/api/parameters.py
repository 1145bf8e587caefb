"""Parameters that routes share: words that PostgreSQL can hold, limits, cursors."""

import re
from typing import Annotated

from fastapi import Path, Query

from app.core import words
from app.core.errors import UsageError
from app.leaderboard.board import ProfileName

Word = words.Word
"""A name of ours."""
Dataset = Annotated[
    Word, Path(description="name (its newest version) or name@version", examples=["demo_gsqa@1"])
]
Cursor = Annotated[str | None, Query(max_length=500, description="the value of `next` on the page before")]
Limit = Annotated[int, Query(ge=1, le=1000, description="the number of rows on a page")]
Rules = Annotated[
    ProfileName,
    Query(
        description="the rules that score the answers: Trigpoint's own, `published` for those of the benchmark's paper,"
        " or those of a judge"
    ),
]
RunId = Annotated[int, Path(ge=1, le=2**62, description="the run's number", examples=[7])]
SessionId = Annotated[Word, Path(description="the session", examples=["0b1f4a5c2d3e4f60718293a4b5c6d7e8"])]
QuestionId = Annotated[
    Word, Path(description="the question's id", examples=["0ea0ce6bf4737ceb6a3f65fbdb5be37e"])
]
_RUNS = re.compile(r"[1-9][0-9]{0,17}(,[1-9][0-9]{0,17})*", re.ASCII)


def run_numbers(given: str) -> list[int]:
    """The numbers of runs in a parameter such as 7,9. Raises UsageError for anything else."""
    if not _RUNS.fullmatch(given):
        raise UsageError("runs must be numbers with commas between, such as 7,9.")
    return [int(one) for one in given.split(",")]
