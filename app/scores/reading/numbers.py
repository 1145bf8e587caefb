"""Numbers in text: digits with separators, exponents and scale words, or spelled-out English words.

`numbers_in` is linear; what cannot be a number of ours (dates, versions, 60 digits and more) is left out.
"""

import math
import re
from itertools import pairwise
from typing import NamedTuple

MAX_LENGTH = 60
MAX_NUMBERS = 200

_NUMBER = re.compile(
    r"""
    (?<!\w) (?<![0-9][.,'])
    (?P<sign>(?<![\w)])-)?
    (?:
        (?P<grouped>[0-9]{1,3}(?:(?P<mark>[,' ])[0-9]{3}(?:(?P=mark)[0-9]{3}){0,6}+)(?:\.[0-9]++)?+)
      | (?P<dotted>[0-9]{1,3}(?:\.[0-9]{3}){2,6}+(?:,[0-9]++)?+)
      | (?P<plain>(?:[0-9]++(?:\.[0-9]++)?+|\.[0-9]++)(?:(?:e|[ ]?x[ ]?10\^?)(?P<exponent>[+-]?[0-9]{1,3}+))?+)
      | (?P<comma>[0-9]++,[0-9]{1,2}+)
    )
    (?![0-9]|[.,'][0-9])
    (?:[ ](?P<scale>thousand|million|billion)\b)?+
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SCALES = {"hundred": 100.0, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SMALL = {word: float(value) for value, word in enumerate(_UNITS)} | {
    word: 10.0 * value for value, word in enumerate(_TENS, start=2)
}
_WORD = re.compile(r"[a-z]++", re.IGNORECASE)
_RANGE = re.compile(r"\s{0,3}(?:-|to|or|\.\.+)\s{0,3}", re.IGNORECASE)


class Number(NamedTuple):
    """A number and where it stands in the text: text[start:end]."""

    value: float
    start: int
    end: int


def numbers_in(text: str) -> list[Number]:
    """The first numbers written with digits in `text` (plain), at most MAX_NUMBERS, in order; all finite."""
    found = []
    for match in _NUMBER.finditer(text):
        number = _value(match)
        if number is not None:
            found.append(Number(number, *match.span()))
            if len(found) == MAX_NUMBERS:
                break
    return found


def _value(match: re.Match[str]) -> float | None:
    if match.end() - match.start() > MAX_LENGTH:
        return None
    if match["grouped"]:
        digits = match["grouped"].replace(match["mark"], "")
    elif match["dotted"]:
        digits = match["dotted"].replace(".", "").replace(",", ".")
    elif match["comma"]:
        digits = match["comma"].replace(",", ".")
    else:
        mantissa = re.split(r"e|[ ]?x", match["plain"], maxsplit=1, flags=re.IGNORECASE)[0]
        digits = f"{mantissa}e{match['exponent']}" if match["exponent"] else mantissa
    value = float(digits) * _SCALES.get((match["scale"] or "").lower(), 1.0)
    if not math.isfinite(value):
        return None
    return -value if match["sign"] else value


def words_in(text: str) -> list[Number]:
    """Numbers spelled out in English ("three hundred and forty-two"), at most MAX_NUMBERS, in order; all finite."""
    found: list[Number] = []
    spelled = _Spelled()
    for match in _WORD.finditer(text):
        word = match[0].lower()
        if spelled.open and not spelled.joins(text, match.start()):
            found.append(spelled.close())
        if word in _SMALL or (spelled.open and word in _SCALES):
            spelled.add(word, *match.span())
        elif spelled.open and word == "and":
            spelled.end = match.end()
        elif spelled.open:
            found.append(spelled.close())
        if len(found) >= MAX_NUMBERS:
            break
    if spelled.open:
        found.append(spelled.close())
    return [number for number in found[:MAX_NUMBERS] if math.isfinite(number.value)]


class _Spelled:
    """A number in words that is being read: what is summed so far, and the part below the last scale word."""

    def __init__(self) -> None:
        self.open = False
        self.total = self.current = 0.0
        self.start = self.end = 0

    def joins(self, text: str, start: int) -> bool:
        """Whether a word at `start` stands right behind the number, parted by a blank or a dash."""
        return start - self.end <= 3 and not text[self.end : start].strip(" -")

    def add(self, word: str, start: int, end: int) -> None:
        if not self.open:
            self.open, self.start, self.total, self.current = True, start, 0.0, 0.0
        if word == "hundred":
            self.current = max(self.current, 1.0) * 100
        elif word in _SCALES:
            self.total, self.current = self.total + max(self.current, 1.0) * _SCALES[word], 0.0
        else:
            self.current += _SMALL[word]
        self.end = end

    def close(self) -> Number:
        self.open = False
        return Number(self.total + self.current, self.start, self.end)


def is_range(text: str, numbers: list[Number]) -> bool:
    """Whether two neighbours of `numbers` that differ stand as "3-5", "3 to 5", "3 or 5"."""
    return any(
        first.value != second.value
        and second.start - first.end <= 12
        and _RANGE.fullmatch(text, first.end, second.start) is not None
        for first, second in pairwise(numbers)
    )
