"""A file of EVGeoQA's release: one record or a list of them, repaired where it is no JSON, each record checked.

Coordinates stand there as [latitude, longitude]. They are those of Gaode, in the frame GCJ-02 (see `frames`).
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from app.core.errors import UsageError
from app.core.words import is_printable
from app.questions.imported.json_files import JsonFile

MOST_RECORDS = 100_000
MOST_STATIONS = 100
"""Of one question. The release promises five at most; more are read, so that the recheck can tell of them."""
LONGEST_TEXT = 4_000
LONGEST_NAME = 300
LONGEST_ID = 64
FARTHEST_KM = 20_100.0
"""A little more than half of the way round the Earth."""
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


class Position(NamedTuple):
    """Degrees, longitude first, as everywhere inside."""

    lon: float
    lat: float


class PublishedStation(NamedTuple):
    """One station of a key, with the place nearby that fits; `km` is the distance that the record states."""

    id: str
    name: str
    at: Position
    km: float
    poi_type: str
    poi_name: str
    similarity: float


class PublishedRecord(NamedTuple):
    """One question of the release. `slot` is the kind of place that is asked for, without the blank behind it."""

    id: str
    text: str
    location: str
    user: Position
    type: str
    slot: str
    has_blank: bool
    stations: Sequence[PublishedStation]


class RecordFile(JsonFile):
    """A file of records. `repairs` counts the empty texts that stood between two fields."""

    repairs = 0

    def _parse(self, text: str) -> Any:
        repaired, self.repairs = without_strays(text)
        return super()._parse(repaired)

    def records(self) -> Iterator[PublishedRecord]:
        """Every record. Raises UsageError with file and place at the first one that cannot be read."""
        items = self.value if isinstance(self.value, list) else [self.value]
        if len(items) > MOST_RECORDS:
            raise self.fault("the whole", f"has more than {MOST_RECORDS:,} records")
        seen: set[str] = set()
        for place, item in enumerate(items):
            record = self._record(item, f"record {place + 1:,}")
            if record.id in seen:
                raise self.fault(f"record {place + 1:,}", f"has the Question_id {record.id} of one before it")
            seen.add(record.id)
            yield record

    def _record(self, item: Any, where: str) -> PublishedRecord:
        number = self.field(item, "Question_id", (str, int, float), where)
        if isinstance(number, float):
            raise self.fault(f"{where}.Question_id", "is no whole number")
        stations = self.field(item, "Answer", list, where)
        if not 0 < len(stations) <= MOST_STATIONS:
            raise self.fault(f"{where}.Answer", f"has {len(stations)} stations, not 1 to {MOST_STATIONS}")
        slot = self._words(item, "Question_poi", where, LONGEST_NAME)
        return PublishedRecord(
            id=self._word(str(number), f"{where}.Question_id"),
            text=self._words(item, "Question", where, LONGEST_TEXT).strip(),
            location=self._words(item, "Question_location", where, LONGEST_NAME).strip(),
            user=self._position(item, "Question_location_coord", where),
            type=self._word(self._words(item, "Question_type", where, LONGEST_ID), f"{where}.Question_type"),
            slot=slot.strip(),
            has_blank=slot != slot.strip(),
            stations=[
                self._station(one, f"{where}.Answer[{number}]") for number, one in enumerate(stations, 1)
            ],
        )

    def _station(self, item: Any, where: str) -> PublishedStation:
        return PublishedStation(
            id=self._word(self._words(item, "Station_id", where, LONGEST_ID), f"{where}.Station_id"),
            name=self._words(item, "Station_name", where, LONGEST_NAME).strip(),
            at=self._position(item, "Station_coord", where),
            km=self._number(item, "Distance", where, 0.0, FARTHEST_KM),
            poi_type=self._words(item, "Station_poi_type", where, LONGEST_NAME).strip(),
            poi_name=self._words(item, "Station_poi_name", where, LONGEST_NAME).strip(),
            similarity=self._number(item, "correlation_measure", where, -1.001, 1.001),
        )

    def _words(self, item: Any, name: str, where: str, longest: int) -> str:
        found: str = self.field(item, name, str, where)
        if not found.strip():
            raise self.fault(f"{where}.{name}", "is empty")
        if len(found) > longest:
            raise self.fault(f"{where}.{name}", f"has {len(found):,} characters, not at most {longest:,}")
        return found

    def _word(self, word: str, where: str) -> str:
        word = word.strip()
        if not word or len(word) > LONGEST_ID or not is_printable(word):
            raise self.fault(where, "is not a short printable word")
        return word

    def _number(self, item: Any, name: str, where: str, least: float, most: float) -> float:
        found = self.field(item, name, (int, float), where)
        if not least <= found <= most:  # NaN fails, too
            raise self.fault(f"{where}.{name}", f"is not a number from {least:g} to {most:g}")
        return float(found)

    def _position(self, item: Any, name: str, where: str) -> Position:
        found = self.field(item, name, list, where)
        is_pair = len(found) == 2 and all(
            isinstance(one, int | float) and not isinstance(one, bool) and isfinite(one) for one in found
        )
        if not is_pair or abs(found[0]) > 90 or abs(found[1]) > 180:
            raise self.fault(f"{where}.{name}", "is not [latitude, longitude] in degrees")
        return Position(float(found[1]), float(found[0]))


def without_strays(text: str) -> tuple[str, int]:
    """The text without empty strings that stand before another string with nothing between; how many there were.

    Valid JSON never has two strings side by side, so that nothing else is changed. Lines keep their numbers.
    """
    kept, count, end = [], 0, 0
    tokens = list(_TOKEN.finditer(text))
    for token, after in pairwise(tokens):
        if token.group() == '""' and not text[token.end() : after.start()].strip(" \t\r\n"):
            kept.append(text[end : token.start()])
            end, count = token.end(), count + 1
    return "".join([*kept, text[end:]]), count


def read_records(path: Path) -> tuple[RecordFile, list[PublishedRecord]]:
    """The file and its records. Raises UsageError where it cannot be read, or holds none."""
    file = RecordFile(path)
    records = list(file.records())
    if not records:
        raise UsageError(f"{path}: it holds no record of EVGeoQA.")
    return file, records
