"""Readings of the questions: whatever a picture leaves open was refused when it was drawn."""

from typing import Any

from app.questions.readings import Reading, readings
from app.questions.second_path import Layers, SecondAnswer


@readings(
    "mapeval_visual",
    "Direction_In_Picture",
    "Kind_In_Picture",
    "Apart_In_Picture",
    "Nearest_In_Picture",
    "Nearest_To_Symbol",
    "Road_Between",
    "Place_By_Road",
    "Symbols_Counted",
)
def read_picture(layers: Layers, parameters: Any, answer: SecondAnswer) -> Reading:
    """Symbols and letters both say the answer, so that it has one reading."""
    return Reading()
