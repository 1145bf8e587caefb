"""Readings of the questions: a place that is mapped as an area may be taken for any point of it.

The second path tells by how many metres each place may lie elsewhere without another answer (`sure`). The
measure makes no difference: a sphere changes a distance by 0.6 %, less than the margins.
"""

from typing import Any

from app.questions.readings import REFERENCE_POINT, Reading, readings
from app.questions.readings.grounds import grounds_of
from app.questions.second_path import Layers, SecondAnswer


@readings(
    "mapeval",
    "Straight_Line_Distance",
    "Direction_From",
    "Landmark_In_Direction",
    "Closest_Pair",
    "Farthest_Pair",
    "Lies_Between",
    "Count_Within",
    "Nearest_Of_Type",
    "Kth_Nearest",
    "Nearest_With",
    "Open_Nearby",
    "Road_On_Route",
    "Next_Step",
    "Count_On_Route",
    "Fastest_Via",
    "Shortest_Via",
    "Landmark_Passed",
    "Travel_Time_Between",
    "Nearest_By_Travel",
    "Best_Order",
    "Places_In_Budget",
    "Visit_While_Open",
    "Latest_Departure",
    "Arrival_Time",
    "Total_Travel_Time",
    "Meeting_Place",
)
def read_points(layers: Layers, parameters: Any, answer: SecondAnswer) -> Reading:
    """The answer is the same for any points of the places, or the question is refused: no text tells coordinates."""
    radii, position = grounds_of(layers).radii, layers["poi"].position
    sure = answer.facts["sure"]
    if all(radii[position[key]] < metres for key, metres in sure.items()):
        return Reading()
    return Reading(frozenset({REFERENCE_POINT}), refused=True)


@readings("mapeval", "Open_At", "Attribute_Of")
def read_tags(layers: Layers, parameters: Any, answer: SecondAnswer) -> Reading:
    """What a tag says has one reading: questions whose value is vague are refused."""
    return Reading()
