"""Names that somebody else gives: short, and of signs that can be shown."""

from typing import Annotated

from pydantic import AfterValidator, Field


def printable(word: str) -> str:
    """`word`, where it has nothing in it that cannot be shown: no NUL, no control sign, no half of a pair."""
    if not word.isprintable():
        raise ValueError("must be printable")
    return word


Word = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(printable)]
"""A name of ours."""
