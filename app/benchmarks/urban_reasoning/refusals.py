"""Reasons for which only these questions are refused, in words."""

from app.questions.refusals import register_reasons

register_reasons(
    "urban_reasoning",
    {
        "between_directions": "the bearing on the sphere and that on WGS84 are in different sectors of the compass",
        "place_told_twice": "a place lies nearest to two points of the way, or is a candidate, too",
        "way_out_of_range": "the destination is less than 3 km or more than 30 km from the start",
        "not_one_ahead": "the destination is more than 30 degrees off the way, or another candidate less than 60",
        "leg_out_of_range": "a leg is shorter than 150 m or longer than 20 km",
    },
)
