"""Reasons for which only the Knowledge Module's questions are refused, in words."""

from app.questions.refusals import register_reasons

register_reasons(
    "urban_knowledge",
    {
        "near_area_edge": (
            "something that could change the answer lies too near to an edge: within 1 m of an area's border, or, "
            "for a junction, about 50 m from the area"
        ),
        "options_close": "two options are places that lie too near to each other",
        "shared_name": "another object on the map has the same name as the answer",
        "shared_address": "another named object may be in the same house",
        "several_uses": "the subject's tags name more than one land use or class",
        "several_classes": "the subject's tags name more than one land use or class",
        "vague_class": "the class is too general: shop, office, attraction …",
        "no_housenumber": "the address has no house number that starts with a digit",
        "out_of_range": "the distance is shorter or longer than the template allows",
        "in_parts": (
            "the road is in several pieces in the area, and the longest is too small a share of their total length"
        ),
        "closed_road": "the piece of the road ends where it begins",
        "ambiguous_junction": "the road meets two or more other roads at its first or its last junction",
        "one_cross_road": "the road at the first junction and the road at the last junction are the same",
        "no_second_hop": "many roads are connected with the road, and none is two hops away",
        "other_form": "the other form of the question is used for this road",
        "in_scene": "a place in the scene has the same class as the hidden place",
        "too_short": "the road is shorter than the template allows",
        "near_rounding": (
            "the value lies so near to the middle between two rounded numbers that it could be rounded to either"
        ),
    },
)
