"""Names: answer text → the one name it gives; the first, where it lists several.

A list earns nothing: only its first entry is looked at.
"""

import json
import re
from typing import Any

from app.scores.reading.cleaning import (
    MAX_SEGMENT,
    last_word,
    lines_of,
    loose_key_of,
    marked_segments,
    plain,
    undecorated,
)
from app.scores.reading.reading import Reading

_FENCE = re.compile(r"\A```[a-z]*\n(.*?)\n?```\Z", re.DOTALL)
_FIELDS = ("answer", "name", "poi_name")
_BOLD = re.compile(r"\*\*([^*\n]{1,300}+)\*\*")
_QUOTED = re.compile(r'"([^"\n]{1,300}+)"')
_SENTENCE = re.compile(
    r"(?:the|it|that|this|one|an?)\b.{0,400}?\b(?:is|was|would be|called|named)\s+"
    r"(?!the\b|an?\b|called\b|named\b)(.+)",
    re.IGNORECASE,
)
_CUT = re.compile(r", | \(| - |; |: ")


def read_name(answer: str) -> Reading[str]:
    """The name that `answer` gives, undecorated: after the last "Answer:", else in JSON, bold, quotes, a sentence
    ("The nearest restaurant is X."), else the first line."""
    text = last_word(plain(answer))
    name = _from_json(text)
    if name is None:
        name = next(marked_segments(text), None)
    if name is None:
        first = next((line for line in text[: 4 * MAX_SEGMENT].split("\n") if line.strip()), "")[:MAX_SEGMENT]
        name = _from_sentence(first)
    name = undecorated(name or "").strip()
    if name.endswith(".") and name.count(".") == 1:
        name = name[:-1].rstrip(" \"'")
    return Reading(name[:MAX_SEGMENT]) if loose_key_of(name) else Reading(reason="no name")


def keys_of_name(name: str) -> list[str]:
    """The comparison keys of a name as read: all of it, then what stands before an address or a remark."""
    whole = loose_key_of(name)
    head = loose_key_of(_CUT.split(name, maxsplit=1)[0])
    return [whole] if head == whole or not head else [whole, head]


def _from_sentence(line: str) -> str:
    for pattern in (_BOLD, _QUOTED):
        spans = pattern.findall(line)
        if len(spans) == 1:
            return str(spans[0])
    line = next(iter(lines_of(line, 1)), "")
    sentence = _SENTENCE.fullmatch(line)
    return sentence[1] if sentence else line


def _from_json(text: str) -> str | None:
    if len(text) > 10_000:
        return None
    fenced = _FENCE.match(text)
    body = fenced[1] if fenced else text
    if not body.startswith(("{", "[", '"')):
        return None
    try:
        value: Any = json.loads(body)
    except (ValueError, RecursionError):
        return None
    while isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, dict):
        value = next((value[field] for field in _FIELDS if field in value), None)
    return value if isinstance(value, str) else None
