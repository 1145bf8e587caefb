"""Reasons for which only these questions are refused, in words."""

from app.questions.refusals import register_reasons

register_reasons(
    "urban_reasoning",
    {
        "between_directions": "the bearing on the sphere and that on WGS84 are in different sectors of the compass",
        "place_told_twice": "a place lies nearest to two points of the way, or is a candidate, too",
        "way_out_of_range": "the destination is less than 3 km or more than 30 km from the start",
        "not_one_ahead": "the destination is more than 30 degrees off the way, or another candidate less than 60",
        "other_form": "two roads or areas lie otherwise to one another than the question wants",
        "few_corners": "the boundary of an area has fewer than four corners to print",
        "unclear_relation": "a point that is rounded otherwise, or a less close look, could find another relation",
        "points_alike": "two points of one road or area are printed alike",
        "names_alike": "two things in the data have names that read alike",
        "segment_out_of_range": "a segment is shorter than 30 m or longer than 1500 m",
        "odd_name": "the name of a place is no name, but a mark, a date or a list",
        "too_few_places": "fewer than five places to eat or drink with plain opening hours lie within 5 km",
        "too_few_fit": "fewer than two of the places fulfil every wish",
        "all_fit": "all places fulfil every wish",
        "opens_or_closes": "a place opens or closes less than 15 minutes before or after the time",
        "leg_out_of_range": "a leg is shorter than 150 m or longer than 20 km",
    },
)
