"""Import stage: what is worked out from the rows. Reads the indexed layers, writes poi_address,
poi_region, place_name, search_name, street_name, poi_twin, destination, at_edge.

Distances are metres on the WGS84 spheroid; containment is in lon, lat, edges included.
"""

from collections.abc import Collection
from typing import Any

import psycopg

from app.core.log import get_logger
from osm_import import completing_queries as queries
from osm_import.features import to_wkb
from osm_import.outlines import Outline
from osm_import.wkb import ewkb_hex

log = get_logger(__name__)

AREA_LAYERS = ("park", "water", "region", "aoi")
"""Layers whose areas an extract's edge may cut."""
EXACT_WITHIN_M = 10_000.0
"""An address nearer than this is the nearest for certain; one farther may be 1 % farther than the nearest."""
TWINS_WITHIN_M = 30.0
"""Places of one name and class that are no farther apart are taken for one that is mapped twice."""
DESTINATIONS = ("charging_station", "fuel", "parking", "pharmacy", "atm")
"""Classes of places that people drive to."""
MERGED_WITHIN_M = 50.0
"""Points of one destination are at most so far from the next of them."""
ROAD_WITHIN_M = 1000.0
"""A destination that is farther from every road for cars is in no part of the road network."""
ALIKE_M = 0.01
"""Roads whose distances differ by no more are equally near."""
SLACK_SQUARE_DEGREES = 1e-14
"""About a square centimetre: an area that reaches so little beyond the outline only touches it, but for rounding."""


def complete(connection: psycopg.Connection[Any], layers: Collection[str]) -> None:
    """Find what shares a name, places mapped twice, and destinations; where `layers`, those imported, have addresses,
    also each poi's address and regions.

    Works on the snapshot in the current search_path, whose indexes are there, and commits nothing.
    """
    connection.execute(queries.TABLES)
    stops = {"classes": list(DESTINATIONS), "metres": MERGED_WITHIN_M}
    done = {
        "destinations": connection.execute(queries.DESTINATIONS, stops).rowcount,
        "names": connection.execute(queries.PLACE_NAMES).rowcount,
        "searched": connection.execute(queries.SEARCH_NAMES).rowcount,
        "streets": connection.execute(queries.STREET_NAMES).rowcount,
        "twins": connection.execute(queries.TWINS, {"metres": TWINS_WITHIN_M}).rowcount,
    }
    if "road_edge" in layers:
        near = {"farthest": ROAD_WITHIN_M, "alike": ALIKE_M}
        done["reached"] = connection.execute(queries.DESTINATION_PARTS, near).rowcount
    if "address" in layers:
        done["own"] = connection.execute(queries.OWN_ADDRESSES).rowcount
        binds = {"exact_within": EXACT_WITHIN_M}
        done["near"] = connection.execute(queries.NEAREST_ADDRESSES, binds).rowcount
        done["regions"] = connection.execute(queries.POI_REGIONS).rowcount
    connection.execute(queries.INDEXES)
    log.info("completed", **done)


def mark_edges(connection: psycopg.Connection[Any], outline: Outline) -> None:
    """Mark the areas that are not wholly within the outline; none where there is no outline.

    Works on the snapshot in the current search_path, whose AREA_LAYERS are indexed, and commits nothing.
    """
    if outline.geometry is None:
        return
    connection.execute(queries.CUT_BEYOND, {"outline": ewkb_hex(to_wkb(outline.geometry))})
    connection.execute(queries.INDEX_BEYOND)
    binds = {"slack": SLACK_SQUARE_DEGREES}
    marked = {layer: connection.execute(queries.mark_at_edge(layer), binds).rowcount for layer in AREA_LAYERS}
    connection.execute(queries.DROP_BEYOND)
    log.info("areas at the edge", **marked)


def find_incomplete(connection: psycopg.Connection[Any]) -> str:
    """What is wrong with the rows that `complete` wrote, in words; nothing where all is well.

    A poi has one address row: its own where it says a house number or street, else the nearest's where there is any.
    """
    faults = connection.execute(queries.FAULTS).fetchall()
    return "; ".join(f"{key} {fault}" for key, fault in faults) + "." if faults else ""
