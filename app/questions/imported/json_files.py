"""JSON files of others, read whole; each fault is told with the file and the place in it."""

import json
import math
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from app.core.errors import UsageError
from app.core.strict_json import plain_fault

MOST_BYTES = 64 * 2**20
"""Of one file; the largest that was published holds outlines of states, some 2 MB."""
MAX_DIGITS = 100
"""Longer integers measure nothing: they are taken as infinite."""


class JsonFile:
    """One file as it was read. `value` is its JSON; NaN and infinities stand in it as floats."""

    def __init__(self, path: Path) -> None:
        self.path = path
        data = _read(path)
        self.digest = sha256(data).hexdigest()
        try:
            self._text = data.decode()
        except UnicodeDecodeError as error:
            raise UsageError(f"{path}: it is not UTF-8 (byte {error.start + 1:,}).") from error
        self.value = self._parse(self._text)

    def _parse(self, text: str) -> Any:
        try:
            return json.loads(text, parse_int=_integer)
        except json.JSONDecodeError as error:
            raise UsageError(
                f"{self.path}, line {error.lineno:,}: it is not JSON ({plain_fault(error)}, column {error.colno:,})."
            ) from error
        except RecursionError as error:
            raise UsageError(f"{self.path}: it is nested too deep.") from error

    def fault(self, where: str, said: str) -> UsageError:
        """The error for a part of this file that cannot be loaded."""
        return UsageError(f"{self.path}: {where} {said}.")

    def lines_of_items(self) -> Iterator[int]:
        """The line on which each item of the list begins that the file holds."""
        decoder, at, line, counted = json.JSONDecoder(parse_int=_integer), self._text.index("[") + 1, 1, 0
        for _ in self.value:
            while self._text[at] in " \t\r\n,":
                at += 1
            line += self._text.count("\n", counted, at)
            counted = at
            yield line
            _, at = decoder.raw_decode(self._text, at)

    def field(self, holder: Any, name: str, kind: type | tuple[type, ...], where: str = "") -> Any:
        """The value under `name` in an object of the file. Raises UsageError where it is absent or of another kind."""
        place = f"{where}.{name}" if where else name
        if not isinstance(holder, Mapping):
            raise self.fault(where or "the whole", "is not an object")
        if name not in holder:
            raise self.fault(place, "is missing")
        value = holder[name]
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.fault(place, f"is {_named(value)}, not {_KINDS[kind]}")
        if isinstance(value, str) and not is_storable(value):
            raise self.fault(place, "holds a character that no database keeps")
        return value


_KINDS: Mapping[Any, str] = {
    str: "a text",
    list: "a list",
    dict: "an object",
    (int, float): "a number",
    (str, int, float): "a text or a number",
}


def is_storable(text: str) -> bool:
    """Whether PostgreSQL keeps the text: it has no NUL and no half of a surrogate pair."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def finite(value: Any) -> tuple[Any, int]:
    """The value with null for each number that is none and each text that no database keeps; how many there were."""
    if isinstance(value, Mapping):
        pairs = {name: finite(one) for name, one in value.items() if is_storable(name)}
        lost = sum(count for _, count in pairs.values()) + len(value) - len(pairs)
        return {name: one for name, (one, _) in pairs.items()}, lost
    if isinstance(value, list):
        items = [finite(one) for one in value]
        return [one for one, _ in items], sum(count for _, count in items)
    is_lost = (isinstance(value, float) and not math.isfinite(value)) or (
        isinstance(value, str) and not is_storable(value)
    )
    return (None, 1) if is_lost else (value, 0)


def _read(path: Path) -> bytes:
    if path.exists() and not path.is_file():  # opening a pipe would wait for somebody who writes to it
        raise UsageError(f"{path} is no file.")
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError as error:
        raise UsageError(f"{path} is missing.") from error
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    if len(data) > MOST_BYTES:
        raise UsageError(f"{path} is larger than {MOST_BYTES // 2**20} MiB: it is no file of this release.")
    return data


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= MAX_DIGITS else math.inf


def _named(value: Any) -> str:
    kinds = ((bool, "true or false"), (str, "a text"), (list, "a list"), (dict, "an object"))
    return next(
        (words for kind, words in kinds if isinstance(value, kind)), "null" if value is None else "a number"
    )
