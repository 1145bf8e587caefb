"""Multiple choice where options are numbered from 1, and 0 stands for "cannot be answered": reply → the option's place.

Where an option says in words that the question cannot be answered, it is option 0, and the others are numbered.

In this order: the field `option_no` of a JSON object, `^^number^^`, a number or an option's text as a label does, and
what `read_option` reads. Source of the forms: MapEval, appendices of prompts; of the place of each rule: our own.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from app.questions.gold import NO_ANSWER
from app.scores.reading.cleaning import key_of, plain
from app.scores.reading.options import read_option
from app.scores.reading.reading import Reading
from app.scores.reading.spoken import spoken

NO_OPTION = -1
"""The place that option 0 is read as."""
FIELD = "option_no"
_MARKED = re.compile(r"\^\^([^^\n]{0,200})\^\^")
_NUMBER = re.compile(r"(?<![0-9.])[0-9]{1,9}(?![0-9])(?!\.[0-9])")
_LEADING = re.compile(
    r"\W*(?:option\s*)?\(?\s*([0-9]{1,2})\s*(?:[).:]+(?![0-9])|\Z)\s*(?P<rest>.*)", re.I | re.S
)
_NAMED = re.compile(r"\boption\s*(?:no\.?|number|#)?\s*:?\s*\(?([0-9]{1,2})\b", re.IGNORECASE)
_MOST_OBJECTS = 50
_LONGEST = 20_000
"""Characters of a reply that are looked at."""


def read_numbered_option(reply: str, options: Sequence[str]) -> Reading[int]:
    """The place of the option that the reply chooses, counted from 0, or why there is none.

    For option 0 that is NO_OPTION, where no option says the same in words.
    """
    said = spoken(reply)[:_LONGEST]
    for value in (one for found in json_objects(said) for one in _fields_of(found)):
        return place_of_number(_whole(value), options)
    marked = _MARKED.search(said)
    if marked is not None:
        number = _NUMBER.search(marked[1])
        return place_of_number(int(number[0]) if number else None, options)
    return _by_label(said, options) or read_option(reply, options)


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """The objects of JSON that stand in a text, in their order; braces that begin none are passed over."""
    decoder, at = json.JSONDecoder(), text.find("{")
    for _ in range(_MOST_OBJECTS):
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(text, at)
            yield value
        except (ValueError, RecursionError):
            end = at + 1
        at = text.find("{", end)


def _fields_of(found: dict[str, Any]) -> Iterator[Any]:
    return (value for name, value in found.items() if name.strip().casefold() == FIELD)


def _whole(value: Any) -> int | None:
    """A whole number, as JSON or in digits in a text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, str):
        found = re.fullmatch(r"\s*(?:option\s*)?([0-9]{1,9})\s*", value, re.IGNORECASE)
        return int(found[1]) if found else None
    return None


def place_of_number(number: int | None, options: Sequence[str]) -> Reading[int]:
    """The place of the option of that number."""
    if number is None:
        return Reading(reason="gives no number of an option")
    numbered = [place for place, one in enumerate(options) if one != NO_ANSWER]
    if not 0 <= number <= len(numbered):
        return Reading(reason="names a number that is no option")
    if number:
        return Reading(numbered[number - 1])
    return Reading(options.index(NO_ANSWER) if NO_ANSWER in options else NO_OPTION)


def _by_label(said: str, options: Sequence[str]) -> Reading[int] | None:
    """By a number at the beginning, or the only one that is called an option; None where neither stands there."""
    leading = _LEADING.fullmatch(said.strip())
    named = {int(one) for one in _NAMED.findall(said)}
    if leading is not None:
        number, rest = int(leading[1]), leading["rest"]
    elif len(named) == 1:
        number, rest = named.pop(), ""
    else:
        return None
    read = place_of_number(number, options)
    if read.value is None:
        return None
    others = {
        place for place, one in enumerate(options) if _key(one) in (_key(said), _key(rest)) and _key(one)
    }
    if others and read.value not in others:
        return Reading(reason="its number and its words name two options")
    return read


def _key(text: str) -> str:
    return key_of(plain(text)).strip(" .*_`\"'")
