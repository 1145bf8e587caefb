"""A hidden place by what lies around it."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from app.core.class_words import class_word
from app.questions.grammar import plural, with_article
from app.questions.labels.options import class_as_option
from app.questions.labels.place_labels import listed


def scene_label(row: Mapping[str, Any]) -> str:
    """`on Lindenweg in Altstadt, near a bank, 2 car parks and a school`.

    The row has street, area (a name) and kinds (the classes of the places around, the nearest first).
    """
    numbers = Counter(class_word(kind) for kind in row["kinds"])
    kinds = (with_article(word) if n == 1 else f"{n} {plural(word)}" for word, n in numbers.items())
    return f"on {row['street']}{_area(row)}, near {listed(kinds)}"


def scene_in_words(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a scene tells of its place in particular, and the hidden class as an option.

    The columns are those of `scene_label`, class and is_option.
    """
    kinds = " ".join(class_word(kind) for kind in row["kinds"])
    return {**class_as_option(row), "tells": f"{row['street']}{_area(row)} {kinds}"}


def _area(row: Mapping[str, Any]) -> str:
    return f" in {row['area']}" if row["area"] else ""
