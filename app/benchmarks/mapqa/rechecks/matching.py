"""Places of published questions → objects of a snapshot: by id and name, or by name and kind near the place."""

import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.benchmarks.mapqa.imported.coordinates import DEGREES, Spot
from app.benchmarks.mapqa.rechecks.queries_map import OBJECTS

NEAR_M = 250.0
"""Metres from the published place within which an object of its name is it."""


class Wanted(NamedTuple):
    """A place as the files tell it. `kinds`: what it is, as far as any question of the set tells it.

    `is_any_kind`: what it is now may be something else, as where a question asks what it is.
    """

    name: str
    osm_id: int
    spot: Spot | None
    kinds: frozenset[str]
    is_any_kind: bool = False


class MapObject(NamedTuple):
    """An object of the snapshot, at its point or in the middle of its area."""

    key: str
    name: str | None
    amenity: str | None
    kinds: frozenset[str]
    spot: Spot


class Match(NamedTuple):
    """The object of a place, or why there is none. `is_gone`: if it existed, it would surely be on the map."""

    found: MapObject | None
    why: str = ""
    is_gone: bool = False
    is_outside: bool = False
    """Whether the files have it beyond the edge of the map."""
    is_lost: bool = False
    """Whether the files do not tell where it is, and the map has no object of its id and name."""


def same_name(one: str | None, other: str | None) -> bool:
    """Whether people would take two names for one."""
    return one is not None and other is not None and form_of(one) == form_of(other)


def form_of(name: str) -> str:
    """A name as people compare names."""
    return " ".join(unicodedata.normalize("NFKC", name).lower().split()).replace("ß", "ss")


def match_places(connection: Connection, wanted: Sequence[Wanted], outline: str | None) -> list[Match]:
    """What became of each place, in their order; one query for all of them."""
    spots = [one.spot for one in wanted]
    binds = {
        "outline": outline,
        "near": NEAR_M,
        "places": list(range(len(wanted))),
        "names": [one.name for one in wanted],
        "ids": [one.osm_id for one in wanted],
        "lons": [spot.lon if spot else None for spot in spots],
        "lats": [spot.lat if spot else None for spot in spots],
    }
    rows: dict[int, list[Any]] = defaultdict(list)
    for row in connection.exec_driver_sql(OBJECTS, binds):
        rows[row.place].append(row)
    return [_match(one, rows[place]) for place, one in enumerate(wanted)]


def _match(one: Wanted, rows: Sequence[Any]) -> Match:
    there = [row for row in rows if row.osm_key is not None]
    named = [row for row in there if row.is_named_so]
    fitting = [row for row in named if _is_of_kind(row, one)]
    if not fitting and one.is_any_kind:
        fitting = [row for row in named if row.kinds]
    own = [row for row in fitting if row.has_its_id]
    if len(own) == 1:
        return Match(_object(own[0]))
    if rows[0].is_inside is False:
        return Match(None, f"{one.name} lies beyond the edge of the map", is_outside=True)
    if len(fitting) == 1:
        return Match(_object(fitting[0]))
    if fitting:
        keys = ", ".join(row.osm_key for row in fitting[:4])
        return Match(None, f"{len(fitting)} objects there are called {one.name} ({keys})")
    if one.spot is None:
        return Match(
            None,
            f"The files do not tell where {one.name} is, and no object has its id and name",
            is_lost=True,
        )
    return _nothing_fits(one, named, [row for row in there if row.has_its_id])


def _nothing_fits(one: Wanted, named: Sequence[Any], own: Sequence[Any]) -> Match:
    if named:
        told, kind = ", ".join(named[0].kinds), min(one.kinds)
        what = f"is {told}, not {kind}" if told else f"is no {kind}"
        return Match(None, f"What is called {one.name} there ({named[0].osm_key}) {what}", is_gone=True)
    renamed = [row for row in own if row.name is not None and _is_of_kind(row, one)]
    if len(renamed) == 1 and one.kinds:
        return Match(None, f"{one.name} ({renamed[0].osm_key}) is now called {renamed[0].name}", is_gone=True)
    nothing = f"Nothing within {NEAR_M:.0f} m of its place is called {one.name}"
    if one.kinds:
        return Match(None, nothing, is_gone=True)
    return Match(
        None, f"{nothing}: it is gone, or of a kind that maps here do not keep, such as stops and junctions"
    )


def _is_of_kind(row: Any, one: Wanted) -> bool:
    return not one.kinds or not one.kinds.isdisjoint(row.kinds)


def _object(row: Any) -> MapObject:
    return MapObject(
        row.osm_key, row.name, row.amenity, frozenset(row.kinds), Spot(row.lon, row.lat, DEGREES)
    )
