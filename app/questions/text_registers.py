"""Registers of text: which a data set wants, and which a question is asked in."""

from collections.abc import Mapping
from typing import Any

from app.core.errors import UsageError
from app.questions.readings import REFERENCE_POINT, Reading, texts_of_coordinates
from app.questions.text_forms import POINTS, Points
from app.templates.catalogue import Benchmark
from app.templates.phrasings import EVERYDAY, PRECISE
from app.templates.templates import Template

MIXED = "mixed"
WANTED = (MIXED, PRECISE, EVERYDAY)
"""Half everyday where that is allowed, else precise; all precise; all everyday, other questions being refused."""
READING_MATTERS = "reading_matters"
"""Why a question may not be asked in everyday words."""
NO_EVERYDAY_WORD = "no_everyday_word"
"""The same, where people have no word for a value that it asks for."""


def check_register(benchmark: Benchmark, locale: str, wanted: str) -> None:
    """Raise UsageError for a register that there is not, or in which no template of the benchmark has a text."""
    if wanted not in WANTED:
        raise UsageError(f"--register {wanted!r}: there are {', '.join(WANTED)}.")
    if wanted == EVERYDAY and not any(
        EVERYDAY in one.phrasings.get(locale, {}) for one in benchmark.templates.values()
    ):
        raise UsageError(f"--register {wanted}: {benchmark.name} has no everyday texts in locale {locale!r}.")


def why_refused(
    wanted: str, template: Template, parameters: Mapping[str, Any], reading: Reading | None
) -> str | None:
    """Why a question may not be asked, as far as its readings say: no text makes it sure, or no everyday one."""
    if reading is not None and reading.refused:
        return REFERENCE_POINT
    everyday = any(EVERYDAY in texts for texts in template.phrasings.values())
    allowed = everyday and reading is not None and reading.allows_everyday
    if wanted == EVERYDAY and allowed and not template.has_everyday_words(parameters):
        return NO_EVERYDAY_WORD
    return READING_MATTERS if wanted == EVERYDAY and not allowed else None


def fault_of_text(register: str, text: str, reading: Reading | None) -> str | None:
    """What is wrong with the text of a question, by the readings that matter; None where nothing is."""
    if reading is not None and reading.refused:
        return "no text makes the answer sure"
    if register == EVERYDAY and (reading is None or not reading.allows_everyday):
        return "it is in everyday words, though a reading matters"
    if reading is None or any(_tells(text, reading, points) for points in POINTS):
        return None
    untold = [point for point in texts_of_coordinates(reading.told).values() if point not in text]
    return f"it does not say {untold[0]!r}"


def _tells(text: str, reading: Reading, points: Points) -> bool:
    """Whether a text tells each point that it must, in that form."""
    return all(point in text for point in texts_of_coordinates(reading.told, points).values())
