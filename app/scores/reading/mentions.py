"""Where a text mentions some of the names that its question gives, in the order of the text."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from app.scores.reading.cleaning import loose_key_of

_ANSWER = re.compile(r"<\s?answer\s?>(?P<said>(?:(?!<\s?/?\s?answer\s?>).)*)", re.IGNORECASE | re.DOTALL)

_TAKEN = "\x00"
"""Stands for letters that are part of a mention; no key has it."""


class Mention(NamedTuple):
    """A mention of the name at `place` in the names, from `start` on in the text's key."""

    start: int
    place: int


def answer_section(reply: str) -> str:
    """What the last <answer> of a reply holds, closed or not; all of a reply that has none."""
    sections = [match["said"] for match in _ANSWER.finditer(reply) if match["said"].strip()]
    return sections[-1] if sections else reply


def mentions_in(text: str, names: Sequence[str]) -> list[Mention]:
    """The mentions of names in a text. Longer names count first: no name is found within the mention of another.

    Case, punctuation and accents that Unicode's NFKC does away with do not matter.
    """
    searched = f" {loose_key_of(text)} "
    found: list[Mention] = []
    keys = [f" {loose_key_of(name)} " for name in names]
    for place in sorted(range(len(names)), key=lambda one: -len(keys[one])):
        start = searched.find(keys[place])
        while start >= 0:
            found.append(Mention(start, place))
            end = start + len(keys[place])
            searched = f"{searched[: start + 1]}{_TAKEN * (end - start - 2)}{searched[end - 1 :]}"
            start = searched.find(keys[place], end - 1)
    return sorted(found)
