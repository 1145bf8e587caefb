"""Faults of the authors' files that are seen in the files themselves: which of them a question has.

Source: the comparison of the paper with its release (docs/imported-data-sets.md lists them).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from app.benchmarks.gsqa.imported.gold import ADDRESS

Raw = Mapping[str, Any]
_SHORTEST_TOTAL = 1000.0
"""Metres: a total length below it is too short for a region; it comes of a filter that the stored SQL lacks."""
_UNSOUND_FACT = re.compile(r"^\s*(nan|none|null)?\s*$|\[[0-9a-z]{1,3}\]", re.IGNORECASE)


def faults_of(template: str, raw: Raw) -> list[str]:
    """The faults that a question of these files has, by their names in FAULTS."""
    answers = [one for one in raw["answers"] if isinstance(one, Mapping)]
    return [name for name, fault in FAULTS.items() if fault.is_in(template, raw, answers)]


def _entities(raw: Raw) -> list[Raw]:
    entities = raw.get("question_entities")
    return (
        [one for one in entities.values() if isinstance(one, Mapping)]
        if isinstance(entities, Mapping)
        else []
    )


def _has_anchor_geometry(template: str, raw: Raw, answers: Sequence[Raw]) -> bool:
    anchors = {one["geo_wkt"] for one in _entities(raw) if isinstance(one.get("geo_wkt"), str)}
    return ":direction" in str(raw.get("type")) and any(one.get("geometry") in anchors for one in answers)


def _repeats_answers(template: str, raw: Raw, answers: Sequence[Raw]) -> bool:
    rows = [repr(sorted((name, str(one)) for name, one in row.items() if name != "id")) for row in answers]
    return len(set(rows)) < len(rows)


def _alters_anchor(template: str, raw: Raw, answers: Sequence[Raw]) -> bool:
    names = [one["display_name"] for one in _entities(raw) if isinstance(one.get("display_name"), str)]
    text = raw["question"]
    return any(name not in text and name.lower() in text.lower() for name in names)


def _has_double_blank(template: str, raw: Raw, answers: Sequence[Raw]) -> bool:
    return "  " in raw["question"].strip()


def _lacks_address(template: str, raw: Raw, answers: Sequence[Raw]) -> bool:
    return raw.get("answer_type") == "loc" and any(
        not any(one.get(field) for field in ADDRESS[1:]) for one in answers
    )


def _has_unsound_fact(template: str, raw: Raw, answers: Sequence[Raw]) -> bool:
    return any(
        "multihop_answer" in one and _UNSOUND_FACT.search(str(one["multihop_answer"])) is not None
        for one in answers
    )


def _lacks_osm_ids(template: str, raw: Raw, answers: Sequence[Raw]) -> bool:
    return any("geometry" in one and "osm_id" not in one for one in answers)


def _is_short_total(template: str, raw: Raw, answers: Sequence[Raw]) -> bool:
    lengths = [one.get("length") for one in answers]
    return ":length_total" in str(raw.get("type")) and any(
        isinstance(length, int | float) and length < _SHORTEST_TOTAL for length in lengths
    )


class Fault(NamedTuple):
    """A fault that is seen in a question's file: what it is in words, and whether a question has it."""

    words: str
    is_in: Callable[[str, Raw, Sequence[Raw]], bool]


FAULTS: Mapping[str, Fault] = {
    "answer_has_anchor_geometry": Fault(
        "the place given for the answer is the place that the question names", _has_anchor_geometry
    ),
    "answers_repeat": Fault("an answer stands there twice", _repeats_answers),
    "anchor_name_altered": Fault(
        "the text writes the named place in other letters than its data", _alters_anchor
    ),
    "double_blank": Fault("the text has two blanks in a row", _has_double_blank),
    "answer_without_address": Fault("an answer that is asked for its address has none", _lacks_address),
    "unsound_fact": Fault("the fact is no value, or has a footnote mark", _has_unsound_fact),
    "answer_without_osm_id": Fault("an answer has no id in OpenStreetMap", _lacks_osm_ids),
    "short_total_length": Fault("a total length is less than one kilometre", _is_short_total),
}
"""By the name under which `load` counts them."""
