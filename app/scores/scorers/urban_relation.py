"""`urban_relation`: how two things lie to one another, as UrbanGeoEval scores it: the right term or none.

Gold: {"relation"}, one of the terms of KINDS; the question's kind is the one that has it. Ten points for it, else 0;
the paper compares letters (appendix, rubric of Relation); here "passes through the area" is "Pass through", too.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from app.scores.reading.cleaning import loose_key_of, marked_segments
from app.scores.reading.mentions import answer_section
from app.scores.registry import scorer
from app.scores.score import Score, unparseable
from app.scores.scorers._points import MOST_POINTS, score_points

KINDS: Mapping[str, Mapping[str, str]] = {
    "roads": {
        "Intersecting": r"intersect(?:s|ing|ed|ions?)?|cross(?:es|ing)?",
        "Parallel": r"parallel",
        "Disconnected": r"disconnected|not connected|unconnected",
    },
    "road and area": {
        "Pass through": r"pass(?:es|ing)? through|goes through|cross(?:es|ing)? the area",
        "Touch": r"touch(?:es|ing)?",
        "Lie outside": r"l(?:ies?|ying) outside|outside",
    },
    "areas": {
        "Overlapping": r"overlap(?:s|ping|ped)?",
        "Adjacent": r"adjacent|adjoin(?:s|ing)?",
        "Separate": r"separated?|disjoint",
    },
}
"""The terms of each kind of pair (Figures 35 to 37), and how answers write them; keys without punctuation."""
_NOT = re.compile(
    r"(?:\b(?:not|neither|nor|no|rather than|instead of|isn ?t|doesn ?t|don ?t)\b)[^,;:.]{0,20}$"
)


@scorer("urban_relation", version=1, graded=False)
def score_urban_relation(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """Ten points for the right term."""
    terms = next(kind for kind in KINDS.values() if gold["relation"] in kind)
    read = read_relation(answer, terms)
    if read is None:
        return unparseable("no term, or several", points=MOST_POINTS)
    return score_points(MOST_POINTS if read == gold["relation"] else 0.0, {"relation": read})


def read_relation(answer: str, terms: Mapping[str, str]) -> str | None:
    """The only term that the last part of an answer which has one tells; terms after "not" do not count."""
    section = answer_section(answer)
    parts = [section] if section is not answer else [*marked_segments(answer), *reversed(answer.split("\n"))]
    for part in parts:
        told = _terms_in(part, terms)
        if told:
            return told.pop() if len(told) == 1 else None
    return None


def _terms_in(part: str, terms: Mapping[str, str]) -> set[str]:
    key = loose_key_of(part)
    return {
        term
        for term, written in terms.items()
        for match in re.finditer(rf"\b(?:{written})\b", key)
        if not _NOT.search(key[: match.start()])
    }
