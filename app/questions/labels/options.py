"""What a row of a pick offers as an option, in words: its class, or its address.

The columns are those that `alike.candidate_of` reads.
"""

from collections.abc import Mapping
from typing import Any

from app.core.class_words import class_text, class_word
from app.questions.labels.place_labels import address_label


def class_as_option(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The word of the row's class where it `is_option`; compared with others by the tag's own words.

    The row has class and is_option.
    """
    text, word = class_text(row["class"]), class_word(row["class"])
    return {
        "option": word if row["is_option"] else None,
        "option_group": text,
        "option_says": f"{text} {word}",
    }


def address_as_option(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The address of the row where it `is_option`. The row has is_option and the columns of an address."""
    return {"option": address_label(row) if row["is_option"] else None}
