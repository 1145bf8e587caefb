"""Reasons for which only these questions are refused, in words."""

from app.questions.refusals import register_reasons

register_reasons(
    "mapeval",
    {
        "too_few_roads": "the way follows too few roads that have a name or a number",
        "too_few_turns": "the way has fewer turns off a road with a name or a number onto another one",
        "unclear_turn": "a turn is nearly of another kind, or turns back, or the way begins or ends on a roundabout",
        "short_road": "a road of the way is followed for less than 30 m",
        "road_twice": "the way leaves a road and takes it again, or a road has several names",
        "near_tie": "another way takes hardly longer",
        "off_axis": "the direction is more than 35 degrees off north, east, south and west",
        "not_one_right": "none of the four places is clearly the answer, or several may be",
        "changes_soon": "the place opens or closes within ten minutes of the time",
        "unreadable_hours": "the opening hours of a place have a time that ends before it begins",
        "several_values": "the map tells several values, parted by semicolons",
        "vague_value": "the value is so general that others may be right, too, such as regional cuisine",
        "doubtful_attribute": "of a place that is as near it is not clear whether it has what is asked for",
        "too_few_places": "fewer than three places with opening hours lie there",
        "too_many_answers": "more places lie there than a tool lists, or than options can name",
        "own_class": "the place that the question starts from is of the kind that it asks for",
        "shared_name": "something else on the map has the name of the answer",
        "near_duplicate": "two places that are compared lie within 50 m of each other and have like names",
        "no_way": "no way leads from one of the places to another, or a place is far from every road",
        "long_way": "a way between two of the places takes more than an hour",
        "near_rounding": "a number may be rounded to either side, or whole minutes add up to another sum than seconds",
        "pause": "a place closes and opens again during a stay",
        "no_context": "nothing says what a context of the template has to tell",
        "context_too_long": "the context would have more than 1,500 words",
        "map_may_tell": "one of the places has a tag that might hint at an answer",
        "unnamed_answer": "the answer has no name, or several names parted by semicolons",
    },
)
