"""Where questions look: the footprint, and the place that they start from. Coordinates lon, lat on WGS84.

Both tell answers (a circle ends at the nearest place), so they leave with gold alone.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import shapely
from sqlalchemy import Connection

from app.db.engine import use_schema
from app.exports import queries
from app.questions.stored import StoredQuestion
from app.questions.versions import PublishedVersion


class Place(NamedTuple):
    """WKB of a question's footprint and of its anchor; None where it has none."""

    footprint: bytes | None
    anchor: bytes | None


def read_places(
    connection: Connection, version: PublishedVersion, questions: Iterable[StoredQuestion]
) -> dict[str, Place]:
    """The places of these questions by id; anchors are read from the maps that the questions stand on."""
    rows = connection.exec_driver_sql(queries.FOOTPRINTS, {"version_id": version.id})
    areas = {row.question_id: row.area for row in rows}
    by_map: dict[str, list[StoredQuestion]] = defaultdict(list)
    for one in questions:
        by_map[one.snapshot.schema].append(one)
    found = {}
    for schema, asked in sorted(by_map.items()):
        use_schema(connection, schema)
        anchors = {one.id: _anchor(one) for one in asked}
        points = _points(connection, {key for key in anchors.values() if key is not None})
        for one in asked:
            anchor = points.get(anchors[one.id] or "") or _told_point(one)
            found[one.id] = Place(areas.get(one.id), anchor)
    return found


def _points(connection: Connection, osm_keys: set[str]) -> Mapping[str, bytes]:
    rows = connection.exec_driver_sql(queries.POINTS, {"osm_keys": sorted(osm_keys)})
    return {row.osm_key: row.point for row in rows}


def _anchor(question: StoredQuestion) -> str | None:
    """The key of the first place of the map among a question's parameters."""
    for name, parameter in question.header.parameters.items():
        if parameter.type == "object" and parameter.layer == "poi":
            key: str = question.parameters[name]
            return key
    return None


def _told_point(question: StoredQuestion) -> bytes | None:
    """The point that a question tells in degrees, of its first parameter of that type."""
    for name, parameter in question.header.parameters.items():
        if parameter.type == "point":
            lon, lat, *_ = question.parameters[name].split(",")
            return bytes(shapely.to_wkb(shapely.Point(float(lon), float(lat)), byte_order=1))
    return None
