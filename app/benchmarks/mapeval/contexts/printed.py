"""Reads a printed context: places with what is said of them, lists of places around a place, and travel times. Pure.

Knows the printed text alone. Coordinates are latitude, longitude in degrees, distances metres.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from app.core.names import normal_form

_POINT = r"\(?(-?\d+\.\d+), (-?\d+\.\d+)\)?"
_LOCATION = re.compile(rf"(?:.* )?{_POINT}\.")
_LISTED = re.compile(rf"(\d+)\. (.*), (\d+) m {_POINT}")
_HEADING = re.compile(
    r"Nearby places of the type '(.*)' around (.*?)(?: within (\d+(?:\.\d+)?) m)?, the nearest first:"
)

_TRAVEL = re.compile(
    r"Travel Time (from .*) (by car|on foot|by cycle) is (?:(\d+) hours?)? ?(?:(\d+) mins?)? \((\d+\.\d) km\)\."
)


_ROUTES = re.compile(r"There (?:is 1 route|are \d+ routes) (from .*)\. (?:It is|They are):")
_ROUTE = re.compile(r"\d+\. Via .* \| .* \| \d+\.\d km")


class Position(NamedTuple):
    """A point that was printed."""

    lat: float
    lon: float


@dataclass(frozen=True)
class Told:
    """A place and what is said of it: its point, and its attributes by their printed words."""

    name: str
    position: Position | None
    attributes: Mapping[str, str]


class Listed(NamedTuple):
    """An entry of a list."""

    name: str
    metres: int
    position: Position


@dataclass(frozen=True)
class NearbyList:
    """A list of places of a type around a place, the nearest first."""

    sought: str
    around: str
    radius_m: float | None
    places: Sequence[Listed]


class Travelled(NamedTuple):
    """How long a way takes, and how long it is."""

    ends: str
    """`from A to B`; a name may have the word `to` in it."""
    by: str
    """As it is printed: `by car`, `on foot`, `by cycle`."""
    minutes: int
    kilometres: float


@dataclass(frozen=True)
class Printed:
    """What a context says."""

    places: Mapping[str, Told] = field(default_factory=dict)
    """By the normal form of the name."""
    lists: Sequence[NearbyList] = ()
    travels: Sequence[Travelled] = ()
    routes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The steps of the first, which is the fastest, by `from A to B by car` in its normal form."""

    def route(self, origin: str, destination: str, by: str) -> Sequence[str]:
        """The steps of the fastest way; raises ValueError where they are not told."""
        found = self.routes.get(normal_form(f"from {origin} to {destination} {by}"))
        if found is None:
            raise ValueError(f"the context does not tell how one gets from {origin} to {destination} {by}")
        return found

    def place(self, name: str) -> Told:
        """What is said of the place of that name; raises ValueError where nothing is."""
        found = self.places.get(normal_form(name))
        if found is None:
            raise ValueError(f"the context says nothing of {name}")
        return found

    def position(self, name: str) -> Position:
        """Where the place of that name is; raises ValueError where that is not said."""
        found = self.place(name).position
        if found is None:
            raise ValueError(f"the context does not say where {name} is")
        return found

    def nearby(self, sought: str, around: str, radius_m: float | None = None) -> NearbyList:
        """The list of that type around that place; raises ValueError where there is not just one."""
        fitting = [
            one
            for one in self.lists
            if one.sought == sought
            and normal_form(one.around) == normal_form(around)
            and one.radius_m == radius_m
        ]
        if len(fitting) != 1:
            raise ValueError(f"the context has {len(fitting)} lists of the type {sought} around {around}")
        return fitting[0]

    def travel(self, origin: str, destination: str, by: str) -> Travelled:
        """How long the way takes; raises ValueError where that is not said once."""
        ends = normal_form(f"from {origin} to {destination}")
        found = [one for one in self.travels if normal_form(one.ends) == ends and one.by == by]
        if len(found) != 1:
            raise ValueError(
                f"the context says {len(found)} times how long it takes from {origin} to {destination} {by}"
            )
        return found[0]


def read_printed(text: str) -> Printed:
    """What a context says. Raises ValueError where two blocks tell of places of one name."""
    places: dict[str, Told] = {}
    lists, travels = [], []
    routes: dict[str, Sequence[str]] = {}
    for first, *lines in _blocks(text):
        if first.startswith("Information of "):
            told = _read_information(first.removeprefix("Information of ").removesuffix(":"), lines)
            if normal_form(told.name) in places:
                raise ValueError(f"the context tells of two places called {told.name}")
            places[normal_form(told.name)] = told
        elif heading := _HEADING.fullmatch(first):
            radius = None if heading[3] is None else float(heading[3])
            lists.append(NearbyList(heading[1], heading[2], radius, [*_read_entries(lines)]))
        elif heading := _ROUTES.fullmatch(first):
            routes[normal_form(heading[1])] = [*_first_steps(lines)]
        else:
            travels += [one for line in (first, *lines) if (one := _read_travel(line)) is not None]
    return Printed(places, lists, travels, routes)


def _blocks(text: str) -> Iterator[list[str]]:
    for block in text.split("\n\n"):
        yield block.split("\n")


def _read_information(name: str, lines: Sequence[str]) -> Told:
    said = dict(line.removeprefix("- ").split(": ", 1) for line in lines)
    where = _LOCATION.fullmatch(said.pop("Location", ""))
    position = Position(float(where[1]), float(where[2])) if where else None
    return Told(name, position, {key: value.removesuffix(".") for key, value in said.items()})


def _read_entries(lines: Sequence[str]) -> Iterator[Listed]:
    for number, line in enumerate(lines, 1):
        found = _LISTED.fullmatch(line)
        if found is not None and int(found[1]) == number:
            yield Listed(found[2], int(found[3]), Position(float(found[4]), float(found[5])))


def _first_steps(lines: Sequence[str]) -> Iterator[str]:
    """The steps of the first route."""
    for line in lines[1:]:
        if _ROUTE.fullmatch(line):
            return
        yield line.removeprefix(" - ")


def _read_travel(line: str) -> Travelled | None:
    found = _TRAVEL.fullmatch(line)
    if found is None:
        return None
    minutes = 60 * int(found[3] or 0) + int(found[4] or 0)
    return Travelled(found[1], found[2], minutes, float(found[5]))
