"""Multiple choice: answer text → the index of one option, or why none.

In this order: the last "Answer: X"; a line that is a letter, an option's text, or both; a single "(B)" or
"option B" in running text. Two different options at the place that decides are a conflict, and unparseable.
"""

import re
from collections.abc import Sequence

from app.scores.reading.cleaning import (
    key_of,
    last_word,
    lines_of,
    loose_key_of,
    marked_segments,
    plain,
    undecorated,
)
from app.scores.reading.reading import Reading

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LABEL = re.compile(r"\(?(?P<letter>[A-Za-z])(?P<close>\s*[).:,;\]]+|(?=\s|-|$))\s*(?P<rest>.*)", re.DOTALL)
_LONE_LETTER = re.compile(r"\(?(?P<letter>[A-Za-z])\s*[).:,;\]]*")
_SECOND_LABEL = re.compile(r"(?:or|and|/|&|\+|,)?\s*\(?(?P<letter>[A-Z])\)?(?![\w'])")
_EXPLAINS = re.compile(r"(?:because|since|as|is|-|\()(?!\w)", re.IGNORECASE)
_MENTION = re.compile(r"\((?P<bracketed>[A-Z])\)|\b(?:option|choice)\s+\(?(?P<named>[A-Z])\b")
_LINES = 40


class _Options:
    """A question's options, by key; the loose keys serve where they still tell the options apart."""

    def __init__(self, options: Sequence[str]) -> None:
        self.count = len(options)
        self.exact = {_exact_key(undecorated(plain(option))): index for index, option in enumerate(options)}
        loose = [loose_key_of(option) for option in options]
        wordy = all(any(c.isalpha() for c in key) for key in loose)
        self.loose = (
            {key: index for index, key in enumerate(loose)} if wordy and len(set(loose)) == len(loose) else {}
        )

    def index_of_letter(self, letter: str) -> int | None:
        index = _LETTERS.index(letter.upper())
        return index if index < self.count else None

    def index_of_text(self, text: str) -> int | None:
        text = undecorated(text)
        for candidate in (text, text.rstrip(".")):
            index = self.exact.get(_exact_key(candidate))
            if index is not None:
                return index
        return self.loose.get(loose_key_of(text)) if self.loose else None


def _exact_key(text: str) -> str:
    """For coordinates and numbers, whose punctuation matters: brackets around all of it and blanks at commas do not."""
    key = key_of(text)
    if key.startswith("(") and key.endswith(")"):
        key = key[1:-1].strip()
    return ", ".join(part.strip() for part in key.split(","))


def _choices_in(segment: str, options: _Options) -> set[int]:
    """The options that `segment`, one line, states; empty where it states none, two and more in a conflict."""
    segment = undecorated(segment)
    by_text = options.index_of_text(segment)
    lone = _LONE_LETTER.fullmatch(segment)
    if lone:
        by_letter = options.index_of_letter(lone["letter"])
        return {index for index in (by_text, by_letter) if index is not None}
    if by_text is not None:
        return {by_text}
    label = _LABEL.match(segment)
    by_letter = options.index_of_letter(label["letter"]) if label else None
    if label is None or by_letter is None:
        return set()
    rest = label["rest"]
    of_rest = options.index_of_text(rest)
    if of_rest is not None:
        return {by_letter, of_rest}
    second = _SECOND_LABEL.match(rest)
    if (
        second
        and (other := options.index_of_letter(second["letter"])) is not None
        and label["letter"].isupper()
    ):
        return {by_letter, other}
    closed = bool(label["close"].strip()) or bool(_EXPLAINS.match(rest))
    return {by_letter} if closed and label["letter"].isupper() else set()


def _decide(choices: set[int]) -> Reading[int]:
    if len(choices) == 1:
        return Reading(choices.pop())
    return Reading(reason="names " + " and ".join(_LETTERS[index] for index in sorted(choices)))


def read_option(answer: str, options: Sequence[str]) -> Reading[int]:
    """The index of the option that `answer` chooses among at most 26."""
    known = _Options(options)
    text = last_word(plain(answer))
    whole = known.index_of_text(text) if len(text) <= 2000 else None
    if whole is not None and not _LONE_LETTER.fullmatch(text):
        return Reading(whole)
    for segment in marked_segments(text):
        choices = _choices_in(segment, known)
        if choices:
            return _decide(choices)
    choices = set().union(*(_choices_in(line, known) for line in lines_of(text, _LINES)))
    if choices:
        return _decide(choices)
    for mention in _MENTION.finditer(text):
        index = known.index_of_letter(mention["bracketed"] or mention["named"])
        if index is not None:
            choices.add(index)
    return _decide(choices) if choices else Reading(reason="no option named")
