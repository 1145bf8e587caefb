"""From what a source says to a value that can be compared and asked for: a year, a number with its unit, a name.

Pure. What is no fact ("nan", nothing, a guess, several values at once) raises NoFact with the reason.
"""

import math
import re
import unicodedata
from datetime import date
from typing import NamedTuple

from app.core.names import normal_form
from app.facts.attributes import Attribute

LAST_YEAR = 2100
FIRST_YEAR = 100
LARGEST = 1e9
LONGEST_NAME = 255

_NO_VALUE = frozenset(
    "nan none null nil n/a na unknown unbekannt inconnu various diverse yes no true false tbd ? - -- ...".split()
)
_FOOTNOTE = re.compile(
    r"\s*(?:\[[^\]]{0,40}\]|\((?:\d{1,3}|[a-z])\)|[\u00b9\u00b2\u00b3\u2070-\u209f*†‡§]+)\s*\Z"
)
_DATE = re.compile(r"(?P<year>\d{3,4})(?:-(?P<month>\d{2})(?:-(?P<day>\d{2}))?)?")
_QUANTITY = re.compile(r"(?P<number>[+-]?\d+(?:\.\d+)?)\s*(?P<unit>[a-z']*)", re.IGNORECASE)
_ADDRESS = re.compile(r"://|www\.|[\w.+-]+@[\w-]+\.\w")
_METRES = {"": 1.0, "m": 1.0, "metre": 1.0, "metres": 1.0, "meter": 1.0, "meters": 1.0, "km": 1000.0}
_METRES |= {"ft": 0.3048, "feet": 0.3048, "foot": 0.3048, "'": 0.3048}


class NoFact(ValueError):
    """What a source says cannot be a fact; the message is the reason."""


class Value(NamedTuple):
    """A normalised value. `key` is equal where values say the same; `names` are all accepted forms of a name."""

    value: str
    key: str
    unit: str
    names: tuple[str, ...]

    @property
    def shown(self) -> str:
        """The value as a text names it."""
        return f"{self.value} {self.unit}" if self.unit else self.value


def normalise(attribute: Attribute, text: str) -> Value:
    """The value of a text; raises NoFact."""
    said = unicodedata.normalize("NFC", text).strip()
    if normal_form(said) in _NO_VALUE or not said:
        raise NoFact(f"{text!r} says nothing")
    if ";" in said:
        raise NoFact(f"{text!r} holds several values")
    if attribute.kind == "year":
        return read_year(said)
    return read_name(said) if attribute.kind == "name" else read_quantity(said, attribute.unit)


def read_year(text: str) -> Value:
    """The year of `1984`, `1984-05` or `1984-05-06`; an estimate, a decade or a span is none."""
    match = _DATE.fullmatch(text)
    if match is None:
        raise NoFact(f"{text!r} is neither a year nor a date like 1984-05-06")
    year = int(match["year"])
    try:
        date(year, int(match["month"] or 1), int(match["day"] or 1))
    except ValueError as error:
        raise NoFact(f"{text!r} is not a date") from error
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise NoFact(f"{text!r} lies outside the years {FIRST_YEAR} to {LAST_YEAR}")
    return Value(str(year), str(year), "", ())


def read_quantity(text: str, unit: str) -> Value:
    """The number of a text, in `unit`: metres (feet and kilometres are converted), or a count where it is empty."""
    match = _QUANTITY.fullmatch(text)
    if match is None:
        raise NoFact(f"{text!r} is not a number")
    factor = _METRES.get(match["unit"].lower()) if unit == "m" else (1.0 if not match["unit"] else None)
    if factor is None:
        raise NoFact(f"{text!r} has a unit that does not fit")
    return quantity(float(match["number"]) * factor, unit)


def quantity(number: float, unit: str) -> Value:
    """A number as a value; raises NoFact where it is not above zero, too large or no number."""
    if not math.isfinite(number) or not 0 < number <= LARGEST:
        raise NoFact(f"{number} is not a number above zero")
    written = f"{number:.9f}".rstrip("0").rstrip(".")
    if written == "0":
        raise NoFact(f"{number} is not a number above zero")
    return Value(written, written, unit, ())


def read_name(text: str, *others: str) -> Value:
    """A name without footnote marks; `others` are further forms that an answer may take."""
    name = clean_name(text)
    if normal_form(name) in _NO_VALUE or not any(letter.isalpha() for letter in name):
        raise NoFact(f"{text!r} is not a name")
    if len(name) > LONGEST_NAME or _ADDRESS.search(name) or not name.isprintable():
        raise NoFact(f"{text[:40]!r} is an address, too long for a name, or no line of text")
    more = (clean_name(other) for other in others)
    forms = dict.fromkeys(
        [name, *(form for form in more if form.isprintable() and 0 < len(form) <= LONGEST_NAME)]
    )
    return Value(name, normal_form(name), "", tuple(forms))


def clean_name(text: str) -> str:
    """`text` without footnote marks at its end ("[1]", "²", "*"), blanks made one."""
    name = " ".join(text.split())
    while (shorter := _FOOTNOTE.sub("", name)) != name:
        name = shorter
    return name
