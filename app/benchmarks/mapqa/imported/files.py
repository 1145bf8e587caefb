"""The folders of MapQA's release: of each region nine CSV files with questions, each with a JSON file of places."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from io import StringIO
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from app.core.errors import UsageError
from app.core.strict_json import shown_name
from app.core.words import is_printable
from app.questions.imported.json_files import MOST_BYTES, JsonFile, is_storable

TYPES: Mapping[str, str] = {
    "adjacent_dataset": "adjacent",
    "amenities_dataset": "amenities",
    "amenities_around_dataset": "amenities_around",
    "amenities-around-specific": "amenities_around_specific",
    "compare-closer": "compare_closer",
    "direction_nearest_dataset": "direction_nearest",
    "distance_dataset": "distance",
    "intersection_dataset": "intersection",
    "nearest_amenity_dataset": "nearest_amenity",
}
"""By the name of a file without its ending: the type of its questions."""
INNER = "question-answer"
"""The folder of the release in which the files of a region lie: llm/REGION/question-answer."""
MOST_ROWS = 100_000
MOST_ID = 2**53
"""Larger numbers are no longer exact in JSON as others write it; ids of OpenStreetMap are far smaller."""
BEYOND = 1e12
"""Stands for a coordinate that is no number, or larger than any in metres or degrees."""
LONGEST_WORD = 100
"""Characters of an ID, and of the name of a region."""
HEADERS = (("ID", "Question", "Answer"), ("Question", "Answer"))
"""Of the files; that for distances leaves the ID out, and has it in its rows."""


class Entity(NamedTuple):
    """A place as the files tell it; `latitude` and `longitude` are what stands under these names."""

    name: str
    osm_id: int
    latitude: float
    longitude: float


class CsvRow(NamedTuple):
    """A row of a CSV file, with the line on which it begins."""

    line: int
    number: str
    question: str
    answer: str


@dataclass(frozen=True)
class QuestionFile:
    """The questions of one type in one region, and the places of each question by its number."""

    region: str
    type: str
    path: Path
    rows: list[CsvRow]
    places: JsonFile
    lacks_id: bool
    """Whether the header does not name the column of IDs."""
    digest: str

    def entities(self, number: str) -> list[Entity] | None:
        """The places of a question, in the order of the file; None where the file has none for it."""
        found = self.places.value.get(number)
        if found is None:
            return None
        return [self._entity(number, name, told) for name, told in found.items()]

    def _entity(self, number: str, name: str, told: Any) -> Entity:
        where = f"{shown_name(number)[1:-1]}.{shown_name(name)[1:-1]}"
        lat = self.places.field(told, "latitude", (int, float), where)
        lon = self.places.field(told, "longitude", (int, float), where)
        osm_id = self.places.field(told, "osm_id", (int, float), where)
        if not is_storable(name):
            raise self.places.fault(where, "is a name with a character that no database keeps")
        if not abs(osm_id) <= MOST_ID or osm_id != int(osm_id):
            raise self.places.fault(f"{where}.osm_id", "is no id of OpenStreetMap")
        return Entity(name, int(osm_id), _finite(lat), _finite(lon))


def _finite(number: int | float) -> float:
    """The number as a float; beyond all places on the earth where it is none, or too large for one."""
    value = float(number) if abs(number) <= BEYOND else BEYOND
    return value if isfinite(value) else BEYOND


def find_question_files(root: Path) -> list[QuestionFile]:
    """All files below a folder: of one region, or of several. Raises UsageError where there are none, or one is cut."""
    if not root.is_dir():
        raise UsageError(f"{root} is no folder.")
    found = []
    for folder in _folders(root):
        region = folder.parent.name if folder.name == INNER else folder.resolve().name
        if not is_printable(region) or len(region) > LONGEST_WORD:
            raise UsageError(
                f"{shown_name(str(folder))}: the name of the folder, by which its region is called, is not short and "
                f"printable. Call it otherwise."
            )
        found += [_read(region, folder, name) for name in TYPES if (folder / f"{name}.csv").is_file()]
    if not found:
        raise UsageError(
            f"{root} holds no questions of MapQA. Name the folder of a region, in which adjacent_dataset.csv and the "
            f"others lie, or the folder above it."
        )
    return found


def _folders(root: Path) -> Iterator[Path]:
    """The folders in which files of questions may lie, each once, in the order of their names."""
    seen = set()
    for pattern in (".", INNER, "*", f"*/{INNER}", f"llm/*/{INNER}", "llm/*"):
        for folder in sorted(root.glob(pattern) if pattern != "." else [root]):
            resolved = folder.resolve()
            if folder.is_dir() and resolved not in seen:
                seen.add(resolved)
                yield folder


def _read(region: str, folder: Path, name: str) -> QuestionFile:
    path, places = folder / f"{name}.csv", folder / f"{name}.json"
    if not places.is_file():
        raise UsageError(f"{path}: the file of its places, {places.name}, is not beside it.")
    data = _bytes_of(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: it is not UTF-8 (byte {error.start + 1:,}).") from error
    read = JsonFile(places)
    if not isinstance(read.value, Mapping) or not all(
        isinstance(one, Mapping) for one in read.value.values()
    ):
        raise read.fault("the whole", "is not an object with the places of each question")
    rows, lacks_id = _rows(path, text)
    digest = sha256(data).hexdigest()
    return QuestionFile(region, TYPES[name], path, rows, read, lacks_id, f"{digest} {read.digest}")


def _bytes_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    if len(data) > MOST_BYTES:
        raise UsageError(f"{path} has more than {MOST_BYTES // 2**20} MiB.")
    return data


def _rows(path: Path, text: str) -> tuple[list[CsvRow], bool]:
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    rows: list[CsvRow] = []
    seen: set[str] = set()
    try:
        header = tuple(next(reader, ()))
        if header not in HEADERS:
            raise UsageError(
                f"{path}, line 1: the columns are {','.join(header)[:80]!r}, not ID,Question,Answer."
            )
        line = reader.line_num + 1
        for cells in reader:
            if not cells:  # a line without anything, as at the end of a file
                line = reader.line_num + 1
                continue
            if len(cells) != 3:
                raise UsageError(f"{path}, line {line:,}: it has {len(cells)} columns, not 3.")
            number, question, answer = (cell.strip() for cell in cells)
            if not is_printable(number) or not 0 < len(number) <= LONGEST_WORD:
                raise UsageError(f"{path}, line {line:,}: its ID is not a short printable word.")
            if not question:
                raise UsageError(f"{path}, line {line:,}: there is no question.")
            if not all(map(is_storable, cells)):
                raise UsageError(f"{path}, line {line:,}: it holds a character that no database keeps.")
            if number in seen:
                raise UsageError(f"{path}, line {line:,}: a line before it has the ID {number[:40]!r}, too.")
            seen.add(number)
            rows.append(CsvRow(line, number, question, answer))
            if len(rows) > MOST_ROWS:
                raise UsageError(f"{path} has more than {MOST_ROWS:,} questions.")
            line = reader.line_num + 1
    except csv.Error as error:
        raise UsageError(f"{path}, line {reader.line_num:,}: it is not CSV ({error}).") from error
    return rows, len(header) == 2
