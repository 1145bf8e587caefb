"""Values for people: what a reader took an answer to be (letter and option, number and unit, place), and others."""

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from app.published.reasons import NARROW
from app.questions.rotations import place_shown

UNITS: Mapping[str, str] = {
    "azimuth": "°",
    "metres": f"{NARROW}m",
    "square_metres": f"{NARROW}m²",
    "count": "",
}
"""Numbers that readers give, with their units."""


def say_read(read: Mapping[str, Any] | None, options: Sequence[str] | None, rotation: int = 0) -> str | None:
    """What was read, in words; None where nothing was. The letter is the one that the option was shown with."""
    if not read:
        return None
    if "unread" in read:
        return f"nothing: {read['unread']}" if read["unread"] else "nothing"
    if "index" in read:
        return _option(int(read["index"]), options or (), rotation)
    if "lon" in read and "lat" in read:
        point = f"lon {_degrees(read['lon'])}, lat {_degrees(read['lat'])}"
        return f"{point}: {read['text']}" if any(map(str.isalpha, read.get("text") or "")) else point
    if isinstance(read.get("stations"), list):
        return "; ".join(_station(rank, one) for rank, one in enumerate(read["stations"], 1)) or None
    said = [_value(name, value) for name, value in read.items() if value not in (None, "")]
    return "; ".join(said) or None


def _station(rank: int, said: Mapping[str, Any]) -> str:
    """A station of an answer: its rank, what the answer calls it, where it lies, and whether it is in the key."""
    parts = [str(said[part]) for part in ("name", "id") if said.get(part)]
    if "lon" in said and "lat" in said:
        parts.append(f"lon {_degrees(said['lon'])}, lat {_degrees(said['lat'])}")
    return f"{rank}. {', '.join(parts)}: {'in the key' if said.get('hit') else 'not in the key'}"


def _degrees(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _option(index: int, options: Sequence[str], rotation: int) -> str:
    count = len(options)
    if index >= count:
        return f"option {index + 1}"
    return f"{ascii_uppercase[place_shown(index, rotation, count)]}: {options[index]}"


def _value(name: str, value: Any) -> str:
    if name in UNITS and isinstance(value, int | float):
        return f"{value:,.4f}".rstrip("0").rstrip(".").replace(",", NARROW) + UNITS[name]
    if name in ("name", "text", "year"):
        return str(value)
    return f"{name.replace('_', ' ')} {in_plain_words(value)}"


def in_plain_words(value: Any) -> str:
    """A value of any form, such as gold or a proof, without the marks of JSON: `index 2, text Museum`."""
    if isinstance(value, Mapping):
        told = (f"{name.replace('_', ' ')} {in_plain_words(one)}" for name, one in value.items())
        return ", ".join(told) or "none"
    if isinstance(value, list | tuple):
        return "; ".join(map(in_plain_words, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)
