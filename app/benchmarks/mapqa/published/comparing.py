"""Answers against keys in the form of MapQA's files. Pure. Metres.

The authors publish no checker. These are the rules that the form of their keys suggests: names alike but for case and
punctuation, sets that "; " parts, "No amenities found", and distances up to an error of 1 %.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.scores.reading.cleaning import loose_key_of
from app.scores.reading.lengths import read_length
from app.scores.score import Component, Outcome, Score, unparseable

PARTED_BY = "; "
"""What parts the answers of a set; a semicolon without a blank is part of a name or a value."""
NONE = frozenset(
    {"no amenities found", "no amenities", "no results", "no results found", "none", "none found"}
)
"""What an answer says, without punctuation, where there is nothing."""
CORRECT_UP_TO = 0.01


def _score(is_right: bool, parsed: Mapping[str, Any], **components: Component) -> Score:
    outcome = Outcome.CORRECT if is_right else Outcome.WRONG
    return Score(outcome, float(is_right), components, parsed)


def _has_words(text: str) -> bool:
    return any(character.isalnum() for character in text)


def judge_name(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """Right where a gold name stands in the answer, whatever else does."""
    said = loose_key_of(answer)
    if not _has_words(said):
        return unparseable("no name")
    named = [one for one in gold.get("names", ()) if f" {loose_key_of(one)} " in f" {said} "]
    return _score(bool(named), {"name": named[0] if named else answer[:200]})


def judge_names(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """Right where the parts of the answer are the set; `f1` is that of the two sets."""
    parts = [part for line in answer.splitlines() for part in line.split(PARTED_BY)]
    keys = {key for part in parts if _has_words(key := loose_key_of(part.strip(" .;")))}
    if not keys:
        return unparseable("no names", f1=1.0)
    said = set() if keys <= NONE else keys
    right = {loose_key_of(one) for one in gold["members"]}
    shared = 2 * len(said & right) / (len(said) + len(right)) if said or right else 1.0
    return _score(said == right, {"names": sorted(said)[:200]}, f1=Component(shared, 1.0, True))


def judge_distance(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """Right up to an error of 1 %, whatever unit the distance is told in."""
    reading = read_length(answer)
    if reading.value is None:
        return unparseable(reading.reason or "", relative_error=1.0)
    error = abs(reading.value - gold["distance"]) / gold["distance"]
    return _score(
        error <= CORRECT_UP_TO,
        {"metres": reading.value},
        relative_error=Component(min(error, 1.0), 1.0, True),
    )


JUDGES: Mapping[str, Callable[[str, Mapping[str, Any], Sequence[str] | None], Score]] = {
    "name": judge_name,
    "mapqa_names": judge_names,
    "mapqa_distance": judge_distance,
}
"""By the scorer that our rules have for such questions."""
