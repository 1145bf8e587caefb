"""Published cases: one question's gold with one answer, as text and parsed → both published scores.

Cases are lines of JSON (fields: docs/scoring.md). Whatever the answer holds is scored; only bad gold is an error.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.benchmarks.gsqa.published.lookups import LOOKUPS, MAX_DIGITS, Lookup, integers_under, texts_under
from app.benchmarks.gsqa.published.overlap import NOTHING, Overlap, best_overlap, overlap
from app.benchmarks.gsqa.published.spatial import angle_error, distance_error, relative_error
from app.benchmarks.gsqa.published.tokens import tokens_of
from app.benchmarks.gsqa.published.wording import gold_text, sector_of
from app.core.errors import UsageError
from app.core.strict_json import plain_fault
from app.scores.paper_rules import Point

ANSWER_TYPES = ("name", "loc", "distance", "angle", "count", "area", "length", "external")
Geocode = Callable[[str], Point | None]
"""An address → its place, None where it cannot be placed."""
Scores = dict[str, Any]

_FIELDS = {"name": "name", "loc": "address", "angle": "azimuth_angle"}
UNPARSED_TEMPLATES = frozenset({"T7", "T8"})
"""No parsed score is published for questions that lean on facts from outside the tables."""


@dataclass(frozen=True)
class Case:
    """A question's gold and one answer to it; `parsed` is any JSON."""

    case: str
    template: str
    answer_type: str
    gold: Sequence[Mapping[str, Any]]
    text: str | None
    parsed: Any
    lookup: Lookup


def read_cases(lines: Iterable[bytes], where: str) -> Iterator[Case]:
    """The cases of JSON lines, empty ones left out; raises UsageError naming `where`, the line and what is amiss."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield _case(json.loads(line, parse_int=_integer))
        except (ValueError, KeyError, RecursionError) as error:
            raise UsageError(
                f"{where}, line {number}: {_what(error)}. docs/scoring.md shows what a case looks like."
            ) from error


def _what(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"it is not JSON ({plain_fault(error)}, character {error.pos + 1:,})"
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    return f"there is no field {error}" if isinstance(error, KeyError) else str(error)


def _case(fields: Any) -> Case:
    if not isinstance(fields, dict):
        raise ValueError("it is not a JSON object")
    case = Case(
        str(fields["case"]),
        str(fields["template"]),
        fields["answer_type"],
        fields["gold"],
        fields["predicted_text"],
        fields["predicted_parsed"],
        fields["parsed_lookup"],
    )
    if case.answer_type not in ANSWER_TYPES:
        raise ValueError(f"answer_type is {case.answer_type!r}, not one of {', '.join(ANSWER_TYPES)}")
    if case.lookup not in LOOKUPS:
        raise ValueError(f"parsed_lookup is {case.lookup!r}, not one of {', '.join(LOOKUPS)}")
    if not isinstance(case.text, str | None):
        raise ValueError("predicted_text is neither a text nor null")
    if not (isinstance(case.gold, list) and case.gold and all(isinstance(one, dict) for one in case.gold)):
        raise ValueError("gold is not a list of objects")
    return case


def _integer(digits: str) -> int | float:
    """Python refuses integers of thousands of digits, which models do write; beyond all reach, they are infinite."""
    return int(digits) if len(digits) <= MAX_DIGITS else math.inf


def score_case(case: Case, geocode: Geocode | None = None) -> Scores:
    """{"case", "text", "parsed"} with the published fields of each; null for what is not scored.

    Raises UsageError where the gold lacks what its answer type needs.
    """
    try:
        return {"case": case.case, "text": text_score(case), "parsed": parsed_score(case, geocode)}
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(
            f"Case {case.case}: its gold does not fit {case.answer_type!r}: {error!r}."
        ) from error


def text_score(case: Case) -> Scores | None:
    """{attempted, P, R, F1} of the answer's text against all gold texts as one; None for an answer without text.

    Source: GS-QA, free-text scores (Table 8).
    """
    if case.text is None:
        return None
    gold = "\n".join(gold_text(case.answer_type, one) for one in case.gold)
    found = overlap(tokens_of(case.text), tokens_of(gold))
    return _shares(bool(case.text.strip()), found)


def parsed_score(case: Case, geocode: Geocode | None = None) -> Scores | None:
    """The scores of the parsed answer; None for the templates that have none published.

    {attempted, P, R, F1} for texts, with angle_error for directions; {attempted, relative_error} for numbers; with
    `geocode`, locations have a distance_error (None where no address could be placed). Source: GS-QA, Tables 8 to 12.
    """
    if case.answer_type == "external" or case.template in UNPARSED_TEMPLATES:
        return None
    if case.answer_type in ("name", "loc"):
        return _score_texts(case, geocode)
    if case.answer_type == "angle":
        return _score_angles(case)
    golds = [float(one[case.answer_type]) for one in case.gold]
    predicted = integers_under(case.parsed, case.answer_type, case.lookup)
    return {"attempted": bool(predicted), "relative_error": relative_error(predicted, golds)}


def _score_texts(case: Case, geocode: Geocode | None) -> Scores:
    texts = texts_under(case.parsed, _FIELDS[case.answer_type], case.lookup)
    golds = [tokens_of(gold_text(case.answer_type, one)) for one in case.gold]
    scores = _shares(bool(texts), best_overlap(map(tokens_of, texts), golds))
    if case.answer_type == "loc" and geocode is not None:
        places = [place for text in texts if (place := geocode(text)) is not None]
        scores["distance_error"] = distance_error(places, [_centroid(one) for one in case.gold])
    return scores


def _score_angles(case: Case) -> Scores:
    angles = integers_under(case.parsed, _FIELDS["angle"], case.lookup)
    sectors = {angle: sector for angle in angles if (sector := sector_of(angle)) is not None}
    golds = [float(one["angle"]) for one in case.gold]
    texts = [tokens_of(gold_text("angle", one)) for one in case.gold]
    found = best_overlap((tokens_of(sector) for sector in sectors.values()), texts)
    return {**_shares(bool(sectors), found), "angle_error": angle_error(sectors, golds)}


def _centroid(gold: Mapping[str, Any]) -> Point:
    return Point(float(gold["lon"]), float(gold["lat"]))


def _shares(attempted: bool, found: Overlap) -> Scores:
    found = found if attempted else NOTHING
    return {"attempted": attempted, "P": found.precision, "R": found.recall, "F1": found.f1}
