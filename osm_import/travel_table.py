"""Import stage: travel.toml as typed tables. It is read once, and a fault in it is told with its place."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

MODES = ("car", "bicycle", "foot")
"""The order of modes in every tuple that has one value for each."""

Values = Mapping[str, frozenset[str]]
"""By key of a tag: some of its values."""


class Speeds(NamedTuple):
    """How texts of speeds are read; kilometres an hour."""

    keys: tuple[str, ...]
    by_direction: tuple[str, ...]
    most: float
    units: Mapping[str, float]
    words: Mapping[str, float]
    zones: Mapping[str, float]


class Mode(NamedTuple):
    """What one vehicle, or a person on foot, may pass."""

    name: str
    access: tuple[str, ...]
    """From the general key to the particular one."""
    oneway: tuple[str, ...]
    restrictions: tuple[str, ...]
    limited: bool
    """Whether a speed limit is its speed."""
    pushed: float
    """Kilometres an hour where it must be pushed; 0 where it cannot be."""
    kmh: Mapping[str, float]
    kmh_if_allowed: Mapping[str, float]
    implied_oneway: Values
    contraflow: Values
    closing: Values
    caps: Mapping[str, Mapping[str, float]]
    """By key and value of a tag: kilometres an hour at most."""


class Barriers(NamedTuple):
    """Which values of `barrier` let one mode pass."""

    open: frozenset[str]
    closed: frozenset[str]
    closed_by: Values

    def lets_pass(self, kind: str) -> bool:
        """Whether a barrier of this kind does, where no other tag says otherwise."""
        return kind in self.open or ("*" in self.open and kind not in self.closed)


class TravelTable(NamedTuple):
    """The whole of travel.toml."""

    version: int
    meanings: Mapping[str, str]
    """What a value of a key of access means: open, destination, pushed or closed."""
    directions: Mapping[str, str]
    """What a value of a key of direction means: forward, backward, both or none."""
    speeds: Speeds
    modes: tuple[Mode, ...]
    barriers: tuple[Barriers, ...]
    """In the order of `modes`."""
    restrictions: frozenset[str]


@cache
def travel_table() -> TravelTable:
    """travel.toml, beside this module."""
    text = Path(__file__).with_name("travel.toml").read_text(encoding="utf-8")
    return read_travel_table(text)


def read_travel_table(text: str) -> TravelTable:
    """The table that a text in the form of travel.toml describes.

    Raises KeyError where a part is missing, ValueError for a word that is given two meanings.
    """
    data = tomllib.loads(text)
    closed_by = _values(data["barriers"]["closed_by"])
    return TravelTable(
        data["version"],
        _by_word("access", data["access"]),
        _by_word("oneway", data["oneway"]),
        _speeds(data["maxspeed"]),
        tuple(_mode(name, data["modes"][name]) for name in MODES),
        tuple(
            Barriers(_words(one["open"]), _words(one.get("closed", "")), closed_by)
            for one in (data["barriers"][name] for name in MODES)
        ),
        _words(data["restrictions"]["kinds"]),
    )


def _mode(name: str, table: Mapping[str, Any]) -> Mode:
    twice = sorted(table["kmh"].keys() & table["kmh_if_allowed"].keys())
    if twice:
        raise ValueError(f"travel.toml gives {name} two speeds for {twice[0]}: in kmh and in kmh_if_allowed")
    return Mode(
        name,
        tuple(table["access"].split()),
        tuple(table["oneway"].split()),
        tuple(table["restrictions"].split()),
        table["limited"],
        table["pushed"],
        table["kmh"],
        table["kmh_if_allowed"],
        _values(table.get("implied_oneway", {})),
        _values(table.get("contraflow", {})),
        _values(table.get("closing", {})),
        table.get("caps", {}),
    )


def _speeds(table: Mapping[str, Any]) -> Speeds:
    return Speeds(
        tuple(table["keys"].split()),
        tuple(table["by_direction"].split()),
        table["most"],
        table["units"],
        table["words"],
        table["zones"],
    )


def _by_word(section: str, table: Mapping[str, str]) -> dict[str, str]:
    meanings: dict[str, str] = {}
    for meaning, words in table.items():
        for word in words.split():
            if word in meanings:
                raise ValueError(
                    f"travel.toml gives {word} two meanings in [{section}]: {meanings[word]}, {meaning}"
                )
            meanings[word] = meaning
    return meanings


def _values(table: Mapping[str, str]) -> dict[str, frozenset[str]]:
    return {key: _words(values) for key, values in table.items()}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())
