"""Why parameters are refused, in words: the reasons that a version counts, and what each means to a reader.

The table of sql_templates/README.md has the same reasons; a test holds the two together.
"""

from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    "no_region": "the map has no region that may be asked about",
    "no_facts": "no external facts about the map's places are stored",
    "no_fact": "the source has no such fact about the answer, or sources contradict each other",
    "ambiguous_anchor": "the fact that describes the anchor also describes another place",
    "no_outline": "the outline of the map is not known",
    "leaves_outline": "the answer could lie beyond the map's end",
    "no_answer": "no object on the map fits the question",
    "zero": "the number would be zero",
    "unnamed_answer": "the answer has no name",
    "too_close": "the nearest place is too near to the anchor",
    "too_far": "the nearest place may lie beyond the distance that is searched",
    "margin": "the second best object differs too little from the best",
    "near_sector_edge": "a place that could change the answer lies within 1° of the sector's edge",
    "near_circle": "a place lies too near to the edge of the circle in which places are counted",
    "near_region_edge": "a place lies within 1 m of the region's border",
    "near_area_edge": (
        "something that could change the answer lies too near to an edge: within 1 m of an area's border, or, "
        "for a junction, about 50 m from the area"
    ),
    "too_many_answers": "more answers would be right than the template allows",
    "vacuous": (
        "more than a quarter of all places of the category, or of all possible answers, would be right"
    ),
    "repaired_geometry": "the answer would depend on geometry that had to be repaired",
    "names_itself": (
        "the subject's name contains the answer or a word of it; or an area around the subject has the same name; "
        "or the second anchor, which gives the direction, is itself an answer"
    ),
    "own_class": "the anchor belongs to the class that the question asks for",
    "anchors_too_near": (
        "the two anchors of a direction are less than 600 m apart: 10 m would turn the direction by a degree"
    ),
    "anchors_far_apart": "the two anchors of a direction are more than 50 km apart",
    "too_few_distractors": "the map has too few wrong options",
    "common_key": (
        "the key is more common than the wrong options; a share of such questions is refused, so that each of the "
        "four options is right equally often"
    ),
    "options_close": "two options are places that lie too near to each other",
    "along_border": (
        "a way runs along the region's border, within 20 m of it: a very small difference would decide whether "
        "it counts"
    ),
    "twice_mapped": (
        "a place that counts may be mapped twice: another place of the same name and class lies within 30 m"
    ),
    "shared_name": "another object on the map has the same name as the answer",
    "shared_address": "another named object may be in the same house",
    "several_uses": "the subject's tags name more than one land use or class",
    "several_classes": "the subject's tags name more than one land use or class",
    "vague_class": "the class is too general: shop, office, attraction …",
    "no_housenumber": "the address has no house number that starts with a digit",
    "options_alike": "two options differ only in accents, width or case",
    "options_unlike": "an option is in another writing system than the others, or has more than 200 letters",
    "out_of_range": "the distance is shorter or longer than the template allows",
    "in_parts": "the road is in several pieces in the area, and the longest is too small a share of their total length",
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
    "duplicate": "another tuple made the same question",
    "second_path_disagrees": "the two paths differ: a fault, which is logged",
}
NO_LAYER, NO_PARAMETER = "no_layer_", "no_"
"""How reasons begin that name a layer, or a parameter."""
ENDINGS: Mapping[str, str] = {
    "_gone": "the {} is in no layer of the new map",
    "_unfit": "the {} is on the new map, but nothing may be asked about it",
}
"""How reasons end that name a parameter of a question which cannot be asked any more."""


def meaning(reason: str) -> str | None:
    """What a reason says of the parameters that were refused; None for one that nothing is known of."""
    if reason in REASONS:
        return REASONS[reason]
    if reason.startswith(NO_LAYER):
        return f"the map lacks the layer {reason.removeprefix(NO_LAYER)}, which the template requires"
    if reason.startswith(NO_PARAMETER):
        return f"the map has no usable {reason.removeprefix(NO_PARAMETER).replace('_', ' ')}"
    return None


def meanings(reasons: Mapping[str, object]) -> dict[str, str]:
    """Each of these reasons that is known with its meaning, by name."""
    return {reason: told for reason in sorted(reasons) if (told := meaning(reason)) is not None}


def ending_meaning(reason: str) -> str | None:
    """What the reason of a question that ended in a refresh means: a refusal, or a parameter that the map lost."""
    for end, told in ENDINGS.items():
        if reason.endswith(end):
            return told.format(reason.removesuffix(end).replace("_", " "))
    return meaning(reason)
