"""Reasons for which only these questions are refused, in words."""

from app.questions.refusals import register_reasons

register_reasons(
    "mapeval_visual",
    {
        "not_drawn": "something that the question needs is not written in the picture, or is in it without a label",
        "not_unique": "two labels of the picture read the same",
        "cut": "the picture's edge cuts a symbol",
        "look_alike": "the picture shows a symbol that is easily taken for the one that is asked for",
        "crowded": "two symbols of the kind lie less than 3 pixels apart",
        "close": "two places lie too near to each other in the picture, or are hardly nearer than others",
        "off_axis": "the direction is more than 35 degrees off north, east, south and west",
        "not_one_right": "none of the four is the only answer",
        "several_lengths": "none of the options, or more than one, is as long as what is measured",
        "no_road": "no road with a name lies between the places",
        "several_roads": "more than one road with a name lies between the places",
        "not_labelled": "the name of the road is not written in the picture",
        "far": "none of the places lies within 60 pixels of the road",
        "too_many_answers": "there are more than twelve symbols",
        "map_may_tell": "a place of the kind lies within the picture's edges, though it has no symbol",
    },
)
