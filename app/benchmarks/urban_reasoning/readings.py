"""Readings of the questions: one alone, since the context prints every value that the answer is worked out of.

What could be taken otherwise is said in every text, everyday ones too: the earth is a sphere of a given radius, a plane
is meant, which terms hold of what, and that nothing holds which the data does not say.
"""

from typing import Any

from app.questions.readings import Reading, readings
from app.questions.second_path import Layers, SecondAnswer


@readings(
    "urban_reasoning",
    "Distance",
    "Direction",
    "Relation_Of_Roads",
    "Relation_Of_Road_And_Area",
    "Relation_Of_Areas",
    "Visiting_Order",
    "Destination",
    "Shortest_Way",
    "Recommendation_Near",
    "Recommendation_On_Walk",
)
def read_printed_values(layers: Layers, parameters: Any, answer: SecondAnswer) -> Reading:
    """No reading of what is printed gives another answer."""
    return Reading()
