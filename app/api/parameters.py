"""Parameters that routes share: words that PostgreSQL can hold, limits, cursors."""

from typing import Annotated

from fastapi import Path, Query
from pydantic import AfterValidator, Field


def printable(word: str) -> str:
    """`word`, where it has nothing in it that cannot be shown: no NUL, no control sign, no half of a pair."""
    if not word.isprintable():
        raise ValueError("must be printable")
    return word


Word = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(printable)]
"""A name of ours."""
Dataset = Annotated[
    Word, Path(description="name (its newest version) or name@version", examples=["demo_gsqa@1"])
]
Cursor = Annotated[str | None, Query(max_length=500, description="as `next` of the page before gives it")]
Limit = Annotated[int, Query(ge=1, le=1000, description="rows of a page")]
RunId = Annotated[int, Path(ge=1, le=2**62, description="the run's number", examples=[7])]
