"""Reads what a snapshot has within a frame. The order of rows never counts: whatever draws a scene sorts it."""

from typing import Any

import shapely
from sqlalchemy import Connection, TextClause

from app.db.engine import use_schema
from app.drawing import queries
from app.drawing.frame import BEYOND, Frame
from app.drawing.scene import Area, Line, Place, Scene

FIRST_WITH_PLACES = 12
"""The first zoom at which places have symbols."""
FIRST_WITH_BUILDINGS = 15
FIRST_WITH_HOUSES = 18
LAST_WITH_REGIONS = 16
FIRST_WITHOUT_COUNTIES = 13
"""From this zoom on, regions larger than a municipality are not named."""
WHOLE_TIMES = 5
"""A region that is so many times as large as the frame is not named: the picture does not show what it is."""


def read_scene(connection: Connection, schema: str, frame: Frame) -> Scene:
    """The scene of a frame, from the tables of a snapshot's schema."""
    use_schema(connection, schema)
    binds = dict(zip(("west", "south", "east", "north"), frame.degrees_around(BEYOND), strict=True))

    def rows(statement: TextClause, **more: Any) -> list[Any]:
        return list(connection.execute(statement, {**binds, **more}))

    areas = [_area(row) for row in rows(queries.AREAS)]
    if frame.zoom >= FIRST_WITH_BUILDINGS:
        areas += [_building(row) for row in rows(queries.BUILDINGS)]
    places: list[Place] = []
    if frame.zoom >= FIRST_WITH_PLACES:
        places += [_place(row) for row in rows(queries.PLACES)]
    if frame.zoom >= FIRST_WITH_HOUSES:
        places += [_house(row) for row in rows(queries.HOUSES)]
    if frame.zoom <= LAST_WITH_REGIONS:
        places += [
            _region(row)
            for row in rows(
                queries.REGIONS, times=WHOLE_TIMES, all_classes=frame.zoom < FIRST_WITHOUT_COUNTIES
            )
        ]
    return Scene(areas, [_line(row) for row in rows(queries.LINES)], places)


def _area(row: Any) -> Area:
    inside = shapely.from_wkb(bytes(row.inside))
    at = (inside.x, inside.y) if row.name and not inside.is_empty else None
    shape = shapely.from_wkb(bytes(row.shape))
    return Area(row.osm_key, row.kind, row.klass, row.name, shape, at, row.size)


def _building(row: Any) -> Area:
    return Area(row.osm_key, "building", "building", None, shapely.from_wkb(bytes(row.shape)), None, row.size)


def _line(row: Any) -> Line:
    shape = shapely.from_wkb(bytes(row.shape))
    level = _level(row.level)
    return Line(row.osm_key, row.kind, row.klass, row.name, row.ref, level, row.tunnel, shape)


def _level(told: str | None) -> int:
    """OpenStreetMap's layer: -5 to 5; 0 for what is no such number."""
    try:
        return max(-5, min(5, int(told or 0)))
    except ValueError:
        return 0


def _place(row: Any) -> Place:
    return Place(
        row.osm_key, "place", row.klass, [*row.classes, row.category], row.name, row.lon, row.lat, row.weight
    )


def _house(row: Any) -> Place:
    return Place(row.osm_key, "house", "house", ["house"], row.housenumber, row.lon, row.lat)


def _region(row: Any) -> Place:
    return Place(row.osm_key, "region", row.klass, [row.klass], row.name, row.lon, row.lat, row.population)
