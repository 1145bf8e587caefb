"""Numbers in text, written with digits: separators, exponents, fractions and scale words.

A number is read as a whole or not at all: what stands together and is not a number of ours (1.2.3, 12:30, a date, 60
digits and more) has no value, and no piece of it is read as one. Linear in the text's length.
"""

import math
import re
from itertools import pairwise
from typing import NamedTuple

MAX_LENGTH = 60
MAX_NUMBERS = 200

_UNSPACED = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Scripts whose letters stand beside a number without a blank: Thai, Japanese, Chinese, Korean."""
_FIGURE = re.compile(
    rf"""
    (?<![^\W{_UNSPACED}]) (?<![0-9][.,'])
    (?P<sign>(?<![\w)])-)?
    (?:
        (?: (?P<whole>[0-9]{{1,4}}) (?: [ ] | - | [ ]and[ ] ) )?
        (?P<above>[0-9]{{1,3}}) [ ]?/[ ]? (?P<below>[0-9]{{1,3}}) (?![0-9/]|[.,][0-9])
      | (?P<body> \.?+ [0-9] (?>(?: [0-9] | [.,'~·:/](?=[0-9]) | _{{1,2}}(?=[0-9]) | [ ](?=[0-9]{{3}}(?![0-9])) )*) )
        (?>(?:
            (?: e(?=[+-]?[0-9]) | [ ]?[x*]?[ ]?10(?:\^|\*\*)(?=[+-]?[0-9]) )
            (?P<exponent>[+-]?[0-9]{{1,3}}+) (?![0-9])
        )?)
    )
    (?>(?P<scale>
        [ ](?:hundred|thousand|million|billion|tausend|hundert|millionen|mille|cent|millions|mil|millones|mila
            |milioni|milhões|tys\.?|тыс\.?|тысяч[аи]?|миллион(?:а|ов)?|млн)\b
      | [ ]?(?:百|千(?!米)|万|萬|億|亿|만|억|천(?=\s?(?:미터|명|개)))
    )?)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SCALES = {
    "hundred": 100.0, "hundert": 100.0, "cent": 100.0, "thousand": 1e3, "tausend": 1e3, "mille": 1e3, "mil": 1e3,
    "mila": 1e3, "million": 1e6, "millions": 1e6, "billion": 1e9, "百": 100.0, "千": 1e3, "천": 1e3, "万": 1e4, "萬":
    1e4, "만": 1e4, "億": 1e8, "亿": 1e8, "억": 1e8, "millionen": 1e6, "millones": 1e6, "milioni": 1e6, "milhões": 1e6,
    "тыс": 1e3, "тыс.": 1e3, "tys": 1e3, "tys.": 1e3, "тысяча": 1e3, "тысячи": 1e3, "тысяч": 1e3, "млн": 1e6,
    "миллион": 1e6, "миллиона": 1e6, "миллионов": 1e6,
}  # fmt: skip
_GROUPED = re.compile(
    r"(?!0)[0-9]{1,3}(?P<mark>[,' _~])[0-9]{3}(?>(?:(?P=mark)[0-9]{3})*)(?>(?P<rest>[.,][0-9]++)?)"
)
_INDIAN = re.compile(r"(?!0)[0-9]{1,2}(?:,[0-9]{2}){1,6},[0-9]{3}(?>(?:\.[0-9]++)?)")
_DOTTED = re.compile(r"(?!0)[0-9]{1,3}(?:(?>(?:\.[0-9]{3}){2,})(?>(?:,[0-9]++)?)|\.[0-9]{3},[0-9]++)")
_PLAIN = re.compile(r"(?![0-9]{1,3}\.000\Z)(?:[0-9]++(?>(?:\.[0-9]++)?)|\.[0-9]++)")
_COMMA = re.compile(r"0,[0-9]++|[0-9]++,(?:[0-9]{1,2}|[0-9]{4,}+)|[0-9]{4,},[0-9]++")
_PARTS = frozenset({2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 50, 100})
"""What a fraction may have below its line: 24/7 and 5/7 are none of ours."""
_FAR_APART = 20
"""100~200 is a range; 1~081 is one number, and so is 12~345: nobody gives a range so wide."""
_RANGE = re.compile(
    r"\s{0,3}(?:-|~|…|to|or|and|\.\.+|up to|bis|oder|und|à|ou|a|o|y|e|et|al|do|t/m"
    r"|tot|till?|до|или|至|到|から|에서|または|或)"
    r"\s{0,3}",
    re.IGNORECASE,
)
_AND = re.compile(r"and|und|y|et|e|i|и|och|en", re.IGNORECASE)
_BETWEEN = re.compile(
    r"(?:between|zwischen|entre|tra|fra|między|mellan|tussen|между)\s{1,3}(?:\w{1,12}\s{1,3}){0,2}\Z",
    re.IGNORECASE,
)


class Number(NamedTuple):
    """A number and where it stands in the text: text[start:end]; `is_article` where it may be a mere article."""

    value: float
    start: int
    end: int
    is_article: bool = False


class Unread(NamedTuple):
    """Digits that stand together and are no number of ours."""

    start: int
    end: int


def numbers_in(text: str) -> list[Number]:
    """The first numbers written with digits in `text` (plain), at most MAX_NUMBERS, in order; all finite."""
    return [one for one in figures_in(text) if isinstance(one, Number)]


def figures_in(text: str) -> list[Number | Unread]:
    """As `numbers_in`, with what is written with digits and has no value for us."""
    found: list[Number | Unread] = []
    for match in _FIGURE.finditer(text):
        found.append(_figure(match))
        if len(found) >= MAX_NUMBERS:
            break
    return _without_parted(text, found[:MAX_NUMBERS])


def _without_parted(text: str, found: list[Number | Unread]) -> list[Number | Unread]:
    """Numbers with nothing but blanks between them are none of ours: "2 4 5 0"."""
    kept: list[Number | Unread] = []
    for one in found:
        if kept and one.start - kept[-1].end <= 3 and not text[kept[-1].end : one.start].strip():
            kept[-1] = Unread(kept[-1].start, one.end)
        else:
            kept.append(one)
    return kept


def _figure(match: re.Match[str]) -> Number | Unread:
    value = _value(match)
    if value is None or not math.isfinite(value):
        return Unread(*match.span())
    return Number(-value if match["sign"] else value, *match.span())


def _value(match: re.Match[str]) -> float | None:
    if match.end() - match.start() > MAX_LENGTH:
        return None
    scale = _SCALES.get((match["scale"] or "").strip().lower(), 1.0)
    if match["below"]:
        below = int(match["below"])
        return (int(match["whole"] or 0) + int(match["above"]) / below) * scale if below in _PARTS else None
    digits = _digits(match["body"])
    if digits is None:
        return None
    return float(f"{digits}e{match['exponent']}" if match["exponent"] else digits) * scale


def _digits(body: str) -> str | None:
    """The number as Python writes it, None where it is none."""
    if _PLAIN.fullmatch(body):
        return body
    if _COMMA.fullmatch(body):
        return body.replace(",", ".")
    if grouped := _GROUPED.fullmatch(body):
        mark, rest = grouped["mark"], grouped["rest"] or ""
        if (mark == "," and rest.startswith(",")) or (mark == "~" and _is_tilde_range(body)):
            return None
        return body[: len(body) - len(rest)].replace(mark, "") + rest.replace(",", ".")
    if _INDIAN.fullmatch(body):
        return body.replace(",", "")
    if _DOTTED.fullmatch(body):
        return body.replace(".", "").replace(",", ".")
    return None


def _is_tilde_range(body: str) -> bool:
    first, _, second = body.partition("~")
    return (
        "~" not in second
        and not second.startswith("0")
        and float(second.split(".")[0]) < _FAR_APART * float(first)
    )


def is_range(text: str, numbers: list[Number]) -> bool:
    """Whether two neighbours of `numbers` that differ stand as "3-5", "3 to 5", "between 3 and 5"."""
    return any(
        first.value != second.value
        and second.start - first.end <= 24
        and is_range_between(text, first, second)
        for first, second in pairwise(numbers)
    )


def is_range_between(text: str, first: Number, second: Number, end_of_first: int | None = None) -> bool:
    """Whether what stands between the two, behind the first one's unit, makes them a range."""
    between = text[first.end if end_of_first is None else end_of_first : second.start]
    if len(between) > 24 or not _RANGE.fullmatch(between):
        return False
    if _AND.fullmatch(between.strip()):
        return _BETWEEN.search(text[max(0, first.start - 40) : first.start]) is not None
    return True
