"""Long: our five layers row by row against osm2pgsql's of the same map: ids, every column, geometries and sums.

Two differences are explained, and checked where they occur: is_another_point_of_the_area, and multipolygons without tags
of their own, which osm2pgsql passes over since 2017: we take them for what their outer ways say, and not the ways.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import osmium
import psycopg
import pytest
import shapely
from osmium.osm.types import Area, Relation
from psycopg import sql
from psycopg.rows import dict_row
from shapely.geometry.base import BaseGeometry

from app.core.settings import Role, Settings
from perf.osm2pgsql import peer
from tests.support.town import import_map

pytestmark = pytest.mark.long
MAPS = ("liechtenstein-2013-08-03.osm.pbf", "liechtenstein-2022-07-24.osm.pbf", "monaco-2012-07-06.osm.gz")
OURS_ALONE = {"content_hash", "repaired", "at_edge"}
"""Columns that osm2pgsql does not make, or fills with a constant."""
GEOMETRY = {"geom", "geog"}
GRID = 1e7
"""Coordinates are compared at OSM's seven decimals."""
AGREE = 1e-6

Row = dict[str, Any]


def is_another_point_of_the_area(ours: Row, theirs: Row, area: BaseGeometry | None) -> bool:
    """The one explained difference: the point of a place that is an area. Ours lies on it, theirs is its centroid.

    osm2pgsql 1.8 has no point on a surface.
    """
    if area is None or not (ours["is_area"] and theirs["is_area"]):
        return False
    our_point, their_point = (shapely.from_wkb(bytes(row["wkb"])) for row in (ours, theirs))
    is_centroid = shapely.distance(their_point, shapely.centroid(area)) < 1 / GRID
    return bool(is_centroid and shapely.distance(our_point, area) < 1 / GRID)


def read_areas(file: Path, keys: set[str]) -> dict[str, BaseGeometry]:
    """The areas of these objects as libosmium assembles them, by OSM key."""
    factory, areas = osmium.geom.WKBFactory(), {}
    for entity in osmium.FileProcessor(str(file)).with_areas():
        if isinstance(entity, Area) and entity.num_rings()[0]:
            key = f"{'w' if entity.from_way() else 'r'}{entity.orig_id()}"
            if key in keys:
                areas[key] = shapely.from_wkb(bytes.fromhex(factory.create_multipolygon(entity)))
    return areas


def read_old_style(file: Path) -> dict[str, set[str]]:
    """Multipolygons that say at most what they are called and where that is from, with their ways, by OSM key."""
    return {
        f"r{entity.id}": {f"w{member.ref}" for member in entity.members if member.type == "w"}
        for entity in osmium.FileProcessor(str(file), osmium.osm.RELATION)
        if isinstance(entity, Relation)
        and entity.tags.get("type") == "multipolygon"
        and {tag.k for tag in entity.tags} <= {"type", "name", "source", "created_by", "note"}
    }


def read_rows(url: str, schema: str, layer: str, columns: list[str]) -> dict[str, Row]:
    """The rows of a layer by OSM key, with WKB, square metres and metres."""
    query = sql.SQL(
        "select {}, ST_AsBinary(geom) as wkb, ST_Area(geog) as area, ST_Length(geog) as length from {}.{}"
    ).format(sql.SQL(", ").join(map(sql.Identifier, columns)), sql.Identifier(schema), sql.Identifier(layer))
    with psycopg.connect(url, row_factory=dict_row) as connection:
        rows = connection.execute(query).fetchall()
    keyed = {row["osm_key"]: row for row in rows}
    assert len(keyed) == len(rows), f"{layer}: an object has two rows"
    return keyed


def common_columns(url: str, schema: str, layer: str) -> list[str]:
    """Columns that both tables have, but for geometries; nothing but OURS_ALONE may be on one side."""
    query = """
        select column_name, count(*) from information_schema.columns
        where table_name = %s and table_schema in ('public', %s) group by column_name
    """
    with psycopg.connect(url) as connection:
        counts: dict[str, int] = dict(connection.execute(query, [layer, schema]).fetchall())
    assert {name for name, count in counts.items() if count == 1} <= OURS_ALONE
    return sorted(name for name, count in counts.items() if count == 2 and name not in GEOMETRY)


def rounded(row: Row) -> bytes:
    """The geometry at OSM's seven decimals, normalised: start and direction of rings, order of parts."""
    geometry = shapely.transform(shapely.from_wkb(bytes(row["wkb"])), lambda places: np.rint(places * GRID))
    wkb: bytes = shapely.to_wkb(shapely.normalize(geometry))
    return wkb


def differing_columns(ours: Row, theirs: Row) -> list[str]:
    """Columns with different values; `geom` where geometries differ."""
    plain = ours.keys() - {"wkb", "area", "length", *OURS_ALONE}
    differing = [name for name in sorted(plain) if ours[name] != theirs[name]]
    return differing if rounded(ours) == rounded(theirs) else ["geom", *differing]


def agree(ours: dict[str, Row], theirs: dict[str, Row], measure: str) -> bool:
    """Whether a layer's sums agree."""
    sums = [math.fsum(row[measure] for row in rows.values()) for rows in (ours, theirs)]
    return math.isclose(*sums, rel_tol=AGREE)


@pytest.mark.parametrize("name", MAPS)
def test_the_five_layers_are_those_of_osm2pgsql_row_by_row(
    make_database: Callable[[], Settings], extracts: Path, name: str
) -> None:
    file = extracts / name
    peer.find_program()
    settings = make_database()
    url = settings.role_url(Role.OWNER).replace("postgresql+psycopg", "postgresql")
    schema = import_map(settings, file, "ours").schema
    peer.load(file, url)
    old_style = read_old_style(file)
    for layer in peer.LAYERS:
        columns = common_columns(url, schema, layer)
        ours, theirs = read_rows(url, schema, layer, columns), read_rows(url, "public", layer, columns)
        assert ours
        for key in ours.keys() - theirs.keys():
            assert old_style[key] & theirs.keys(), f"{layer}: {key} is ours alone"
            del ours[key]
        passed_over = theirs.keys() - ours.keys()
        assert passed_over <= set().union(*old_style.values())
        theirs = {key: row for key, row in theirs.items() if key not in passed_over}
        assert agree(ours, theirs, "area")
        assert agree(ours, theirs, "length")
        differing = {key: found for key in ours if (found := differing_columns(ours[key], theirs[key]))}
        areas = read_areas(file, set(differing)) if layer == "poi" else {}
        unexplained = [
            (key, found, ours[key], theirs[key])
            for key, found in differing.items()
            if found != ["geom"] or not is_another_point_of_the_area(ours[key], theirs[key], areas.get(key))
        ]
        assert not unexplained, f"{layer}: {len(unexplained)} of {len(ours)} differ: {unexplained[:3]}"
