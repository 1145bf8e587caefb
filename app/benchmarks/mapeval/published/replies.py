"""Replies as MapEval's programs read them: a number of an option from 1, 0 for "cannot be answered", or invalid. Pure.

Their patterns have faults, such as a brace inside an explanation that ends the object. What came of them is reproduced
where it is defined: one attempt, without their tries again. For pictures no program was published: ours reads replies.
Source: MapEval, appendices of prompts, and its repositories MapEval-Textual and MapEval-API.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence

from app.scores.reading.numbered_options import FIELD, place_of_number, read_numbered_option
from app.scores.reading.reading import Reading

TEXTUAL = "textual"
API = "api"
VISUAL = "visual"
_OBJECT = re.compile(r"\{.*?\}", re.DOTALL)
_MARKED = re.compile(r"\^\^(.*?)\^\^", re.DOTALL)
_DIGIT = re.compile(r"[0-9]")
_LONGEST = 20_000
"""Characters of a reply that are looked at."""


def read_textual_reply(reply: str, options: Sequence[str]) -> Reading[int]:
    """By `option_no` of the first text between braces, the shortest one, which must be JSON."""
    found = _OBJECT.search(reply[:_LONGEST])
    if found is None:
        return Reading(reason="holds no braces")
    try:
        value = json.loads(found[0])[FIELD]
        number = int(value) if isinstance(value, int | str) and not isinstance(value, bool) else None
    except (ValueError, KeyError, RecursionError):
        number = None
    if number is None:
        return Reading(reason=f"is no JSON with a whole number under {FIELD} up to its first closing brace")
    return place_of_number(number, options)


def read_api_reply(reply: str, options: Sequence[str]) -> Reading[int]:
    """By the first digit of the first text between `^^` and `^^`."""
    found = _MARKED.search(reply[:_LONGEST])
    digit = None if found is None else _DIGIT.search(found[1])
    if digit is None:
        return Reading(reason="holds no digit between ^^ and ^^")
    return place_of_number(int(digit[0]), options)


READERS: Mapping[str, Callable[[str, Sequence[str]], Reading[int]]] = {
    TEXTUAL: read_textual_reply,
    API: read_api_reply,
    VISUAL: read_numbered_option,
}
"""By task: reply and options → the option's place counted from 0, -1 for option 0, or why there is none."""


def task_of(reply: str) -> str:
    """The task whose form a reply has: questions with a context are asked without it, too, of agents with tools."""
    return API if "^^" in reply else TEXTUAL
