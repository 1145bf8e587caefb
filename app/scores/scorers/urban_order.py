"""`urban_order`: the order in which places are visited, as UrbanGeoEval scores it.

Gold: {"order"}, the names of all places in the right order, the start first. The paper's rule (appendix, rubric of
Planning): 10 points, less 2 for each place that stands elsewhere (the Hamming distance), never below 0. An answer that
leaves out the start, which the question gives, is read as if it began there.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from app.scores.reading.cleaning import marked_segments
from app.scores.reading.mentions import answer_section, mentions_in
from app.scores.registry import scorer
from app.scores.score import Component, Score, unparseable
from app.scores.scorers._points import MOST_POINTS, score_points

POINTS_A_PLACE = 2.0
UNREAD = "no order of the places"


@scorer("urban_order", version=1, graded=True)
def score_urban_order(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """The points of an order."""
    names = list(gold["order"])
    order = read_order(answer, names)
    if order is None:
        return unparseable(UNREAD, points=MOST_POINTS)
    misplaced = sum(place != right for right, place in enumerate(order)) + max(len(names) - len(order), 0)
    points = MOST_POINTS - POINTS_A_PLACE * misplaced
    shown = [names[place] for place in order]
    return score_points(points, {"order": shown}, misplaced=Component(misplaced, len(names), True))


def read_order(answer: str, names: Sequence[str]) -> list[int] | None:
    """The places of `names` in the order that an answer tells; None where it tells none.

    The last part of the answer that has all of them counts (the <answer>, what follows "Answer:", a line), else the
    last that has two or more.
    """
    section = answer_section(answer)
    parts = [section] if section is not answer else [*marked_segments(answer), *reversed(answer.split("\n"))]
    told = [order for part in parts if len(order := _told_in(part, names)) > 1]
    whole = [order for order in told if len(set(order)) == len(names)]
    return next(iter(whole or told), None)


def _told_in(part: str, names: Sequence[str]) -> list[int]:
    order = [mention.place for mention in mentions_in(part, names)]
    if len(order) == len(names) - 1 and set(order) == set(range(1, len(names))):
        return [0, *order]
    return order
