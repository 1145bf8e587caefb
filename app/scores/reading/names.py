"""Names: answer text → the one name it gives; the first, where it lists several.

A list earns nothing: only its first entry is looked at.
"""

import re

from app.scores.reading.cleaning import (
    MAX_SEGMENT,
    lines_of,
    loose_key_of,
    marked_segments,
    undecorated,
)
from app.scores.reading.objects import first_text
from app.scores.reading.reading import Reading
from app.scores.reading.remembering import remembered
from app.scores.reading.spoken import likely_part

_FIELDS = ("answer", "name", "poi_name")
_BOLD = re.compile(r"\*\*([^*\n]{1,300}+)\*\*")
_QUOTED = re.compile(r'"([^"\n]{1,300}+)"')
_SENTENCE = re.compile(
    r"(?:the|it|that|this|one|an?)\b.{0,400}?\b(?:is|was|would be|called|named)\s+"
    r"(?!the\b|an?\b|called\b|named\b)(.+)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"(?!(?:the|it|that|this|there|one|an?)\b)(.{1,255}?) (?:is|would be|lies|stands) "
    r"(?:the|an?|one of|about|approximately|around|roughly|located|in|at|on|[0-9][0-9.,]{0,12} ?k?m)\b.{0,400}",
    re.IGNORECASE,
)
_CUT = re.compile(r", | \(| - |; |: ")


@remembered
def read_name(answer: str) -> Reading[str]:
    """The name that `answer` gives, undecorated: after the last "Answer:", else in JSON, bold, quotes, a sentence
    ("The nearest restaurant is X.", "X is the nearest restaurant."), else the first line."""
    text = likely_part(answer)
    name = first_text(text, _FIELDS)
    if name is None:
        name = next(marked_segments(text), None)
    if name is None:
        first = next((line for line in text[: 4 * MAX_SEGMENT].split("\n") if line.strip()), "")[:MAX_SEGMENT]
        name = _from_sentence(first)
    name = undecorated(name or "").strip()
    if name.endswith(".") and name.count(".") == 1:
        name = name[:-1].rstrip(" \"'")
    return Reading(name[:MAX_SEGMENT]) if loose_key_of(name) else Reading(reason="no name")


@remembered
def keys_of_name(name: str) -> tuple[str, ...]:
    """The comparison keys of a name as read: all of it, then what stands before an address or a remark."""
    whole = loose_key_of(name)
    head = loose_key_of(_CUT.split(name, maxsplit=1)[0])
    return (whole,) if head == whole or not head else (whole, head)


def _from_sentence(line: str) -> str:
    for pattern in (_BOLD, _QUOTED):
        spans = pattern.findall(line)
        if len(spans) == 1:
            return str(spans[0])
    line = next(iter(lines_of(line, 1)), "")
    sentence = _SENTENCE.fullmatch(line) or _SUBJECT.fullmatch(line)
    return sentence[1] if sentence else line
