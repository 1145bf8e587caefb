"""What each kind of label makes of a row of a pick. Pure."""

from collections.abc import Callable, Mapping
from typing import Any

from app.questions.labels.class_words import class_word
from app.questions.labels.place_labels import place_label
from app.templates.templates import LabelKind

OPENSTREETMAP = "OpenStreetMap"
"""How facts that are tags of the map are credited."""


def _class_label(row: Mapping[str, Any]) -> str:
    return class_word(str(row["value"]))


def _described_label(row: Mapping[str, Any]) -> str:
    """A place by what a source says of it: `the hotel whose architect (as given by …) is …`."""
    return _described(row, row["words"] + _source_remark(row["credit"]))


def _described(row: Mapping[str, Any], words: str) -> str:
    return f"the {class_word(row['class'])} whose {words} is {row['shown']}"


def _source_remark(credit: str) -> str:
    """What a precise text says of where a fact comes from; nothing of OpenStreetMap, which its note names."""
    return "" if credit == OPENSTREETMAP else f" (as given by {credit})"


_LABELS: Mapping[LabelKind, Callable[[Mapping[str, Any]], str]] = {
    "place": place_label,
    "class": _class_label,
    "described": _described_label,
}


def label_of(kind: LabelKind, row: Mapping[str, Any]) -> str:
    """The label of a pick's row; its columns are those that the kind needs (grammar: sql_templates/README.md)."""
    return _LABELS[kind](row)


def everyday_label_of(kind: LabelKind, row: Mapping[str, Any]) -> str | None:
    """The label in everyday texts, which do not say where a fact comes from; None where it is the same."""
    return _described(row, str(row["words"])) if kind == "described" else None
