"""Names that mappers wrote where there is no name: marks, dates of closing, lists. Pure."""

import re

_ODD = re.compile(r"[;→|]|\d+[./]\d+[./]\d+|\bclosed\b", re.IGNORECASE)
FEWEST_LETTERS = 2


def is_odd_name(name: str) -> bool:
    """Whether a name has fewer than two letters, is a list, holds a date, or says that a place is closed."""
    return sum(map(str.isalpha, name)) < FEWEST_LETTERS or _ODD.search(name) is not None
