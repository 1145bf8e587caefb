"""What the service has to do, how far it is, how old its maps are: counts and ages, and no names of what is hidden.

Reads the function service_counts and published snapshots, as the api role.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from app.published import queries_counts as queries

MOST_MAPS = 200
"""The newest maps of so many regions are told."""


class Count(NamedTuple):
    """So many of something in a state; the age of the oldest in seconds where that is told."""

    what: str
    state: str
    number: int
    oldest_seconds: float | None


class MapAge(NamedTuple):
    """The age of the newest map of a region, in seconds; and of the oldest that a data set's newest version is of."""

    name: str
    seconds: float
    seconds_in_use: float | None = None


class Counts(NamedTuple):
    """All of it at one moment."""

    states: Sequence[Count]
    maps: Sequence[MapAge]


def read_counts(connection: Connection, now: datetime) -> Counts:
    """Two statements, whatever the database holds."""
    states = [Count(*row) for row in connection.execute(queries.COUNTS, {"now": now})]
    ages = connection.execute(queries.MAP_AGES, {"now": now, "limit": MOST_MAPS})
    maps = [
        MapAge(
            row.name, float(row.seconds), None if row.seconds_in_use is None else float(row.seconds_in_use)
        )
        for row in ages
    ]
    return Counts(states, maps)
