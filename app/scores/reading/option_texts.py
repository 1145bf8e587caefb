"""The texts of a question's options, and which of them a piece of an answer is or begins with.

Texts are compared at several strictnesses; one that would take two options for the same does not count for those.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence

from app.scores.reading.cleaning import key_of, loose_key_of, plain, undecorated

_PUNCTUATED_NUMBER = re.compile(r"[0-9][^\w\s]+[0-9]|(?:^|[\s(,])[-+.][0-9]")
_GOES_ON = re.compile(
    r"\s*$|[.!?]+(?:\s|$)|,\s+(?![0-9])|;|:(?!\S)|\s+[-(\[]|。|、"
    r"|\s+(?:because|since|as|which|who|with|at|is|was|would|has|ist|est|es|è|é|är|on|это|है|هو|هي)\b"
    r"|\s*(?:です|だ|が|は|是|입니다|이다|이|가|은|는)"
)
_OR = re.compile(r"\s*(?:[/&+,]|(?:and|or|und|oder|et|ou|y|o|e|и|или|ja|tai|och|eller)\b|和|或|と|か)\s*")
_BLANK = str.maketrans("🅰🅱", "AB", "\ufe0e\ufe0f\u20e3\u2800\u3164\u115f\u1160\u034f\u0640")


class OptionTexts:
    """A question's options, at most 26."""

    def __init__(self, options: Sequence[str]) -> None:
        self.count = len(options)
        self.shown = [shown for option in options if (shown := plain(option).strip())]
        self.verbatim = _indexes([_nfc(option) for option in options])
        self._starts = [key_of(bare(plain(option))) for option in options]
        self._strict = _indexes([_strict_key(plain(option)) for option in options])
        self._squeezed = _indexes(["".join(_strict_key(plain(option)).split()) for option in options])
        numbers = any(_PUNCTUATED_NUMBER.search(plain(option)) for option in options)
        loose = [loose_key_of(option) for option in options]
        wordy = all(any(c.isalpha() for c in key) for key in loose)
        self._loose = _indexes(loose) if wordy and not numbers else {}

    def are_distinct(self) -> bool:
        """Whether no two options read alike: those that differ in width or case alone do."""
        return all(len(indexes) == 1 for indexes in self._strict.values())

    def whole(self, text: str, strict: bool = False) -> frozenset[int]:
        """The options that plain `text` is as a whole, several where they read alike; `strict`: punctuation counts."""
        shown = undecorated(text)
        for key_in, known in self._ways(text, strict):
            for candidate in dict.fromkeys((text.strip(), shown, shown.rstrip(".。!"), bare(shown))):
                found = known.get(key_in(candidate))
                if found and candidate:
                    return found
        return frozenset()

    def beginning(self, text: str) -> tuple[frozenset[int], str]:
        """The options that `text` begins with, the longest ones, and what follows; nothing where a word goes on."""
        key = key_of(text).lstrip("\"'*_`([ ")
        found: list[int] = []
        end = 0
        for index, start in enumerate(self._starts):
            if start and len(start) >= end and key.startswith(start):
                rest = key[len(start) :].lstrip("\"'*_`)]")
                if _GOES_ON.match(rest) or _OR.match(rest):
                    found = [*found, index] if len(start) == end else [index]
                    end = len(start)
        return frozenset(found), key[end:].lstrip("\"'*_`)]") if found else ""

    def next_one(self, rest: str) -> frozenset[int]:
        """The options that stand after "or", "and" or a comma at the beginning of `rest`."""
        joined = _OR.match(rest)
        if not joined:
            return frozenset()
        after = rest[joined.end() :]
        return self.beginning(after)[0] or self.whole(after)

    def _ways(self, text: str, strict: bool) -> list[tuple[Callable[[str], str], dict[str, frozenset[int]]]]:
        ways: list[tuple[Callable[[str], str], dict[str, frozenset[int]]]] = [
            (_strict_key, self._strict),
            (lambda one: "".join(_strict_key(one).split()), self._squeezed),
        ]
        if self._loose and not strict and not _PUNCTUATED_NUMBER.search(text):
            ways.append((loose_key_of, self._loose))
        return ways


def verbatim_of(answer: str, options: OptionTexts) -> int | None:
    """The option that the last line of the raw answer is to the letter, or what follows its last colon."""
    line = _nfc(answer.strip().rpartition("\n")[2])
    for candidate in (line, line.replace("：", ":").rpartition(":")[2].strip()):
        found = options.verbatim.get(candidate)
        if found and len(found) == 1:
            return min(found)
    return None


def without_invisible(text: str) -> str:
    """Plain text without variation selectors, keycaps, fillers and the Arabic tatweel."""
    return text if text.isascii() else text.translate(_BLANK)


def _indexes(keys: Sequence[str]) -> dict[str, frozenset[int]]:
    counts = Counter(keys)
    return {key: frozenset(i for i, other in enumerate(keys) if other == key) for key in counts}


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text[-2000:]).strip(" \t\r\n*\"'`")


def bare(text: str) -> str:
    """`text` without symbols and decoration at its ends; as it is where nothing else is left."""
    start, end = 0, len(text)
    while start < end and _is_ornament(text[start]):
        start += 1
    while end > start and _is_ornament(text[end - 1]):
        end -= 1
    return text[start:end].strip() or text


def _is_ornament(character: str) -> bool:
    if character <= "\x7f":
        return character in " \t\n*_\"'#`$"
    return character in "「」『』【】《》〈〉" or unicodedata.category(character) in ("So", "Sk")


def _strict_key(text: str) -> str:
    """For numbers and coordinates, whose punctuation counts: brackets around all of it and blanks at commas do not."""
    key = key_of(without_invisible(text))
    if key.startswith("(") and key.endswith(")"):
        key = key[1:-1].strip()
    return ", ".join(part.strip() for part in key.split(","))
