"""JSON in answers: whole, fenced, inside prose, or several one after another; text → its objects.

Only outermost objects count, in their order. What looks like JSON and is none is passed over.
"""

import json
import math
import re
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from app.scores.reading.cleaning import MAX_END, plain

MAX_TRIES = 100
"""Opening braces that are looked at: each costs at most one pass over the text."""
MAX_DIGITS = 300
LONGEST_WHOLE = 20_000
"""Characters of an answer that may be JSON as a whole."""
DEEPEST = 5

_FENCE = re.compile(r"\A```[a-z]*\n(.*?)\n?```\Z", re.DOTALL)


class PlacedObject(NamedTuple):
    """An object, and where its text begins and ends."""

    start: int
    end: int
    value: dict[str, Any]


def objects_in(text: str) -> list[dict[str, Any]]:
    """The JSON objects in `text`; in long texts, those of its beginning and of its end."""
    if len(text) > 2 * MAX_END:
        text = f"{text[:MAX_END]}\n{text[-MAX_END:]}"
    return [placed.value for placed in placed_objects(text)]


def placed_objects(text: str) -> Iterator[PlacedObject]:
    """The JSON objects in `text` with their places; costs at most MAX_TRIES passes over it."""
    start = text.find("{")
    for _ in range(MAX_TRIES):
        if start < 0:
            break
        try:
            value, end = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            end = start + 1
        else:
            yield PlacedObject(start, end, value)
        start = text.find("{", end)


def told_under(answer: str, fields: Collection[str]) -> str:
    """What the answer's objects say under the first of `fields` that says something; the answer where none has one.

    What several objects say differently is joined with "or", which readers of a single value refuse. Fields that are
    there and say nothing (null, NaN, lists) leave an empty text: nothing beside them was meant.
    """
    objects = objects_in(answer) if "{" in answer else []
    there = [field for field in fields if any(field in one for one in objects)]
    for field in there:
        told = [words for one in objects if (words := _in_words(one.get(field))) is not None]
        if told:
            return " or ".join(dict.fromkeys(told))
    return "" if there else answer


def first_text(answer: str, fields: Collection[str]) -> str | None:
    """The text of an answer that is JSON, or of the first object within its words that has one of `fields`.

    Of a list its first entry counts. None where there is no JSON of the kind, empty where it holds no text.
    """
    value = _whole(answer)
    if value is None:
        value = next((one for one in objects_in(answer) if any(field in one for field in fields)), None)
    if value is None:
        return None
    for _ in range(DEEPEST):
        if isinstance(value, list) and value:
            value = value[0]
        elif isinstance(value, dict):
            value = next((value[field] for field in fields if field in value), None)
    return plain(value) if isinstance(value, str) else ""


def _whole(text: str) -> Any:
    fenced = _FENCE.match(text) if len(text) <= LONGEST_WHOLE else None
    body = fenced[1] if fenced else text
    if len(body) > LONGEST_WHOLE or not body.startswith(("{", "[", '"')):
        return None
    try:
        return _DECODER.decode(body)
    except (ValueError, RecursionError):
        return None


def _in_words(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return str(value).strip() or None


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= MAX_DIGITS else math.inf


_DECODER = json.JSONDecoder(parse_int=_integer)
