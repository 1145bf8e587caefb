"""What the items of both files have in common: classes, faults told one by one, gold as our scorer reads it."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.core.strict_json import shown_name
from app.questions.gold import UNANSWERABLE, VALUE
from app.questions.imported.json_files import JsonFile, is_storable

BENCHMARK = "mapeval"
UNANSWERABLE_CLASS = "unanswerable"
LICENCE = {
    "name": "licence not stated by its authors",
    "attribution": "place data of Google Maps, 2024, as published by the authors of MapEval",
    "url": "https://mapeval.github.io/",
}
NO_OPTION = -1
"""The place that stands for the paper's option 0: the question cannot be answered."""
PADDED = "padded_options"
EQUAL = "equal_options"
EQUAL_KEY = "key_is_one_of_equal_options"
MALFORMED = "left_out"
WORDS = {
    PADDED: "options are padded with empty ones; these are left out",
    EQUAL: "two options have the same text; both are kept",
    EQUAL_KEY: "the key is one of two equal options; both are accepted",
    MALFORMED: "the item is malformed and is left out",
}


class MalformedItem(Exception):
    """What is wrong with an item, in words: it cannot be asked."""


@dataclass
class ItemFaults:
    """The faults that were found so far, counted and told one by one."""

    file: JsonFile
    counted: Counter[str] = field(default_factory=Counter)
    told: list[str] = field(default_factory=list)

    def add(self, name: str, place: str, said: str) -> None:
        """Count a fault of one item, and tell it with the item's place in the file."""
        self.counted[name] += 1
        self.told.append(f"{self.file.path}, {place}: {said}")

    def notes(self) -> dict[str, int]:
        """As `ImportedFiles.notes` counts them."""
        return {name: self.counted[name] for name in WORDS if self.counted[name]}


def text_of(item: Mapping[str, Any], name: str) -> str:
    """The text under `name`. Raises MalformedItem where there is none, or one that no database keeps."""
    value = item.get(name)
    if not isinstance(value, str):
        raise MalformedItem(f"`{name}` is {'missing' if name not in item else 'no text'}")
    if not is_storable(value):
        raise MalformedItem(f"`{name}` holds a character that no database keeps")
    return value


def class_of(item: Mapping[str, Any], known: Sequence[str]) -> str:
    """The class of an answerable item. Raises MalformedItem for one that there is not."""
    value = item.get("classification")
    if value not in known:
        named = shown_name(value) if isinstance(value, str) else "no text"
        raise MalformedItem(f"`classification` is {named}, none of {', '.join(known)}")
    return str(value)


def kind_of(question: str) -> str | None:
    """The kind for which the paper counts questions, by the question's words; None for every other question.

    How many places one can visit is a question of a trip, and does not count.
    """
    if re.search(r"straight[- ]?line", question, re.IGNORECASE):
        return "straight line"
    if re.search(r"\bdirection\b", question, re.IGNORECASE):
        return "direction"
    counts = re.search(r"\bhow many\b(?!.*\bvisit\b)", question, re.IGNORECASE | re.DOTALL)
    return "counting" if counts else None


def gold_of(options: Sequence[str], key: int, task: str) -> tuple[dict[str, Any], str]:
    """Gold and its kind: `index` is the key's place, `also` the places of options with the same text.

    `reply` names the task, and so the form in which the paper takes answers.
    """
    also = (
        [place for place, one in enumerate(options) if place != key and one == options[key]]
        if key >= 0
        else []
    )
    gold = {"index": key, **({"also": also} if also else {}), "reply": task}
    return gold, UNANSWERABLE if key == NO_OPTION else VALUE


def note_equal_options(
    faults: ItemFaults, place: str, options: Sequence[str], gold: Mapping[str, Any]
) -> None:
    """Tell of options with one text."""
    equal = sorted(one for one, count in Counter(options).items() if count > 1)
    if equal:
        faults.add(
            EQUAL, place, f"several options are {', '.join(map(shown_name, equal))}; all of them are kept"
        )
    if "also" in gold:
        faults.add(EQUAL_KEY, place, "its key is one of them; each is accepted")
