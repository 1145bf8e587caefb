"""What the answer scores of UrbanGeoEval's Reasoning Module share: up to ten points, with two decimals."""

from collections.abc import Mapping
from typing import Any

from app.scores.score import Component, Outcome, Score

MOST_POINTS = 10.0


def score_points(points: float, parsed: Mapping[str, Any], **parts: Component) -> Score:
    """The score of an answer that earned so many points; what lies beyond 0 and 10 is cut. Correct: all ten."""
    earned = round(min(max(points, 0.0), MOST_POINTS), 2)
    right = earned == MOST_POINTS
    components = {"points": Component(earned, MOST_POINTS, True), **parts}
    return Score(Outcome.CORRECT if right else Outcome.WRONG, earned / MOST_POINTS, components, parsed)
