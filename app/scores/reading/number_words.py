"""Numbers spelled out in words, in a dozen languages, and Chinese, Japanese and Korean numerals. Linear in the text.

A word counts only whole; where a part of a number is of no language here, the number is left unread by its reader,
since a unit or the end has to follow. Articles ("a kilometre", "un") are marked as such.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from app.scores.reading.number_word_tables import (
    ARTICLES,
    COMPOUND,
    HALVES,
    JOINING,
    MULTIPLES,
    NUMERALS,
    POINTS,
    VALUES,
)
from app.scores.reading.numbers import MAX_NUMBERS, Number, Unread, figures_in

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_SIGNS = f"[{''.join(NUMERALS)}]{{1,20}}"
_NUMERALS = re.compile(
    rf"(?P<whole>{_SIGNS})(?>(?:分之(?P<above>{_SIGNS})|[点點](?P<decimals>{_SIGNS})|(?P<half>半))?)|半"
)
_QUATRE_VINGT = re.compile(r"quatre[- ]vingt", re.IGNORECASE)
_PIECES = {
    name: re.compile(rf"(?:{'|'.join(sorted(words, key=len, reverse=True))})")
    for name, words in COMPOUND.items()
}
_WHOLES = {name: re.compile(rf"(?:{pieces.pattern}){{2,8}}") for name, pieces in _PIECES.items()}
_VAGUE = re.compile(
    r"(?:few|couple(?: of)?|several|some|many|einige|mehrere|paar|quelques|plusieurs"
    r"|varios|algunos|unos|alcuni|alcune|alguns"
    r"|enkele|några|kilka|несколько|[几幾数數])\s{0,2}\Z",
    re.IGNORECASE,
)
_BARE_MULTIPLE = re.compile(r"(?:hundred|thousand|million|billion|dozen)\b", re.IGNORECASE)
_TOGETHER = re.compile(r"[ -]{0,3}|[ -]{0,2}(?:and|und|et|y|e|i|и|och|en)[ -]{0,2}", re.IGNORECASE)
_LONGEST_WORD = 60


class _Part(NamedTuple):
    """A word of a number: what it adds, or multiplies what stands before it by."""

    value: float
    multiplies: bool


def all_in(text: str) -> tuple[list[Number | Unread], list[Number | Unread]]:
    """What is written with digits, and what is spelled out beside it: a scale word behind digits is part of these."""
    figures = figures_in(text)
    taken = {place for one in figures for place in range(one.start, one.end)}
    return figures, [one for one in spelled_in(text) if one.start not in taken]


def words_in(text: str) -> list[Number]:
    """The first numbers spelled out in `text` (plain), at most MAX_NUMBERS, in order; all finite."""
    return [one for one in spelled_in(text) if isinstance(one, Number)]


def spelled_in(text: str) -> list[Number | Unread]:
    """As `words_in`, with words for numbers that stand together and are no number of ours: "five six"."""
    spelled = list(_spelled(_QUATRE_VINGT.sub("quatrexvingt", text)))
    found: list[Number | Unread] = []
    for number in sorted([*spelled, *_numerals(text)], key=lambda one: one.start)[:MAX_NUMBERS]:
        before = found[-1] if found else None
        if before and number.start - before.end <= 7 and _TOGETHER.fullmatch(text, before.end, number.start):
            is_article = isinstance(before, Number) and before.is_article
            found[-1] = number if is_article else Unread(before.start, number.end)
        elif _is_torn(text, number) or _is_vague(text, number):
            found.append(Unread(number.start, number.end))
        else:
            found.append(number)
    return found


def _is_torn(text: str, number: Number) -> bool:
    """Whether a dash ties it to a word that is no part of the number, as in Catalan "dos-cents"; a unit may be tied."""
    return (
        text[number.start - 1 : number.start] == "-" and text[number.start - 2 : number.start - 1].isalpha()
    )


def _is_vague(text: str, number: Number) -> bool:
    """Whether it is a few hundred, or a bare "hundred": how many is not said."""
    before = text[max(0, number.start - 20) : number.start]
    return bool(
        _VAGUE.search(before)
        or (_BARE_MULTIPLE.match(text, number.start, number.end) and number.value >= 100)
    )


def _spelled(text: str) -> Iterator[Number]:
    spelled = _Spelled()
    for match in _WORD.finditer(text):
        word = match[0].lower()
        if spelled.is_open and not spelled.reaches(text, match.start()):
            yield from spelled.close()
        parts = _parts_of(word)
        one = [_Part(1.0, False)]
        if (
            not parts
            and word in ARTICLES
            and (not spelled.is_open or (word not in JOINING and spelled.takes(one)))
        ):
            parts = one
        if parts:
            if not spelled.takes(parts):
                yield from spelled.close()
            spelled.add(parts, *match.span(), is_article=word in ARTICLES)
        elif spelled.is_open and word in POINTS and not spelled.decimals:
            spelled.decimals, spelled.reach = ".", match.end()
        elif spelled.is_open and (word in JOINING or word in ARTICLES):
            spelled.reach = match.end()
        else:
            yield from spelled.close()
    yield from spelled.close()


def _parts_of(word: str) -> list[_Part]:
    if word in VALUES:
        return [_Part(VALUES[word], False)]
    if word in HALVES:
        return [_Part(HALVES[word], False)]
    if word in MULTIPLES:
        return [_Part(MULTIPLES[word], True)]
    if len(word) > _LONGEST_WORD:
        return []
    for name, whole in _WHOLES.items():
        if whole.fullmatch(word):
            pieces = [COMPOUND[name][piece] for piece in _PIECES[name].findall(word)]
            return [_Part(value, value in (100.0, 1000.0)) for value in pieces if value]
    return []


class _Spelled:
    """A number in words that is being read: the sum of its thousands, and the part below them."""

    def __init__(self) -> None:
        self.is_open = self.is_article = False
        self.total = self.current = self.smallest = 0.0
        self.start = self.end = self.reach = 0
        self.decimals = ""

    def reaches(self, text: str, start: int) -> bool:
        """Whether a word at `start` stands right behind the number, parted by a blank or a dash."""
        return start - self.reach <= 3 and not text[self.reach : start].strip(" -")

    def takes(self, parts: list[_Part]) -> bool:
        """Whether the number goes on with these: what is added is smaller than what was added last."""
        first = parts[0]
        if not self.is_open:
            return True
        if self.decimals:
            return first.value < 100.0 and len(self.decimals) < 10
        if first.multiplies or first.value < 1.0 or self.smallest >= 100.0:
            return True
        if self.smallest == 10.0:
            return 7.0 <= first.value <= 9.0
        if self.smallest >= 20.0:
            return first.value < (20.0 if self.smallest in (60.0, 80.0) else 10.0)
        return first.value >= 20.0 and self.reach > self.end and self.smallest < 10.0

    def add(self, parts: list[_Part], start: int, end: int, is_article: bool = False) -> None:
        """Go on with these parts, or begin with them."""
        joined = self.reach > self.end
        if not self.is_open:
            self.is_open, self.start, self.is_article = True, start, is_article
            self.total = self.current = 0.0
            self.decimals, joined = "", True
        else:
            self.is_article = False
        for part in parts:
            self._take(part, joined)
        self.end = self.reach = end

    def _take(self, part: _Part, joined: bool) -> None:
        if self.decimals:
            self.decimals += str(int(part.value))
        elif part.multiplies and part.value >= 1000.0:
            self.total, self.current = self.total + (self.current or 1.0) * part.value, 0.0
        elif part.multiplies or (part.value < 1.0 and not joined):
            self.current = (self.current or 1.0) * part.value
        else:
            self.current += part.value
        self.smallest = part.value

    def close(self) -> Iterator[Number]:
        """The number that ends here, if one was begun."""
        if self.is_open:
            self.is_open = False
            decimals = float(f"0{self.decimals}0") if self.decimals else 0.0
            yield Number(self.total + self.current + decimals, self.start, self.end, self.is_article)


def _numerals(text: str) -> Iterator[Number]:
    """Numbers in Chinese and Japanese numerals."""
    if text.isascii():
        return
    for match in _NUMERALS.finditer(text):
        value = _of_match(match)
        if value is not None and not text[max(0, match.start() - 2) : match.start()].strip()[-1:].isdecimal():
            yield Number(value, *match.span())


def _of_match(match: re.Match[str]) -> float | None:
    if not match["whole"]:
        return 0.5
    value = _of_numerals(match["whole"])
    if value is None or not (match["above"] or match["decimals"]):
        return value + 0.5 if value is not None and match["half"] else value
    more = _of_numerals(match["above"] or match["decimals"])
    if more is None or match["above"]:
        return more / value if more is not None and value else None
    return float(f"{int(value)}.{''.join(str(int(NUMERALS[sign])) for sign in match['decimals'])}")


def _of_numerals(signs: str) -> float | None:
    values = [NUMERALS[sign] for sign in signs]
    if len(values) > 1 and all(value < 10 for value in values):
        if len(values) == 2 and values[0] and values[1]:
            return None  # "five or six"
        return float("".join(str(int(value)) for value in values))
    total = section = digit = 0.0
    for value in values:
        if value < 10:
            digit = value
        elif value < 10_000:
            section, digit = section + (digit or 1.0) * value, 0.0
        else:
            total, section, digit = total + (section + digit or 1.0) * value, 0.0, 0.0
    return total + section + digit
