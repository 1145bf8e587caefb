"""Synthetic reviews: sentences made by rule from OpenStreetMap's tags, and which wishes tags fulfil. Pure."""

from collections.abc import Mapping

Sentences = Mapping[str, Mapping[str, str]]
"""By tag and value what a review says."""
SENTENCES: Sentences = {
    "wheelchair": {
        "yes": "Wheelchairs get in without help.",
        "limited": "Wheelchairs get in only with help.",
        "no": "Wheelchairs do not get in.",
    },
    "outdoor_seating": {"yes": "One can sit outside.", "no": "There are no seats outside."},
    "takeaway": {
        "yes": "Food can be taken away.",
        "only": "Food can only be taken away.",
        "no": "Nothing is sold to take away.",
    },
    "diet:vegetarian": {
        "yes": "There are vegetarian dishes.",
        "only": "All dishes are vegetarian.",
        "no": "There is nothing vegetarian.",
    },
    "internet_access": {
        "wlan": "Guests have wireless internet.",
        "yes": "Guests have wireless internet.",
        "no": "There is no internet for guests.",
    },
}
FIRST_SENTENCES: Sentences = {
    **SENTENCES,
    "wheelchair": {
        "yes": "A wheelchair gets in easily.",
        "limited": "With a wheelchair one needs help to get in.",
        "no": "There is no way in for wheelchairs.",
    },
}
"""Of the first version of the templates."""
NOTHING = "Nothing special was noticed."
FULFIL = frozenset({"yes", "only", "wlan"})
CUISINE = "cuisine "
"""How a wish begins that is for a cuisine."""


def review_of(tags: Mapping[str, str | None], sentences: Sentences = SENTENCES) -> str:
    """What a review says of a place with these tags."""
    told = [values.get(tags.get(tag) or "") for tag, values in sentences.items()]
    return " ".join(sentence for sentence in told if sentence) or NOTHING


def fulfils(wish: str, tags: Mapping[str, str | None]) -> bool:
    """Whether a place with these tags has what somebody wishes: a tag of SENTENCES, or a cuisine among those it has."""
    if wish.startswith(CUISINE):
        return wish.removeprefix(CUISINE) in (tags.get("cuisine") or "").split(";")
    return tags.get(wish) in FULFIL
