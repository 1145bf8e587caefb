"""Why parameters are refused, in words: the reasons that a version counts, and what each means to a reader.

Reasons that only one benchmark has are registered by its package.

The table of sql_templates/README.md has the same reasons; a test holds the two together.
"""

from collections.abc import Iterable, Mapping

from app.core.registers import Register

REASONS: Mapping[str, str] = {
    "no_region": "the map has no region that may be asked about",
    "old_map": (
        "the map was imported by an earlier version and lacks tables that tools read: import its extract again"
    ),
    "no_facts": "no external facts about the map's places are stored",
    "no_outline": "the outline of the map is not known",
    "no_router": "the router is not installed, or the map has no road network",
    "leaves_outline": "the answer could lie beyond the map's end",
    "no_answer": "no object on the map fits the question",
    "zero": "the number would be zero",
    "too_close": "the nearest place is too near to the anchor",
    "too_far": "the nearest place may lie beyond the distance that is searched",
    "margin": "the second best object differs too little from the best",
    "near_circle": "a place lies too near to the edge of the circle in which places are counted",
    "repaired_geometry": "the answer would depend on geometry that had to be repaired",
    "names_itself": (
        "the subject's name contains the answer or a word of it; or an area around the subject has the same name; "
        "or the second anchor, which gives the direction, is itself an answer"
    ),
    "too_few_distractors": "the map has too few wrong options",
    "common_key": (
        "the key is more common than the wrong options; a share of such questions is refused, so that each of the "
        "four options is right equally often"
    ),
    "shares_word": (
        "the key shares a word with the question, and the map has too few wrong options that share the same: by that "
        "word alone the key could be guessed"
    ),
    "twice_mapped": (
        "a place that counts may be mapped twice: another place of the same name and class lies within 30 m"
    ),
    "options_alike": "two options differ only in accents, width or case",
    "options_unlike": "an option is in another writing system than the others, or has more than 200 letters",
    "reference_point": (
        "from another point of an area (its centroid or a vertex of its outline) the answer would be another, and no "
        "point that the text can tell makes it sure"
    ),
    "reading_matters": (
        "only everyday texts are wanted, and the question has none, or its answer would be another if it were "
        "understood otherwise"
    ),
    "no_everyday_word": "only everyday texts are wanted, and people have no word for what the question asks for",
    "duplicate": "another tuple made the same question",
    "second_path_disagrees": "the two paths differ, which is logged",
    "context_fails": "the answer does not follow from what the context of the question prints",
    "drawing_fails": "what is drawn in the picture leads to another answer than the map's tables",
    "nothing_to_ask": "the picture shows too little of what the template asks about",
    "beyond_outline": "the picture would reach beyond the outline of the map",
    "open_water": "a water in the picture is not whole in the map",
    "sea": "there is sea in the picture, or there may be, which the map does not hold",
    "no_hops": "a number of tool calls is wanted, and no calls of tools lead to the answer",
    "other_hops": "more or fewer calls of tools lead to the answer than are wanted",
    "other_region": "the circle that decides the answer is larger or smaller than wanted",
    "no_nearness": "options at a certain distance are wanted, and not every option is one place of the map",
    "other_nearness": "the options lie nearer together, or farther apart, than wanted",
    "too_little_noise": "the map has too little around to tell as many needless lines as are wanted",
    "dials_in_vain": "of the first 4,000 questions none was as hard as is wanted, so the others were not tried",
    "tool_plan_fails": "the calls of tools that should lead to the answer lead elsewhere, or nowhere",
}
"""What any benchmark may be refused for."""

_OWN = Register[str]("refusals", "meaning of a reason")


def register_reasons(benchmark: str, reasons: Mapping[str, str]) -> None:
    """Say what reasons mean that only this benchmark has."""
    for reason, told in reasons.items():
        _OWN.add(benchmark, reason, told)


def reasons_of(benchmark: str) -> dict[str, str]:
    """Every reason that has a meaning of its own, those of the benchmark and those of all, by name."""
    own = {reason: _OWN.find(benchmark, reason) or "" for reason in _OWN.names(benchmark)}
    return {**REASONS, **own}


NO_LAYER, NO_PARAMETER = "no_layer_", "no_"
"""How reasons begin that name a layer, or a parameter."""
ENDINGS: Mapping[str, str] = {
    "_gone": "the {} is in no layer of the new map",
    "_unfit": "the {} is on the new map, but nothing may be asked about it",
}
"""How reasons end that name a parameter of a question which cannot be asked any more."""


def meaning(reason: str, benchmark: str) -> str | None:
    """What a reason says of the parameters that were refused; None for one that nothing is known of."""
    told = _OWN.find(benchmark, reason) or REASONS.get(reason)
    if told is not None:
        return told
    if reason.startswith(NO_LAYER):
        return f"the map lacks the layer {reason.removeprefix(NO_LAYER)}, which the template requires"
    if reason.startswith(NO_PARAMETER):
        return f"the map has no usable {reason.removeprefix(NO_PARAMETER).replace('_', ' ')}"
    return None


def meanings(reasons: Iterable[str], benchmark: str) -> dict[str, str]:
    """Each of these reasons that is known with its meaning, by name."""
    return {reason: told for reason in sorted(set(reasons)) if (told := meaning(reason, benchmark))}


def ending_meaning(reason: str, benchmark: str) -> str | None:
    """What the reason of a question that ended in a refresh means: a refusal, or a parameter that the map lost."""
    for end, told in ENDINGS.items():
        if reason.endswith(end):
            return told.format(reason.removesuffix(end).replace("_", " "))
    return meaning(reason, benchmark)
