"""Stations: places of a class, of which those that are one to a driver count once.

Places of one operator (where none is known, of one name), each at most LINKED_M from another of them, are one station.
It is where its first place is, and has that place's id: nodes come before ways before relations, each by number. The
operator itself is shown to nobody: it may be asked for.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import Row

from app.agent_tools.georover import queries
from app.agent_tools.georover.coordinates import LonLat
from app.agent_tools.scope import Scope

Destination = Literal["charging_station", "fuel", "parking", "pharmacy", "atm"]
"""Classes of places that one drives to."""
LINKED_M: Final = 50.0
"""Metres between two places of one station."""


class Found(NamedTuple):
    """A station: its id, the ids of its places in order, its name, and metres from where one looks."""

    id: str
    members: Sequence[str]
    name: str | None
    metres: float


def find_stations(scope: Scope, destination: str, centre: LonLat, radius: float) -> list[Found]:
    """The stations of a class within so many metres, the nearest first; equally near ones by id."""
    binds = {"class": destination, "lon": centre.lon, "lat": centre.lat, "radius": radius, "linked": LINKED_M}
    rows = {row.osm_key: row for row in scope.rows(queries.MEMBERS_AROUND, binds)}
    merged = [_merge(keys, rows) for keys in _linked_sets(rows)]
    return sorted(
        (one for one in merged if one.metres <= radius), key=lambda one: (one.metres, _order(one.id))
    )


def _order(osm_key: str) -> tuple[int, int]:
    return "nwr".index(osm_key[0]), int(osm_key[1:])


def _merge(keys: Sequence[str], rows: Mapping[str, Row[Any]]) -> Found:
    members = sorted(keys, key=_order)
    name = next((rows[key].name for key in members if rows[key].name), None)
    return Found(members[0], members, name, rows[members[0]].metres)


def _linked_sets(rows: Mapping[str, Row[Any]]) -> list[list[str]]:
    """The places, by sets of which each is linked to another of its set."""
    left = dict.fromkeys(rows)
    sets = []
    while left:
        waiting, reached = [left.popitem()[0]], []
        while waiting:
            reached.append(waiting.pop())
            more = [key for key in rows[reached[-1]].linked if key in left]
            waiting += more
            for key in more:
                del left[key]
        sets.append(reached)
    return sets
