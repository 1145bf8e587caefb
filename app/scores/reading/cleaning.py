"""Answer text made plain: one form of white space, digits, quotes and dashes; decoration of Markdown taken off.

Linear in the text's length for any text, lone surrogates and a million combining marks included.
"""

import re
import unicodedata
from collections.abc import Iterator

from app.core.names import normal_form
from app.scores.reading.remembering import remembered

MAX_END = 100_000
"""Characters that are kept of each end of an answer; what stands between is not read."""
MAX_MARKS = 30
"""Longest run of combining marks that is kept (UAX #15, stream-safe text): normalising sorts each run."""
MAX_SEGMENT = 600
"""Characters that are read after a marker; an OSM value has at most 255."""
MAX_MARKERS = 64
"""Markers that are looked at, from the last one back."""

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201b\u02bc\u00b4\u2032\uff07", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033\uff02", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2028\u2029\x0b\x0c\x85", "\n"),
        "\u00ba": "\u00b0",
        "\u00d7": "x",
    }
)
_MARKER = re.compile(
    r"""
      \b(?:answer|option|choice|response)\b ["'*_)\]]*+ [^\S\n]*+
      (?: (?:is|was|would[ ]be)\b [^\S\n]*+ :?+ | [:=] | -(?=[ ]) )
    | <answer>
    | \\boxed\{ (?>(?:\\text\{)?)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SEGMENT_ENDS = re.compile(r"\n|</|\}")
_LIST_ITEM = re.compile(r"\A(?:[-*+\u2022]\s+|[0-9]{1,3}[.)]\s+|#{1,6}\s+|>\s+)")
_DECORATION = " \t\n*_\"'#`"


def plain(text: str) -> str:
    """`text` in NFKC with ASCII digits, quotes and dashes, newlines as line ends, no invisible characters."""
    text = shortened(text).replace("\r\n", "\n").replace("\r", "\n").translate(_PLAIN)
    if text.isascii():
        return (
            "".join(c if " " <= c <= "~" or c == "\n" else " " for c in text)
            if not text.isprintable()
            else text
        )
    text = unicodedata.normalize("NFKC", "".join(_bounded_marks(text))).translate(_PLAIN)
    return "".join(map(_visible, text))


def shortened(text: str) -> str:
    """Both ends of a text that is too long; what is made plain may have grown eighteenfold."""
    return text if len(text) <= 2 * MAX_END else f"{text[:MAX_END]}\n{text[-MAX_END:]}"


def _bounded_marks(text: str) -> Iterator[str]:
    marks = 0
    for character in text:
        marks = marks + 1 if character > "\u02ff" and unicodedata.combining(character) else 0
        if marks <= MAX_MARKS:
            yield character


def _visible(character: str) -> str:
    if " " <= character <= "~" or character == "\n":
        return character
    category = unicodedata.category(character)
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if category == "Cf":
        return ""
    return " " if category[0] in "CZ" and category != "Co" else character


def marked_segments(text: str) -> Iterator[str]:
    """What follows "Answer:", "the answer is", <answer> or \\boxed{, to the line's end; the last one first.

    Empty segments are left out; where the marker ends its line, the next line that is not empty counts.
    """
    ends: list[int] = [match.end() for match in _MARKER.finditer(text)]
    for end in reversed(ends[-MAX_MARKERS:]):
        window = text[end : end + MAX_SEGMENT].lstrip(_DECORATION + ":")
        segment = _SEGMENT_ENDS.split(window, maxsplit=1)[0]
        if segment.strip(_DECORATION):
            yield segment


def undecorated(line: str) -> str:
    """`line` without Markdown's bold and list marks, and without quotes around all of it."""
    line = _LIST_ITEM.sub("", line.strip())
    return line.replace("**", "").replace("__", "").strip(_DECORATION)


def lines_of(text: str, limit: int) -> list[str]:
    """The first and the last `limit` lines of `text` that are not empty, undecorated."""
    lines = [line for line in text.split("\n") if line.strip(_DECORATION)]
    if len(lines) > 2 * limit:
        lines = lines[:limit] + lines[-limit:]
    return [undecorated(line[:MAX_SEGMENT]) for line in lines]


def key_of(text: str) -> str:
    """`text` for comparison: NFKC, case folded, runs of white space to one blank, stripped."""
    return normal_form(plain(text))


@remembered
def loose_key_of(text: str) -> str:
    """As `key_of`, without punctuation: apostrophes vanish, the rest parts words; unchanged where nothing is left."""
    key = key_of(text)
    spaced = key.replace("'", "").replace(".", "")
    words = "".join(" " if unicodedata.category(c)[0] in "PS" else c for c in spaced).split()
    return " ".join(words) or key
