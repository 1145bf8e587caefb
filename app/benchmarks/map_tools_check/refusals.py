"""Reasons for which only these questions are refused, in words."""

from app.questions.refusals import register_reasons

register_reasons(
    "map_tools_check",
    {
        "too_small": "the area has less than 500 square metres",
        "too_many_answers": "more places lie there than a tool lists",
        "unnamed_answer": "the answer has no name",
        "own_class": "a place that the question starts from is of a kind that it asks for, or both kinds are the same",
        "near_region_edge": "a place lies so near to the border of the region that it may be outside as well as inside",
        "not_one_right": "none of the four places is the answer, or several are",
        "names_region": "the name of one of the four places says the region",
        "name_of_street": "one of the four places has the name of a street, which may lie elsewhere",
        "uneven_key": "the four places are the answer at equally many times, and this time is beyond these",
        "changes_soon": "one of the places opens or closes within ten minutes of the time",
        "unreadable_hours": "the opening hours of a place have a time that ends before it begins",
    },
)
