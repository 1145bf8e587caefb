"""How pages speak of what a derivation measured, where the usual words are wrong. Benchmarks' packages register it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from app.core.registers import Register


@dataclass(frozen=True)
class DerivationWords:
    """The words for the questions of one derivation."""

    not_found: str | None = None
    """Why a wrong option is wrong, where it is wrong because the map does not give it."""
    margins: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """By the name of a margin: what it is called, and its unit."""


WORDS = Register[DerivationWords]("wording", "words")


def register_words(benchmark: str, words: DerivationWords, *derivations: str) -> None:
    """Register the words for these derivations of a benchmark."""
    for name in derivations:
        WORDS.add(benchmark, name, words)


def words_of(benchmark: str, derivation: str) -> DerivationWords:
    """The words for a derivation of a benchmark; the usual ones where it has none of its own."""
    return WORDS.find(benchmark, derivation) or DerivationWords()
