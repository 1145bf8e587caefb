"""Read a file of marks: CSV or JSON, as the page and the sheet give it; a fault names the line and the field.

Pure: reads the file, touches no database. A file with a single fault gives no mark at all.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from app.core.errors import UsageError
from app.core.strict_json import read_json

MARKS = ("natural", "ambiguous", "wrong")
OF_THE_SAMPLE = ("dataset", "seed", "size")
SHOWN = ("template", "split", "snapshot", "text", "options", "gold")
COLUMNS = (*OF_THE_SAMPLE, "id", *SHOWN, "mark", "note")
NEEDED = (*OF_THE_SAMPLE, "id", "mark")
LONGEST_NOTE = 2000
LARGEST_FILE = 50_000_000
_BIGGEST = 2**63


class Mark(NamedTuple):
    """What a file says of one question, and where in the file."""

    place: str
    question: str
    mark: str
    note: str


class MarksFile(NamedTuple):
    """The sample that a file names, and its marks in their order."""

    path: Path
    dataset: str
    seed: int
    size: int
    marks: list[Mark]


class _Entry(NamedTuple):
    place: str
    fields: Mapping[str, Any]


def fail(path: Path, place: str, fault: str) -> NoReturn:
    """Raise UsageError for a fault at a place of a file."""
    raise UsageError(f"{path}: {place}: {fault}. Nothing was loaded.")


def read_marks(path: Path) -> MarksFile:
    """The marks of a file; questions without a mark are left out.

    CSV (a name that ends in .csv): columns dataset, seed, size, id, mark, and if wanted note; those that a sheet shows
    are not read. JSON: {dataset, seed, size, marks: [{id, mark, note}]}. Raises UsageError at the first fault.
    """
    text = _text_of(path)
    entries = list(_csv_entries(path, text) if path.suffix.lower() == ".csv" else _json_entries(path, text))
    if not entries:
        raise UsageError(f"{path}: there is no question in this file.")
    sample = _sample(path, entries[0])
    marks: list[Mark] = []
    seen: dict[str, str] = {}
    for entry in entries:
        if _sample(path, entry) != sample:
            fail(path, entry.place, "dataset, seed or size differs from the first line's")
        mark = _mark(path, entry)
        if mark.question in seen:
            fail(path, entry.place, f"id {mark.question!r} stands at {seen[mark.question]} already")
        seen[mark.question] = entry.place
        if mark.mark:
            marks.append(mark)
    if not marks:
        raise UsageError(f"{path}: no question has a mark ({', '.join(MARKS)}). Nothing was loaded.")
    return MarksFile(path, *sample, marks)


def _text_of(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    if len(content) > LARGEST_FILE:
        raise UsageError(f"{path} is larger than {LARGEST_FILE // 1_000_000} MB: it is not a file of marks.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = content[: error.start].count(b"\n") + 1
        fail(path, f"line {number}", "the file is not UTF-8")
    if "\0" in text:
        number = text[: text.index("\0")].count("\n") + 1
        fail(path, f"line {number}", "the line holds a NUL character")
    return text


def _csv_entries(path: Path, text: str) -> Iterator[_Entry]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    end = 0
    try:
        names = list(reader.fieldnames or ())
        for name in names:
            if name not in COLUMNS or names.count(name) > 1:
                fail(path, "line 1", f"column {name!r} is unknown or stands twice")
        for name in NEEDED:
            if name not in names:
                fail(path, "line 1", f"column {name!r} is missing")
        end = reader.line_num
        for row in reader:
            place = f"line {end + 1}"
            end = reader.line_num
            if None in row or None in row.values():
                fail(path, place, f"the line does not have the {len(names)} columns of the first")
            yield _Entry(place, row)
    except csv.Error as error:
        fail(path, f"line {end + 1}", f"the line is not CSV ({error})")


def _json_entries(path: Path, text: str) -> Iterator[_Entry]:
    try:
        whole = read_json(text)
    except json.JSONDecodeError as error:
        fail(path, f"line {error.lineno}", f"the file is not JSON ({error.msg}; CSV files end in .csv)")
    if not isinstance(whole, dict) or not isinstance(whole.get("marks"), list):
        fail(path, "line 1", "the file is not a JSON object with a list 'marks'")
    for name in whole:
        if name not in (*OF_THE_SAMPLE, "marks"):
            fail(path, "line 1", f"there is no field {name!r}")
    sample = {name: whole.get(name) for name in OF_THE_SAMPLE}
    for number, one in enumerate(whole["marks"], 1):
        place = f"mark {number}"
        if not isinstance(one, dict):
            fail(path, place, "this is not a JSON object")
        for name in one:
            if name not in ("id", "mark", "note"):
                fail(path, place, f"there is no field {name!r}; there are id, mark, note")
        yield _Entry(place, {**one, **sample})


def _sample(path: Path, entry: _Entry) -> tuple[str, int, int]:
    return _text(path, entry, "dataset"), _number(path, entry, "seed"), _number(path, entry, "size")


def _mark(path: Path, entry: _Entry) -> Mark:
    question = _text(path, entry, "id")
    mark = _text(path, entry, "mark", empty=True)
    note = _text(path, entry, "note", empty=True)
    if mark and mark not in MARKS:
        fail(path, entry.place, f"mark {mark[:40]!r} is none of {', '.join(MARKS)}")
    if note and not mark:
        fail(path, entry.place, "note without a mark")
    if len(note) > LONGEST_NOTE:
        fail(path, entry.place, f"note is longer than {LONGEST_NOTE:,} characters")
    return Mark(entry.place, question, mark, note)


def _text(path: Path, entry: _Entry, name: str, empty: bool = False) -> str:
    value = entry.fields.get(name)
    if empty and value is None:
        return ""
    if not isinstance(value, str) or not (empty or value.strip()):
        fail(path, entry.place, f"{name} is missing or no text")
    if "\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
        fail(path, entry.place, f"{name} holds characters that no text has")
    return value.strip()


def _number(path: Path, entry: _Entry, name: str) -> int:
    value = entry.fields.get(name)
    if isinstance(value, str) and value.strip().lstrip("-").isdecimal() and len(value) < 25:
        value = int(value) if value.strip().count("-") <= 1 else None
    if not isinstance(value, int) or isinstance(value, bool) or not -_BIGGEST <= value < _BIGGEST:
        fail(path, entry.place, f"{name} is missing or no whole number")
    return value
