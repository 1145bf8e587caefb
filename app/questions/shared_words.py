"""Words that an option shares with its question: by them alone somebody may guess who does not know the map.

Case, accents, width and a plural's s do not count, nor do words of one or two letters. A word of four letters or more
is also shared where a longer word holds it: Löwen and Löwenstrasse, hotel and Parkhotel.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from app.core.names import bare_form

SHORT = 2
"""Words of so many letters say nothing of their own: a, of, la."""
HELD = 4
"""The fewest letters of a word that counts as shared where a longer word holds it."""
_WORD = re.compile(r"\w+")


def words_of(text: str, longer_than: int = 0) -> frozenset[str]:
    """The words of more letters than told, in their bare form, a plural's s taken off."""
    words = _WORD.findall(bare_form(text))
    return frozenset(word.removesuffix("s") for word in words if len(word) > longer_than)


@lru_cache(maxsize=65_536)
def telling_words(text: str) -> frozenset[str]:
    """The words of a text that may be shared."""
    return words_of(text, SHORT)


def shared_words(option: str, said: frozenset[str]) -> frozenset[str]:
    """Those of the words `said` that an option shares."""
    mine = telling_words(option)
    return frozenset(word for word in said if any(_is_shared(word, other) for other in mine))


def share_alike(options: Iterable[str], said: frozenset[str]) -> bool:
    """Whether all options share the same ones of the words `said`, so that none stands out by them."""
    return len({shared_words(one, said) for one in options}) <= 1


def _is_shared(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return one == other or (len(shorter) >= HELD and shorter in longer)
