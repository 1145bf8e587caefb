"""Reasons for which only these questions are refused, in words."""

from app.questions.refusals import register_reasons

register_reasons(
    "evgeoqa",
    {
        "common_activity": "more than 60 % of all destinations of the class have the activity near",
        "in_water": "the user's place lies on water",
        "many_destinations": "so many destinations have the activity beside them that one that is farther "
        "than all that were compared might be reached as soon",
        "near_tier": "the first destination lies so near to 5, 10, 15 … km from the user that the tier or the "
        "number of moves is not sure",
        "off_road": "the user's place is over 1,000 m from every road for cars, or that road is in no connected part",
        "outside": "the user's place lies outside the map",
        "rare_activity": "less than 5 % of all destinations of the class have the activity beside them",
        "unreachable": "the router finds no way to a destination that has the activity beside it, or the user "
        "is not in the largest part of the road network",
        "same_class": "the activity is the class of the destination itself",
    },
)
