"""Which lines of a way (PR) a place in a response is about: by the names, numbers and letters of points before it.

A line is a leg, the way as a whole, or that from its end to a candidate.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.benchmarks.urban_reasoning.steps.places_named import PlaceNames

_ARROW = r" ?(?:→|->|-|to|and) ?"
_NUMBERED = re.compile(rf"(?<![\w.,])\(?P?_?(\d)\)?{_ARROW}\(?P?_?(\d)\)?(?![\w]|[.,]\d)")
_LEG = re.compile(r"\b(?:leg|segment|step) ?(?:no\.? ?)?#?(\d)\b", re.IGNORECASE)
_LAST = re.compile(
    r"\b(?:last|final|latest|most recent) (?:leg|segment|heading|direction|bearing|step|move)", re.IGNORECASE
)
_WHOLE = re.compile(
    r"\boverall\b|\b(?:whole|entire) (?:way|path|trajectory|route|trip|journey)|\bas a whole\b|\bin total\b"
    r"|\bstart ?(?:→|->|to) ?(?:the )?end\b|\b(?:first|very first) (?:point )?to (?:the )?last\b"
    r"|\bfirst point to\b|\bstart to (?:end|finish)\b|\bnet\b",
    re.IGNORECASE,
)
_CANDIDATE = re.compile(r"\b(?:candidate|option|c) ?#?_?(?:([A-J])|(\d))(?![\w.])", re.IGNORECASE)
_BETWEEN = re.compile(r"[^\w]*(?:(?:to|and|towards|until|on to|then)[^\w]*)?")
_PAIR = re.compile(r"\([^()\n]{0,60}\)|\d+\.\d+°?")
_END = re.compile(r"[.;] |\n")
LONGEST_SENTENCE = 260
NEAR = 70


class Reference(NamedTuple):
    """A place in a text that speaks of lines. Soft ones stand in sentences about other lines, too."""

    start: int
    end: int
    lines: frozenset[str]
    is_soft: bool = False


class Mentions:
    """The lines that a text speaks of. Points are numbered from 0; `points` of them are those of the way."""

    def __init__(self, names: PlaceNames, points: int, candidates: int, text: str) -> None:
        self.points, self.candidates, self.text = points, candidates, text
        mentions = names.mentions(text)
        self.blank = _without(text, [(one.start, one.end) for one in mentions])
        places = [(one.start, one.end, one.place) for one in mentions]
        found = [*self._of_places(places), *self._of_numbers(), *self._of_words()]
        self.references = sorted(found, key=lambda one: one.start)

    def _of_places(self, places: Sequence[tuple[int, int, int]]) -> Iterator[Reference]:
        for number, (start, end, place) in enumerate(places):
            before = places[number - 1] if number else None
            lines = self._between(before[2], place) if before and self._are_joined(before[1], start) else None
            yield Reference(start, end, lines or self._at(place))

    def _are_joined(self, start: int, end: int) -> bool:
        if end - start > NEAR:
            return False
        gap = _PAIR.sub("", self.text[start:end])
        return _BETWEEN.fullmatch(gap.replace("|", " ")) is not None and "\n" not in gap

    def _between(self, one: int, other: int) -> frozenset[str] | None:
        last = self.points - 1
        if one == last and other > last:
            return frozenset({f"c{other - self.points}"})
        if max(one, other) > last:
            return None
        if other == one + 1:
            return frozenset({f"leg{other}"})
        return frozenset({"overall"}) if (one, other) == (0, last) else None

    def _at(self, place: int) -> frozenset[str]:
        if place >= self.points:
            return frozenset({f"c{place - self.points}"})
        legs = {f"leg{number}" for number in (place, place + 1) if 0 < number < self.points}
        return frozenset(legs | ({"overall"} if place in (0, self.points - 1) else set()))

    def _of_numbers(self) -> Iterator[Reference]:
        pairs = [(found, int(found[1]), int(found[2])) for found in _NUMBERED.finditer(self.blank)]
        pairs = [one for one in pairs if one[2] == one[1] + 1 or one[2] - one[1] >= self.points - 1]
        numbers = {number for _, one, other in pairs for number in (one, other)}
        bases = [0] if 0 in numbers else [1] if self.points in numbers else [0, 1]
        for found, one, other in pairs:
            lines = [self._between(one - base, other - base) or frozenset() for base in bases]
            if any(lines):
                yield Reference(*found.span(), frozenset().union(*lines))

    def _of_words(self) -> Iterator[Reference]:
        last = f"leg{self.points - 1}"
        for found in _LEG.finditer(self.blank):
            if 0 < int(found[1]) < self.points:
                yield Reference(*found.span(), frozenset({f"leg{found[1]}"}))
        for found in _CANDIDATE.finditer(self.blank):
            yield from self._of_candidate(found)
        for pattern, line in ((_LAST, last), (_WHOLE, "overall")):
            for found in pattern.finditer(self.blank):
                yield Reference(*found.span(), frozenset({line}), is_soft=True)

    def _of_candidate(self, found: re.Match[str]) -> Iterator[Reference]:
        number = "ABCDEFGHIJ".index(found[1].upper()) if found[1] else int(found[2]) - 1
        if 0 <= number < self.candidates:
            yield Reference(*found.span(), frozenset({f"c{number}"}))

    def at(self, start: int, end: int) -> frozenset[str]:
        """The lines that a number may be about; empty where nothing tells."""
        row = self.text.rfind("\n", 0, start) + 1
        if self.text[row : row + 1] == "|":
            stop = self.text.find("\n", start)
            told = [
                one for one in self.references if row <= one.start < (stop if stop > 0 else len(self.text))
            ]
            hard = [one.lines for one in told if not one.is_soft]
            return _narrowest(hard) or frozenset().union(*(one.lines for one in told))
        return self._in_prose(start, end)

    def _in_prose(self, start: int, end: int) -> frozenset[str]:
        before = [one for one in self.references if one.end <= start]
        hard = next((one for one in reversed(before) if not one.is_soft), None)
        found = set(hard.lines) if hard else set()
        if hard and found == {f"leg{self.points - 1}", "overall"}:
            earlier = next(
                (one for one in reversed(before) if not one.is_soft and one.start < hard.start), None
            )
            found |= earlier.lines if earlier else frozenset()
        for one in before[-3:]:
            if one.is_soft and (start - one.end < LONGEST_SENTENCE and (not hard or one.start > hard.start)):
                found |= one.lines
        stop = _END.search(self.blank, end)
        limit = min(stop.start() if stop else len(self.text), end + LONGEST_SENTENCE)
        behind = [one for one in self.references if end <= one.start < limit][:2]
        return frozenset(found.union(*(one.lines for one in behind)))


def _narrowest(told: Sequence[frozenset[str]]) -> frozenset[str]:
    """The lines of a row of a table: those of the reference that leaves least open, of candidates before legs."""
    candidates = [one for one in told if any(line.startswith("c") for line in one)]
    return min(candidates or told, key=len, default=frozenset())


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    pieces, last = [], 0
    for start, end in spans:
        pieces += [text[last:start], "@" * (end - start)]
        last = end
    return "".join([*pieces, text[last:]])
