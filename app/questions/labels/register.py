"""What each kind of label makes of a row of a pick. Pure."""

from collections.abc import Callable, Mapping
from typing import Any

from app.core.class_words import class_word
from app.questions.labels.group_labels import listed_places_label, tour_label, trip_label
from app.questions.labels.options import address_as_option, class_as_option
from app.questions.labels.place_labels import (
    address_label,
    class_place_label,
    classed_label,
    context_place_label,
    place_label,
    street_place_label,
    surroundings,
)
from app.questions.labels.scene_labels import scene_in_words, scene_label
from app.templates.templates import LabelKind

OPENSTREETMAP = "OpenStreetMap"
"""How facts that are tags of the map are credited."""


def _class_label(row: Mapping[str, Any]) -> str:
    return class_word(str(row["value"]))


def _class_of_label(row: Mapping[str, Any]) -> str:
    """The class of a place that is not named."""
    return class_word(str(row["class"]))


def _described_label(row: Mapping[str, Any]) -> str:
    """A place by what a source says of it: `the hotel in Basel whose architect (as given by …) is …`."""
    return _described(row, row["words"] + _source_remark(row["credit"]))


def _described(row: Mapping[str, Any], words: str) -> str:
    return f"the {class_word(row['class'])}{_where(row)} whose {words} is {row['shown']}"


def _where(row: Mapping[str, Any]) -> str:
    """` in Basel`: where a place is that is not named; nothing where the map does not know it."""
    known = surroundings(row)
    return f" in {known[0]}" if known else ""


def _source_remark(credit: str) -> str:
    """What a precise text says of where a fact comes from; nothing of OpenStreetMap, which its note names."""
    return "" if credit == OPENSTREETMAP else f" (as given by {credit})"


def _name_label(row: Mapping[str, Any]) -> str:
    return str(row["name"])


_LABELS: Mapping[LabelKind, Callable[[Mapping[str, Any]], str]] = {
    "address": address_label,
    "addressed": _name_label,
    "class": _class_label,
    "class_of": _class_of_label,
    "class_place": class_place_label,
    "classed": classed_label,
    "context_place": context_place_label,
    "described": _described_label,
    "listed_places": listed_places_label,
    "place": place_label,
    "scene": scene_label,
    "street_place": street_place_label,
    "tour": tour_label,
    "trip": trip_label,
}


def label_of(kind: LabelKind, row: Mapping[str, Any]) -> str:
    """The label of a pick's row; its columns are those that the kind needs (grammar: sql_templates/README.md)."""
    return _LABELS[kind](row)


_SAID_OF_A_PLACE: Mapping[str, str] = {
    "architect": "designed by {}",
    "capacity (number of places)": "with room for {}",
    "elevation above sea level in metres": "that lies {} above sea level",
    "former name": "formerly called {}",
    "height in metres": "that is {} high",
    "number of beds": "with {} beds",
    "number of floors": "with {} floors",
    "number of rooms": "with {} rooms",
    "number of seats": "with {} seats",
    "operator": "run by {}",
    "owner": "owned by {}",
    "year of foundation or construction": "that dates from {}",
    "year of opening": "that opened in {}",
}
"""What people say of a place in place of "whose … is …"."""


def everyday_label_of(kind: LabelKind, row: Mapping[str, Any]) -> str | None:
    """The label in everyday texts, which do not say where a fact comes from; None where it is the same."""
    if kind != "described":
        return None
    said = _SAID_OF_A_PLACE.get(str(row["words"]))
    if said is None:
        return _described(row, str(row["words"]))
    return f"the {class_word(row['class'])}{_where(row)} {said.format(row['shown'])}"


_IN_WORDS: Mapping[LabelKind, Callable[[Mapping[str, Any]], Mapping[str, Any]]] = {
    "addressed": address_as_option,
    "classed": class_as_option,
    "scene": scene_in_words,
}


def columns_in_words(kind: LabelKind, row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Further columns of a pick's row that hold words: what it offers as an option, and what its label tells."""
    return _IN_WORDS[kind](row) if kind in _IN_WORDS else {}
