"""A published question as the checks of single kinds see it, and the findings that they give. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.benchmarks.mapeval.rechecks.contexts import ReadContext
from app.benchmarks.mapeval.rechecks.names import key_text
from app.questions.rechecking.checks import AGREES, CONTRADICTS, UNCHECKED, Finding


@dataclass(frozen=True)
class AskedQuestion:
    """The question's text, its options with the place of the key, the places of options equal to it, its context."""

    text: str
    options: Sequence[str]
    keys: frozenset[int]
    context: ReadContext

    @property
    def key_texts(self) -> str:
        """The key as findings quote it."""
        return self.options[min(self.keys)]

    def says(self, pattern: str) -> bool:
        """Whether the question holds the pattern, whatever its case."""
        return re.search(pattern, self.text, re.IGNORECASE) is not None

    def find(self, name: str) -> int | None:
        """The one option of that name; None where there is none, or several."""
        found = [place for place, one in enumerate(self.options) if key_text(one) == key_text(name)]
        return found[0] if len(found) == 1 else None


def judged(asked: AskedQuestion, check: str, computed: int, working: str) -> Finding:
    """What it comes to that the option of that place was computed."""
    if computed in asked.keys:
        return Finding(AGREES, check, working)
    said = f"{working} The key is {asked.key_texts!r}, and {asked.options[computed]!r} is right."
    return Finding(CONTRADICTS, check, said)


def unchecked(check: str, why: str) -> Finding:
    """The key cannot be checked, and why."""
    return Finding(UNCHECKED, check, why)
