"""Reads a judge's verdict, strictly: JSON and the paper's closing line, which must agree. Pure; never raises.

What cannot be read is asked for once more. What can is clamped to the rubric's maxima, and lowered where the verdict
itself names faults that leave less.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, NoReturn

from app.solvers.judging.rubrics import ANSWER, Rubric

READER_VERSION = 1
"""Of the rules below; another one re-scores stored verdicts."""
LONGEST_VERDICT = 40_000
LONGEST_FAULT = 300
MOST_FAULTS = 50
MOST_POINTS = 1000
"""Beyond which a number is no mark that is clamped, but no mark at all."""
TOLERANCE = 0.05
"""How far the closing line may be from the marks that it sums up: it may be rounded."""
_NUMBER = r"\s*([+-]?\d{1,9}(?:\.\d{1,9})?)\s*"
CLOSING = re.compile(
    rf"reason\s*:\s*\[\[{_NUMBER}\]\]\s*,\s*answer\s*:\s*\[\[{_NUMBER}\]\]\s*,\s*total\s*:\s*\[\[{_NUMBER}\]\]",
    re.IGNORECASE,
)
_KEYS = {"criteria", ANSWER, "faults"}


class Fault(NamedTuple):
    """A fault that the verdict names: where, what, and the points that it costs there."""

    criterion: str
    fault: str
    points: float


@dataclass(frozen=True)
class Verdict:
    """Marks in points, each from 0 to its maximum; `clamped` and `lowered` name those that were not as given."""

    criteria: Mapping[str, float]
    answer: float
    faults: tuple[Fault, ...]
    clamped: tuple[str, ...] = ()
    lowered: tuple[str, ...] = ()

    @property
    def reason(self) -> float:
        """The points of the reasoning."""
        return math.fsum(self.criteria.values())


class Unreadable(NamedTuple):
    """Why a reply is no verdict, as the judge is told when it is asked once more."""

    reason: str


class _Bad(Exception):
    """The first thing wrong with a reply."""


def read_verdict(text: str | None, rubric: Rubric) -> Verdict | Unreadable:
    """The verdict in a judge's reply.

    It holds one JSON object {criteria: {name: points}, answer, faults: [{criterion, fault, points}]} with every
    criterion of the rubric and no other, and one closing line, in the object as `closing` or in the text after it.
    A closing line that is not the sum of these marks (as given, or as clamped) makes the reply unreadable, as do
    numbers that are none, two verdicts, and faults of criteria that there are not.
    """
    try:
        said = _without_thoughts(text or "")
        if len(said) > LONGEST_VERDICT:
            raise _Bad(f"it is longer than {LONGEST_VERDICT} characters")
        found, rest = _verdict_object(said)
        given = _marks(found, rubric)
        clamped = {name: min(max(0.0, mark), rubric.maximum_of(name)) for name, mark in given.items()}
        _check_closing(found, rest, [given, clamped])
        faults = _faults(found["faults"], rubric)
    except _Bad as error:
        return Unreadable(_storable(str(error)))
    marks = {name: min(mark, _left_by(faults, name, rubric)) for name, mark in clamped.items()}
    return Verdict(
        {name: marks[name] for name in rubric.criteria},
        marks[ANSWER],
        faults,
        tuple(name for name in rubric.parts() if clamped[name] != given[name]),
        tuple(name for name in rubric.parts() if marks[name] != clamped[name]),
    )


def _without_thoughts(text: str) -> str:
    return text.rpartition("</think>")[2].strip()


def _storable(text: str) -> str:
    """`text` without what jsonb cannot hold: NUL characters and lone surrogates, which JSON can escape."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def _verdict_object(text: str) -> tuple[dict[str, Any], str]:
    """The one JSON object with the keys of a verdict, and the text outside of it."""
    found: dict[str, Any] | None = None
    rest, start = [], 0
    while (brace := text.find("{", start)) >= 0:
        rest.append(text[start:brace])
        try:
            one, end = _DECODER.raw_decode(text, brace)
        except (ValueError, RecursionError) as error:
            raise _Bad(f"its JSON cannot be read: {error}") from error
        if found is not None:
            raise _Bad("it holds more than one JSON object")
        found, start = one, end
    if found is None:
        raise _Bad("it holds no JSON object")
    if not _KEYS <= found.keys() <= _KEYS | {"closing"}:
        raise _Bad(f"its JSON object has the keys {', '.join(found)}, not {', '.join(sorted(_KEYS))}")
    return found, " ".join([*rest, text[start:]])


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of points")


def _unique(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"{key!r} stands twice in one object")
        found[key] = value
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse)


def _points(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _Bad(f"{where} is no number")
    if not -MOST_POINTS <= value <= MOST_POINTS:
        raise _Bad(f"{where} is beyond all bounds")
    return float(value)


def _marks(found: Mapping[str, Any], rubric: Rubric) -> dict[str, float]:
    """The marks as given, the answer's among them."""
    criteria = found["criteria"]
    if not isinstance(criteria, dict):
        raise _Bad("`criteria` is no object")
    missing = [name for name in rubric.criteria if name not in criteria]
    unknown = [name for name in criteria if name not in rubric.criteria]
    if missing or unknown:
        raise _Bad(
            f"`criteria` lacks {', '.join(missing)}"
            if missing
            else f"`criteria` has unknown {', '.join(unknown)[:200]}"
        )
    marks = {name: _points(criteria[name], f"the mark of {name}") for name in rubric.criteria}
    return marks | {ANSWER: _points(found[ANSWER], "the mark of the answer")}


def _faults(listed: Any, rubric: Rubric) -> tuple[Fault, ...]:
    if not isinstance(listed, list) or len(listed) > MOST_FAULTS:
        raise _Bad(f"`faults` is no list of at most {MOST_FAULTS}")
    return tuple(_fault(one, rubric) for one in listed)


def _fault(one: Any, rubric: Rubric) -> Fault:
    if not isinstance(one, dict) or one.keys() != set(Fault._fields):
        raise _Bad(f"a fault is no object of {', '.join(Fault._fields)}")
    where, what = one["criterion"], one["fault"]
    if not isinstance(where, str) or where not in rubric.parts():
        raise _Bad(f"a fault names {str(where)[:60]!r}, which the rubric does not have")
    if not isinstance(what, str) or not what.strip():
        raise _Bad(f"a fault of {where} is not named")
    points = _points(one["points"], f"the points of a fault of {where}")
    if points <= 0:
        raise _Bad(f"a fault of {where} costs {points:g} points")
    return Fault(where, _storable(" ".join(what.split())[:LONGEST_FAULT]), points)


def _left_by(faults: Iterable[Fault], name: str, rubric: Rubric) -> float:
    """What the faults that are named leave of a maximum."""
    return max(
        0.0, rubric.maximum_of(name) - math.fsum(one.points for one in faults if one.criterion == name)
    )


def _check_closing(found: Mapping[str, Any], rest: str, sums: Iterable[Mapping[str, float]]) -> None:
    """Raise where there is no closing line, where there are two, or where it does not sum the marks up."""
    field = found.get("closing", "")
    if not isinstance(field, str):
        raise _Bad("`closing` is no text")
    lines = {tuple(map(float, line)) for line in CLOSING.findall(field) + CLOSING.findall(rest)}
    if len(lines) != 1:
        raise _Bad("it has no closing line" if not lines else "it has closing lines that differ")
    ((reason, answer, total),) = lines
    if any(
        _near(reason, math.fsum(mark for name, mark in marks.items() if name != ANSWER))
        and _near(answer, marks[ANSWER])
        for marks in sums
    ) and _near(total, reason + answer):
        return
    raise _Bad("its closing line is not the sum of its marks")


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= TOLERANCE + 1e-9
