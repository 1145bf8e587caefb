"""Words as GS-QA counts them: text → lower-case tokens without punctuation and stop words.

Penn Treebank tokens within Punkt's English sentences, by nltk 3.9.1; other versions part dashes elsewhere.
Punkt's parameters and the stop words lie in the environment (scripts/word-tokens puts them there).
"""

import re
import string
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from app.benchmarks.gsqa.published.tokenizers import word_tokenizer
from app.core.errors import SettingsError

SENTENCES = "tokenizers/punkt_tab/english"
STOP_WORDS = "corpora/stopwords/english"
PUBLISHED_STOP_WORDS = 179
LATER_STOP_WORDS = frozenset(
    "he'd he'll he's i'd i'll i'm i've it'd it'll she'd she'll they'd they'll they're they've we'd we'll we're"
    " we've".split()
)
"""Contractions that the list gained after the paper; its 179 words are the list without them."""

KEPT_UP_TO = 300
"""Characters of a text whose tokens are kept: names and addresses come again and again, answers do not."""

_LONG_BLANK = re.compile(r"(\s{20})\s+")
"""What follows is the same to the tokenizer, whose time grows with the square of a blank behind a dot."""


def word_lists() -> Path:
    """The folder of the word lists: of this environment alone, not what else nltk finds on the machine."""
    return Path(sys.prefix) / "nltk_data"


def tokens_of(text: str) -> tuple[str, ...]:
    """The tokens of `text` in order, repeats kept; empty for a text without words.

    Raises SettingsError where the environment lacks the word lists. Source: GS-QA, section on text metrics.
    """
    return _kept_tokens(text) if len(text) <= KEPT_UP_TO else _tokens(text)


def _tokens(text: str) -> tuple[str, ...]:
    words, stop_words = _word_tokenizer(), _stop_words()
    return tuple(
        lower
        for word in words(_LONG_BLANK.sub(r"\1", text))
        if word not in string.punctuation and (lower := word.lower()) not in stop_words
    )


_kept_tokens = lru_cache(maxsize=16_384)(_tokens)


@lru_cache(maxsize=1)
def _word_tokenizer() -> Callable[[str], list[str]]:
    folder = word_lists() / SENTENCES
    try:
        return word_tokenizer(folder)
    except OSError as error:
        raise _missing(folder) from error


@lru_cache(maxsize=1)
def _stop_words() -> frozenset[str]:
    path = word_lists() / STOP_WORDS
    try:
        words = frozenset(path.read_text(encoding="utf-8").split()) - LATER_STOP_WORDS
    except OSError as error:
        raise _missing(path) from error
    if len(words) != PUBLISHED_STOP_WORDS:
        raise SettingsError(
            f"{path} holds {len(words)} stop words of the published list, not {PUBLISHED_STOP_WORDS}."
            " Remove it and run scripts/venv."
        )
    return words


def _missing(path: Path) -> SettingsError:
    return SettingsError(f"{path} is not there: published scores count words by it. Run scripts/venv.")
