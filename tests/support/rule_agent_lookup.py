"""How the rule-based agent finds places by the tool set `mapeval`, and what its steps are."""

from collections.abc import Generator, Sequence
from typing import Any

from tests.support.rule_agent_details import Details, read_details, read_key

Wish = tuple[str, dict[str, Any]]
Steps = Generator[list[Wish], list[str], str | None]
"""Calls that are wanted at once; what they told comes back; the answer at the end, or None where it is not known."""


def find_keys(names: Sequence[str]) -> Generator[list[Wish], list[str], dict[str, str]]:
    """The ids of the places of these names; without those that are not found."""
    different = list(dict.fromkeys(names))
    found = yield [("PlaceSearch", {"placeName": name}) for name in different]
    return {name: key for name, one in zip(different, found, strict=True) if (key := read_key(one))}


def look_up(names: Sequence[str]) -> Generator[list[Wish], list[str], dict[str, Details]]:
    """The details of the places of these names; without those that are not found."""
    keys = yield from find_keys(names)
    told = yield from tell(list(dict.fromkeys(keys.values())))
    return {name: told[key] for name, key in keys.items() if key in told}


def tell(keys: Sequence[str]) -> Generator[list[Wish], list[str], dict[str, Details]]:
    """The details of the places of these ids; without those of which nothing is told."""
    if not keys:
        return {}
    told = yield [("PlaceDetails", {"placeId": key}) for key in keys]
    return {key: read for key, one in zip(keys, told, strict=True) if (read := read_details(one))}


def letter_of(options: dict[str, str], text: str) -> str | None:
    """The letter of the option that reads so."""
    return next((one for one, option in options.items() if option == text), None)
