"""Why parameters are refused, in words: the reasons that a version counts, and what each means to a reader.

The table of sql_templates/README.md has the same reasons; a test holds the two together.
"""

from collections.abc import Mapping

REASONS: Mapping[str, str] = {
    "no_region": "the map has no region that may be asked about",
    "no_facts": "no external facts about the map's places are stored",
    "no_fact": "the answer has no such fact by that source, or sources contradict each other",
    "ambiguous_anchor": "the fact describes another place too",
    "no_outline": "the outline of the map is not known",
    "leaves_outline": "the answer could lie beyond the map's end",
    "no_answer": "no object on the map fits the question",
    "zero": "the number would be zero",
    "unnamed_answer": "the answer has no name",
    "too_close": "the nearest place is too near to the anchor",
    "too_far": "the nearest place may lie farther away than the SELECT looks",
    "margin": "the second best is too near to the best",
    "near_sector_edge": "a place that could change the answer lies within 1° of the sector's edge",
    "near_circle": "a place lies within max(1 m, 0.1 %) of the circle in which places are counted",
    "near_region_edge": "a place lies within 1 m of the region's border",
    "near_area_edge": (
        "the subject lies within 1 m of an area's border, or a junction lies about 50 m from the area, or another "
        "object that could change the answer lies so near to the border"
    ),
    "too_many_answers": "more answers would be right than the template allows",
    "vacuous": (
        "more than a quarter of all places of the category, or of all that could be said, would be right"
    ),
    "repaired_geometry": "the answer would depend on geometry that had to be repaired",
    "names_itself": (
        "the subject's name says the answer, or a word of it; an area around the subject bears its name; "
        "the place that a direction is named by is an answer"
    ),
    "own_class": "the anchor is of the class that is looked for",
    "anchors_too_near": (
        "10 m at one of two anchors would turn the direction by a degree: they are less than 600 m apart"
    ),
    "anchors_far_apart": "the two anchors of a direction are more than 50 km apart",
    "too_few_distractors": "the map has too few wrong options",
    "common_key": (
        "the key is more common than the wrong options; so many such questions are given up that each of the four "
        "is right equally often"
    ),
    "options_close": "two options are places too near to each other",
    "along_border": (
        "a way runs along the region's border, within 20 m of it, so that a very small difference decides whether "
        "it counts"
    ),
    "twice_mapped": (
        "a place that counts may be mapped twice: another of its name and class lies within 30 m of it"
    ),
    "shared_name": "something else on the map has the name that is the answer",
    "shared_address": "another named object may be in the same house",
    "several_uses": "the subject's tags say more than one land use, or class",
    "several_classes": "the subject's tags say more than one land use, or class",
    "vague_class": "the class is too general: shop, office, attraction …",
    "no_housenumber": "the address has no house number that starts with a digit",
    "options_alike": "two options differ only in accents, width or case",
    "options_unlike": "an option is of another script than the others, or has more than 200 letters",
    "out_of_range": "the distance is shorter or longer than the template allows",
    "in_parts": "the longest piece of the road in the area is too small a share of all its pieces",
    "closed_road": "the piece of the road ends where it begins",
    "ambiguous_junction": "the road meets two others or more at its first or its last junction",
    "one_cross_road": "the road meets the same other road first and last",
    "no_second_hop": "many roads are connected with the road, and none is two hops away",
    "other_form": "the question is asked of this road the other way round",
    "in_scene": "a place that the scene shows is of the hidden place's class",
    "too_short": "the road is shorter than the template allows",
    "near_rounding": (
        "the measure lies so near to the middle between two written numbers that it may be written as either"
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
