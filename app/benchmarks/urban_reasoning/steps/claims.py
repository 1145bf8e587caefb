"""Claims in words: the sentences of a response that state something, additions, and points that are copied. Pure.

Only what is told surely is judged: a sentence that asks, supposes or weighs is no claim.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from app.benchmarks.urban_reasoning.steps.plain_text import MOST_SIGNS, Plain
from app.benchmarks.urban_reasoning.steps.printed_data import POINT
from app.benchmarks.urban_reasoning.steps.slips import is_slip
from app.benchmarks.urban_reasoning.truth.sphere import Point
from app.scores.reasoning import DRIFT, MISREAD, RIGHT, WRONG, Reasoning, Step

HALF = 5e-6
"""Half a unit of the last digit of a printed coordinate, in degrees."""
_TAG = r"<\s?/?\s?(?:reason|answer)\s?>"
_END = re.compile(rf"(?<=[.!?;])\s+|\n+|{_TAG}", re.IGNORECASE)
_LINE_END = re.compile(rf"\n|{_TAG}", re.IGNORECASE)
_UNSURE = re.compile(
    r"\?|\b(?:if|whether|unless|suppose|assum\w+|check\w*|could|would|might|may|maybe|perhaps|let's|let us|consider"
    r"|need to|needs to|must|should|to see|verify|test|determine|means?|defin\w+|criteri\w+|wait|hmm|possible|possibly"
    r"|seems?|appears?|either|or not|extended|infinite|almost|nearly|approximately equal|when|wrong|actually no)\b",
    re.IGNORECASE,
)
_ADDITION = re.compile(
    r"(?<![\d.,+*/^-])(?<![+*/^-] )(?P<terms>\d{1,6}(?:\.\d{1,6})?(?: ?k?m)?"
    r"(?: ?\+ ?\d{1,6}(?:\.\d{1,6})?(?: ?k?m)?){1,9}) ?= ?"
    r"(?P<sum>\d{1,7}(?:\.\d{1,6})?)(?P<unit> ?k?m\b)?(?![\d,]|\.\d| ?[+*/^])"
)


class Sentence(NamedTuple):
    """A sentence or line of a plain text, and where it begins there."""

    start: int
    text: str


def sentences_in(plain: Plain) -> Iterator[Sentence]:
    """The sentences of a text, without blank ones."""
    return _parts(plain, _END)


def lines_in(plain: Plain) -> Iterator[Sentence]:
    """The lines of a text, without blank ones."""
    return _parts(plain, _LINE_END)


def _parts(plain: Plain, end: re.Pattern[str]) -> Iterator[Sentence]:
    last = 0
    for begin, behind in (*(found.span() for found in end.finditer(plain.text)), (len(plain.text), 0)):
        text = plain.text[last:begin]
        if text.strip():
            yield Sentence(last, text)
        last = behind


def is_sure(sentence: str) -> bool:
    """Whether a sentence states something: it does not ask, suppose, define or weigh."""
    return not _UNSURE.search(sentence)


def concluded(response: str, steps: Sequence[Step]) -> Reasoning:
    """The steps in the order of the text; the first wrong one broke first, since claims follow from no others."""
    ordered = sorted(steps, key=lambda step: step.position or 0)
    broken = next((step for step in ordered if step.verdict == WRONG), None)
    return Reasoning(ordered, broken, len(response) > MOST_SIGNS)


def additions_in(plain: Plain) -> Iterator[Step]:
    """Sums that the text works out, such as 120 m + 80 m = 200 m; the last digits may have been rounded before."""
    for found in _ADDITION.finditer(plain.text):
        terms = found["terms"].split("+")
        units = {unit for term in terms if (unit := term.strip().lstrip("0123456789.").strip())}
        unit = (found["unit"] or "").strip()
        if len(units) > 1 or (unit and units and unit not in units):
            continue
        numbers = [re.sub(r"[ km]", "", term) for term in terms]
        total, stated = sum(map(float, numbers)), float(found["sum"])
        digits = min(len(one.partition(".")[2]) for one in (*numbers, found["sum"]))
        slack = (len(numbers) + 1) * 0.51 * 10.0**-digits
        verdict = RIGHT if abs(total - stated) <= slack else WRONG
        yield Step(
            "sum",
            stated,
            round(total, 6),
            plain.place(found.start("sum")),
            verdict,
            verdict_class(verdict, DRIFT),
        )


def verdict_class(verdict: str, failure: str) -> str | None:
    """The failure of a step that is wrong."""
    return failure if verdict == WRONG else None


def copied_points(plain: Plain, printed: Collection[Point]) -> Iterator[Step]:
    """Points in the text as the prompt prints them; one that differs by a slip of digits is misread."""
    known = set(printed)
    for found in POINT.finditer(plain.text):
        told = Point(float(found[1]), float(found[2]))
        meant = (
            told
            if told in known
            else _meant(told, [part.partition(".")[2] for part in found.groups()], known)
        )
        if meant is None:
            continue
        verdict = RIGHT if meant == told else WRONG
        yield Step(
            "point",
            _as_text(told),
            _as_text(meant),
            plain.place(found.start()),
            verdict,
            verdict_class(verdict, MISREAD),
        )


def _meant(told: Point, decimals: Sequence[str], known: Collection[Point]) -> Point | None:
    """The printed point that a text means with another one: one coordinate is the same, the other has a slip."""
    if any(len(one) != 5 for one in decimals):
        return None
    if (told.lon, told.lat) in known:
        return None
    coordinates = {value for one in known for value in one}
    for one in known:
        for same, other in ((0, 1), (1, 0)):
            if (
                told[same] == one[same]
                and told[other] not in coordinates
                and is_slip(told[other], HALF, one[other])
            ):
                return one
    return None


def _as_text(point: Point) -> str:
    return f"({point.lat:.5f}, {point.lon:.5f})"


def named_once(names: Sequence[str], text: str) -> list[tuple[int, int, int]]:
    """Start, end and place of each mention of names in a text, the longest name first."""
    if not names:
        return []
    forms = {" ".join(name.split()).lower(): place for place, name in enumerate(names)}
    pattern = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))
    return [
        (*found.span(), forms[found.group().lower()])
        for found in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", text, re.IGNORECASE)
    ]
