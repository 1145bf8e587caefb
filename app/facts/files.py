"""Read a facts file: JSON Lines or CSV, one fact a line, every line checked; a fault names the file and the line.

Pure: reads the file, touches no database. A file with a single fault gives no fact at all.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, NoReturn
from urllib.parse import urlsplit

from app.core.errors import UsageError
from app.core.strict_json import read_json
from app.facts.attributes import ATTRIBUTES
from app.facts.fact import Fact, is_subject
from app.facts.normalising import NoFact, Value, normalise, read_name

REQUIRED = ("subject", "attribute", "value")
OPTIONAL = ("names", "credit", "source_url", "licence")
UNSTATED_LICENCE = "unstated"
LONGEST_LINE = 100_000
_KINDS = {"node": "n", "way": "w", "relation": "r"}


class _Line(NamedTuple):
    number: int
    fields: Mapping[str, Any]


def read_facts(path: Path, retrieved_at: datetime) -> list[Fact]:
    """The facts of a file, in its order, an equal line counted once.

    Fields: subject (`Q42`, `n123` or `node/123`), attribute, value; and, if wanted, names (other accepted forms of a
    name), credit (how texts name the source; else the file's name), source_url, licence.
    Raises UsageError naming file and line at the first fault.
    """
    found: dict[tuple[str, str], tuple[Fact, int]] = {}
    for line in _lines(path):
        fact = _read(path, line, retrieved_at)
        before = found.setdefault((fact.subject, fact.attribute), (fact, line.number))
        if before[0].id != fact.id:
            _fail(
                path,
                line.number,
                f"{fact.subject} has another {fact.attribute} ({before[0].value.value!r}) on line {before[1]}",
            )
    if not found:
        raise UsageError(f"{path}: there is no fact in this file.")
    return [fact for fact, _ in found.values()]


def _fail(path: Path, number: int, fault: str) -> NoReturn:
    raise UsageError(f"{path}:{number}: {fault}. Nothing was loaded.")


def _lines(path: Path) -> Iterator[_Line]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        number = error.object[: error.start].count(b"\n") + 1
        _fail(path, number, "the file is not UTF-8")
    if "\0" in text:
        _fail(path, text[: text.index("\0")].count("\n") + 1, "the line holds a NUL character")
    return _csv_lines(path, text) if path.suffix.lower() == ".csv" else _json_lines(path, text)


def _json_lines(path: Path, text: str) -> Iterator[_Line]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        if len(line) > LONGEST_LINE:
            _fail(path, number, f"the line is longer than {LONGEST_LINE:,} characters")
        try:
            fields = read_json(line)
        except json.JSONDecodeError as error:
            _fail(path, number, f"the line is not JSON ({error.msg})")
        if not isinstance(fields, dict):
            _fail(path, number, "the line is not a JSON object")
        yield _Line(number, fields)


def _csv_lines(path: Path, text: str) -> Iterator[_Line]:
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            if None in row or None in row.values():
                _fail(
                    path,
                    reader.reader.line_num,
                    f"the line does not have the {len(row)} columns of the first",
                )
            fields: dict[str, Any] = {name: value for name, value in row.items() if value.strip()}
            if "names" in fields:
                fields["names"] = fields["names"].split("|")
            yield _Line(reader.reader.line_num, fields)
    except csv.Error as error:
        _fail(path, reader.reader.line_num, f"the line is not CSV ({error})")


def _read(path: Path, line: _Line, retrieved_at: datetime) -> Fact:
    fields = line.fields
    for name in fields:
        if name not in (*REQUIRED, *OPTIONAL):
            _fail(
                path,
                line.number,
                f"there is no field {name!r}; there are {', '.join((*REQUIRED, *OPTIONAL))}",
            )
    subject = _subject(path, line)
    name = _text(path, line, "attribute")
    if name not in ATTRIBUTES:
        _fail(path, line.number, f"there is no attribute {name!r}; there are {', '.join(ATTRIBUTES)}")
    return Fact(
        subject=subject,
        attribute=name,
        value=_value(path, line, name),
        source="file",
        credit=_credit(path, line),
        source_url=_source_url(path, line),
        licence=_text(path, line, "licence") if "licence" in fields else UNSTATED_LICENCE,
        retrieved_at=retrieved_at,
    )


def _text(path: Path, line: _Line, name: str) -> str:
    value = line.fields.get(name)
    if isinstance(value, int | float) and not isinstance(value, bool) and name == "value":
        value = repr(value)
    if not isinstance(value, str) or not value.strip():
        _fail(path, line.number, f"{name} is missing or no text")
    if "\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value):
        _fail(path, line.number, f"{name} holds characters that no text has")
    return value.strip()


def _subject(path: Path, line: _Line) -> str:
    subject = _text(path, line, "subject")
    kind, slash, number = subject.partition("/")
    if slash and kind in _KINDS:
        subject = _KINDS[kind] + number
    if not is_subject(subject):
        _fail(
            path,
            line.number,
            f"subject {subject!r} is neither like Q42 nor like n123, w123, r123 or node/123",
        )
    return subject


def _value(path: Path, line: _Line, name: str) -> Value:
    attribute = ATTRIBUTES[name]
    try:
        value = normalise(attribute, _text(path, line, "value"))
        others = line.fields.get("names", [])
        if not isinstance(others, list) or not all(isinstance(other, str) for other in others):
            _fail(path, line.number, "names is not a list of texts")
        if others and attribute.kind != "name":
            _fail(path, line.number, f"{name} is not a name and takes no names")
        return read_name(value.value, *others) if others else value
    except NoFact as error:
        _fail(path, line.number, f"{name}: {error}")


def _credit(path: Path, line: _Line) -> str:
    credit = _text(path, line, "credit") if "credit" in line.fields else path.stem
    if len(credit) > 80 or "  " in credit or not credit.isprintable():
        _fail(path, line.number, "credit is longer than 80 characters, or not one plain line")
    return credit


def _source_url(path: Path, line: _Line) -> str | None:
    if "source_url" not in line.fields:
        return None
    url = _text(path, line, "source_url")
    try:
        fits = urlsplit(url).scheme in ("http", "https") and bool(urlsplit(url).hostname)
    except ValueError:
        fits = False
    if not fits:
        _fail(path, line.number, f"source_url {url!r} is not an http or https address")
    return url
