"""Housekeeping after a refresh: a region's maps and comparisons beyond those that are to be kept are removed.

A map that a data set version stands on always stays, and so does one that somebody uses just now.
"""

from typing import NamedTuple

from app.core.clock import Clock
from app.core.errors import Conflict, Held, NotFound
from app.core.log import get_logger
from app.core.settings import Role, Settings
from app.db.engine import connect
from osm_import import comparing_queries
from osm_import.keeping import drop_snapshot, list_snapshots

log = get_logger(__name__)


class Retained(NamedTuple):
    """What was removed: maps by reference, and how many comparisons."""

    snapshots: list[str]
    comparisons: int


def retain(settings: Settings, name: str, snapshots: int, comparisons: int, clock: Clock) -> Retained:
    """Keep the newest `snapshots` published maps of a name, those that versions need, and the newest comparisons."""
    with connect(settings, Role.OWNER) as connection:
        there = [one for one in list_snapshots(connection, clock) if one["name"] == name]
        binds = {"name": name, "keep": comparisons}
        removed = connection.exec_driver_sql(comparing_queries.DROP_OLD_COMPARISONS, binds).rowcount
        connection.commit()
    published = [one for one in there if one["state"] == "published"]
    published.sort(key=lambda one: one["timestamp"] or "", reverse=True)
    dropped = []
    for one in published[snapshots:]:
        if one["needed_by"]:
            continue
        try:
            drop_snapshot(settings, one["schema"])
        except (Conflict, Held, NotFound) as error:
            log.info("kept a map for now", snapshot=one["snapshot"], reason=str(error))
        else:
            dropped.append(one["snapshot"])
    return Retained(dropped, removed)
