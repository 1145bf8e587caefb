"""Structures: answer text → objects with the fields of GS-QA's parsed answers, without a model.

Fields: name, address (texts), distance, length (metres), area (square metres), azimuth_angle (degrees), count; None
for what the text does not say. JSON gives an object for each of its own, a list one for each entry, all else one.
"""

import re
from collections.abc import Callable
from typing import Any

from app.scores.reading.addresses import read_address
from app.scores.reading.angles import AZIMUTH_FIELDS, read_azimuth
from app.scores.reading.areas import read_area
from app.scores.reading.cleaning import MAX_SEGMENT, plain
from app.scores.reading.counts import read_count
from app.scores.reading.lengths import read_length
from app.scores.reading.names import read_name
from app.scores.reading.objects import objects_in
from app.scores.reading.reading import Reading
from app.scores.reading.spoken import likely_part, spoken

MAX_ENTRIES = 100

_ENTRY = re.compile(r"^[ \t]{0,8}(?:[-*+\u2022]|[0-9]{1,3}[.)])[ \t]+(?=\S)(.+)$", re.MULTILINE)
_FIGURES = re.compile(r"(?:, | \(| - |: )(?=[^,]{0,60}[0-9])")
_READERS: dict[str, Callable[[str], Reading[Any]]] = {
    "name": lambda text: _without_figures(read_name(text)),
    "address": read_address,
    "distance": read_length,
    "length": read_length,
    "area": read_area,
    "azimuth_angle": read_azimuth,
    "count": read_count,
}
_WORDS = {field: (field,) for field in _READERS} | {
    "name": ("name", "poi_name"),
    "address": ("address", "location"),
    "azimuth_angle": AZIMUTH_FIELDS,
}
_KNOWN = frozenset(word for words in _WORDS.values() for word in words)


def read_structures(answer: str) -> list[dict[str, Any]]:
    """The objects that `answer` tells of, at most MAX_ENTRIES; none for an answer that says nothing readable."""
    objects = [one for one in objects_in(spoken(answer)) if not _KNOWN.isdisjoint(one)]
    if objects:
        told = [{field: _told(field, one) for field in _READERS} for one in objects[:MAX_ENTRIES]]
    else:
        text = likely_part(answer)
        entries = _ENTRY.findall(text)
        texts = [entry[:MAX_SEGMENT] for entry in entries[:MAX_ENTRIES]] if len(entries) > 1 else [text]
        told = [{field: _plain_value(read(one)) for field, read in _READERS.items()} for one in texts]
    return [one for one in told if any(value is not None for value in one.values())]


def _told(field: str, told: dict[str, Any]) -> Any:
    """A field's value in its unit; texts are read as answers are, so that "1.2 km" is 1200."""
    value = told.get(next((word for word in _WORDS[field] if told.get(word) is not None), field))
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if field in ("name", "address"):
        return plain(str(value))[:MAX_SEGMENT].strip() or None
    return _plain_value(_READERS[field](str(value)))


def _without_figures(name: Reading[str]) -> Reading[str]:
    """The name alone, where an address or a distance stands behind it."""
    return Reading(_FIGURES.split(name.value, maxsplit=1)[0]) if name.value else name


def _plain_value(reading: Reading[Any]) -> Any:
    return reading.value if isinstance(reading.value, str | int | float | None) else str(reading.value)
