"""Everyday words for kinds of places, as classes of OpenStreetMap: what a model knows of its tags."""

import re
import unicodedata
from typing import Final

OTHERWISE: Final = {
    "petrol station": "fuel",
    "gas station": "fuel",
    "filling station": "fuel",
    "doctor's practice": "doctors",
    "doctor": "doctors",
    "cash machine": "atm",
    "cash point": "atm",
    "chemist's": "chemist",
    "sports shop": "sports",
    "sport shop": "sports",
    "car dealer": "car",
    "delicatessen": "deli",
    "work of art": "artwork",
    "physiotherapy practice": "physiotherapist",
    "shopping centre": "mall",
    "town hall": "townhall",
    "vet": "veterinary",
    "swimming pool": "swimming_pool",
    "dental practice": "dentist",
    "dentist's practice": "dentist",
    "car park": "parking",
    "tourist information": "information",
}
"""Those whose class is called differently."""
IN_PAPERS: Final = {"hotel": "lodging", "fast_food": "meal_takeaway"}
"""Classes that the paper's service calls by another type; those that it has no type for are keywords."""
_KEPT = frozenset({"shop", "office", "practice", "of", "an", "a", "the", "s"})


def class_of(kind: str) -> str:
    """The class that an everyday word means, in one or many: `fuel` for `petrol stations`."""
    words = _plain(kind)
    for one in (words, singular(words)):
        if one in OTHERWISE:
            return OTHERWISE[one]
    one = singular(words)
    return re.sub(r" (?:shop|store)$", "", one).replace("'s", "").replace(" ", "_")


def fits_kind(said: str | None, kind: str) -> bool:
    """Whether a place of this kind, as a tool says it, can be what a question calls so."""
    if said is None:
        return True
    wanted = class_of(said).replace("_", " ")
    return wanted == kind or bool((set(re.findall(r"\w+", _plain(said))) - _KEPT) & set(kind.split()))


def singular(words: str) -> str:
    """One of what the words say: `fast food place` for `fast food places`."""
    for ending, one in (("ies", "y"), ("ches", "ch"), ("sses", "ss"), ("s", "")):
        if words.endswith(ending) and not words.endswith(("ss", "'s")):
            return words.removesuffix(ending) + one
    return words


def _plain(words: str) -> str:
    letters = unicodedata.normalize("NFD", words.casefold().replace("’", "'"))
    return re.sub(r"\bplace$|\bplaces$", "", "".join(one for one in letters if one.isascii())).strip()
