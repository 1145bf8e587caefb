"""Where a response mentions the places of its question: by name, a part of a name, or a letter that it gives them."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

LEAST_PART = 4
"""Letters that a part of a name has at least that stands for the place."""
_LETTER = r"[A-Z](?:[1-9])?|P ?_?\d"


class Mention(NamedTuple):
    """A mention: text[start:end] stands for the place of that number."""

    start: int
    end: int
    place: int


class PlaceNames:
    """The names of a question's places, as a response writes them."""

    def __init__(self, names: Sequence[str], text: str) -> None:
        self.names = list(names)
        self.letters = _letters(names, text)
        self.are_letters_default = not self.letters
        if self.are_letters_default:
            self.letters = {"ABCDEFGHIJ"[place]: place for place in range(min(len(names), 10))}

    @cached_property
    def _forms(self) -> Mapping[str, int]:
        forms = {name.lower(): place for place, name in enumerate(self.names)}
        parts: dict[str, set[int]] = {}
        for place, name in enumerate(self.names):
            words = name.lower().split()
            for part in {*words, " ".join(words[:2]), " ".join(words[-2:])}:
                if len(part) >= LEAST_PART and part != "the":
                    parts.setdefault(part, set()).add(place)
        for part, places in parts.items():
            if len(places) == 1 and part not in _COMMON:
                forms.setdefault(part, next(iter(places)))
        return forms

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        forms = "|".join(re.escape(form) for form in sorted(self._forms, key=len, reverse=True))
        letters = (
            "|".join(re.escape(letter) for letter in sorted(self.letters, key=len, reverse=True)) or r"\b\B"
        )
        return re.compile(
            rf"(?<![\w'])(?:(?P<name>(?i:{forms}))(?!\w)|(?P<letter>{letters})(?![\w']|[ ]?=[ ]?-?\d))"
        )

    def mentions(self, text: str) -> list[Mention]:
        """The mentions in a text, in its order."""
        found = []
        for match in self._pattern.finditer(text):
            if match["name"]:
                found.append(Mention(*match.span(), self._forms[match["name"].lower()]))
            elif match["letter"] != "A" or not re.match(r" [a-z]", text[match.end() : match.end() + 2]):
                found.append(Mention(*match.span(), self.letters[match["letter"]]))
        return found

    def without(self, text: str) -> str:
        """The text without its mentions."""
        return self._pattern.sub(" ", text)


_COMMON = frozenset(
    "place point street road park bridge station house north south east west leg start from city great"
    " route path".split()
)


def _letters(names: Sequence[str], text: str) -> dict[str, int]:
    """The letters that a text gives to the places: "A = Old Mill", "Old Mill (A)", "A: Old Mill"."""
    votes: dict[str, dict[int, int]] = {}
    for place, name in enumerate(names):
        written = re.escape(name)
        for match in re.finditer(
            rf"(?<!\w)(?P<before>{_LETTER})\s{{0,2}}(?:[=:.)-]|is|for|→|\|)\s{{0,2}}(?:the )?{written}(?!\w)"
            rf"|(?<!\w){written}\s{{0,2}}(?:\(|=|as|:)\s{{0,2}}(?:point |called )?(?P<behind>{_LETTER})(?![\w.])",
            text[:20_000],
        ):
            letter = (match["before"] or match["behind"]).replace(" ", "")
            if letter not in ("N", "E", "S", "W") or match["before"]:
                votes.setdefault(letter, {}).setdefault(place, 0)
                votes[letter][place] += 1
    found = {letter: max(places, key=lambda place: places[place]) for letter, places in votes.items()}
    return found if len(set(found.values())) >= min(2, len(names)) else {}
