"""`urban_route`: a way along named segments, as far as UrbanGeoEval's rule can be computed: its accuracy.

Gold: {"route"}, the names along the shortest way, {"segments"}, by name its two ends as [lat, lon] as they are
printed, {"start"} and {"goal"}, points likewise. The paper's rule (appendix, rubric of Navigation) gives 5 points for
the shortest way, 2 for another one that leads from start to goal, and 0 otherwise; 5 further points are the judge's, so
that the value here is a fifth of the accuracy.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from app.scores.reading.mentions import answer_section, mentions_in
from app.scores.registry import scorer
from app.scores.score import Component, Outcome, Score, unparseable

MOST_ACCURACY, ACCURACY_OF_ANOTHER = 5.0, 2.0


@scorer("urban_route", version=1, graded=True)
def score_urban_route(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """The accuracy of a way; segments count in the order in which the answer names them."""
    names = list(gold["segments"])
    told = [mention.place for mention in mentions_in(answer_section(answer), names)]
    route = [names[place] for place, _ in groupby(told)]
    if not route:
        return unparseable("no segment is named", accuracy=MOST_ACCURACY)
    accuracy = 0.0
    if route == list(gold["route"]):
        accuracy = MOST_ACCURACY
    elif leads_to_goal(route, gold):
        accuracy = ACCURACY_OF_ANOTHER
    return Score(
        Outcome.CORRECT if accuracy == MOST_ACCURACY else Outcome.WRONG,
        accuracy / MOST_ACCURACY,
        {"accuracy": Component(accuracy, MOST_ACCURACY, True)},
        {"route": route},
    )


def leads_to_goal(route: Sequence[str], gold: Mapping[str, Any]) -> bool:
    """Whether segments join one another from the start to the goal."""
    at = tuple(gold["start"])
    for name in route:
        ends = [tuple(end) for end in gold["segments"][name]]
        if at not in ends:
            return False
        at = ends[1 - ends.index(at)]
    return at == tuple(gold["goal"])
