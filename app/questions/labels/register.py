"""What each kind of label makes of a row of a pick. Pure."""

from collections.abc import Callable, Mapping
from typing import Any

from app.questions.labels.class_words import class_word
from app.questions.labels.place_labels import place_label
from app.templates.templates import LabelKind


def _class_label(row: Mapping[str, Any]) -> str:
    return class_word(str(row["value"]))


def _described_label(row: Mapping[str, Any]) -> str:
    """A place by what a source says of it: `the hotel whose architect, as given by …, is …`."""
    said = f"{row['words']}, as given by {row['credit']}, is {row['shown']}"
    return f"the {class_word(row['class'])} whose {said}"


_LABELS: Mapping[LabelKind, Callable[[Mapping[str, Any]], str]] = {
    "place": place_label,
    "class": _class_label,
    "described": _described_label,
}


def label_of(kind: LabelKind, row: Mapping[str, Any]) -> str:
    """The label of a pick's row; its columns are those that the kind needs (grammar: sql_templates/README.md)."""
    return _LABELS[kind](row)
