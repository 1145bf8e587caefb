"""What a query may mean: where the name ends and the surroundings begin, and which part is a house number.

Pure functions of the text. "Adler, Vaduz" may be a place of that whole name, or Adler in Vaduz.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from app.core.names import search_form

MOST_PARTS = 6
"""Parts between commas that are told apart; what follows counts as one."""
_NUMBER = r"[0-9]{1,5}(?:\s?1/[234]|\s?[a-z])?(?:[-/–][0-9]{1,5}[a-z]?)*"
_NUMBER_LAST = re.compile(
    rf"(?P<street>.*[^\W\d_].*?)[\s,]+(?P<number>{_NUMBER}|[0-9]\S{{0,9}})", re.IGNORECASE
)
_NUMBER_FIRST = re.compile(
    rf"(?P<number>{_NUMBER}|[0-9]\S{{0,9}})[\s,]+(?P<street>.*[^\W\d_].*)", re.IGNORECASE
)
_WORD = re.compile(r"\w+")


class Reading(NamedTuple):
    """A way to read a query: a name and its form, and the forms of what surrounds the place."""

    head: str
    form: str
    surroundings: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        """Whether the form may hold surroundings, as after a comma."""
        return "," in self.form


class Door(NamedTuple):
    """A reading of a query as an address; the number is written small and without blanks."""

    street: str
    number: str
    surroundings: tuple[str, ...]


def read_names(query: str) -> list[Reading]:
    """The readings of a query, the whole text first."""
    parts = _parts(query)
    heads = [(", ".join(parts[:end]), parts[end:]) for end in range(len(parts), 0, -1)]
    return [Reading(head, search_form(head), tuple(map(search_form, rest))) for head, rest in heads]


def read_doors(query: str) -> list[Door]:
    """The readings of a query as a street with a house number, before or behind it."""
    parts = _parts(query)
    found: dict[Door, None] = {}
    for end in range(1, len(parts) + 1):
        head, rest = ", ".join(parts[:end]), tuple(map(search_form, parts[end:]))
        for pattern in (_NUMBER_LAST, _NUMBER_FIRST):
            if match := pattern.fullmatch(head):
                number = re.sub(r"\s", "", match["number"]).lower()
                found[Door(search_form(match["street"].strip(" ,")), number, rest)] = None
    return list(found)


def share_named(surroundings: tuple[str, ...], said: str) -> float:
    """How much of the surroundings that a query names are said of a place: 1 where all are, or none is named."""
    if not surroundings:
        return 1.0
    there = search_form(said)
    return sum(_share(wanted, there) for wanted in surroundings) / len(surroundings)


def _share(wanted: str, there: str) -> float:
    words, said = _WORD.findall(wanted), set(_WORD.findall(there))
    if said.issuperset(words):
        return 1.0
    trigrams = {gram for word in said for gram in _trigrams(word)}
    scores = [len(grams & trigrams) / len(grams) for word in words if (grams := set(_trigrams(word)))]
    return 0.9 * sum(scores) / len(scores) if scores else 0.0


def _trigrams(word: str) -> Iterator[str]:
    padded = f"  {word} "
    return (padded[start : start + 3] for start in range(len(padded) - 2))


def _parts(query: str) -> list[str]:
    parts = [part.strip() for part in query.split(",") if part.strip()]
    return (
        parts if len(parts) <= MOST_PARTS else [*parts[: MOST_PARTS - 1], ", ".join(parts[MOST_PARTS - 1 :])]
    )
