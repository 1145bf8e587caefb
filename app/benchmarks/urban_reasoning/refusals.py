"""Reasons for which only these questions are refused, in words."""

from app.questions.refusals import register_reasons

register_reasons(
    "urban_reasoning",
    {
        "between_directions": "the bearing on the sphere and that on WGS84 are in different sectors of the compass",
        "leg_out_of_range": "a leg is shorter than 150 m or longer than 20 km",
    },
)
