"""Reasons for which only these questions are refused, in words."""

from app.questions.refusals import register_reasons

register_reasons(
    "mapqa",
    {
        "left_out": "an amenity near the place is one that layer poi leaves out, and may count or not",
        "too_many_answers": "the answer has more parts than the question may have",
        "unnamed_answer": "an answer has no name",
        "own_class": "the place that the question starts from is of the kind that it asks for",
        "same_name": "two of the places have the same name, or one has that of the place asked about",
        "far_down_the_list": "20 places of other sides are nearer, which is how many a tool lists",
        "near_line": "a place lies about as far north, east, south or west as the place that the question starts from",
        "several_crossings": "the two roads meet at several nodes",
    },
)
