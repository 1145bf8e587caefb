"""Addresses and regions of places, and areas at the map's edge: a town with known answers, and brute force over a country."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest
import shapely
from shapely import MultiPolygon

from app.core.clock import ManualClock
from app.core.settings import Settings
from osm_import import completing_queries
from osm_import.completing import (
    AREA_LAYERS,
    EXACT_WITHIN_M,
    SLACK_SQUARE_DEGREES,
    complete,
    find_incomplete,
    mark_edges,
)
from osm_import.features import GEOD, to_wkb
from osm_import.importing import import_extract
from osm_import.outlines import Outline, OutlineSource
from osm_import.progress import Silent
from osm_import.tag_tables import LAYERS
from osm_import.wkb import ewkb_hex
from tests.support.town import offset

REMOTE = (9.1, 47.1)
TOWN = (
    "n200 v1 x9.0015 y47.0015 Tamenity=cafe,addr:housenumber=4,addr:street=Gasse,addr:city=Dorf",
    "n201 v1 x9.0025 y47.0015 Tamenity=pub,addr:street=Gasse",
    "n202 v1 x9.0055 y47.0055 Tamenity=bank,addr:city=Anderswo",
    "n203 v1 x9.0055 y47.0056 Ttourism=museum",
    "n204 v1 x9.008 y47.008 Tshop=bakery",
    "n205 v1 x9.001 y47.001 Tamenity=atm",
    "n206 v1 x9.0095 y47.005 Tamenity=taxi",
    "n300 v1 x9.0055 y47.0056 Taddr:housenumber=1,addr:street=Weg,addr:postcode=9490",
    "n301 v1 x9.0055 y47.0054 Taddr:housenumber=2,addr:street=Weg",
    *(f"n{number} v1 x9.008 y47.0081 Taddr:housenumber={number}" for number in range(310, 330)),
    "w10 v1 Thighway=residential,name=Gasse Nn11,n21,n31",
    "w20 v1 Nn11,n91,n99",
    "w21 v1 Nn99,n19,n11",
    "w22 v1 Nn11,n51,n55,n15,n11",
    "r1 v1 Ttype=boundary,boundary=administrative,admin_level=2,name=Toyland Mw20@outer,w21@outer",
    "r2 v1 Ttype=boundary,boundary=administrative,admin_level=8,name=Dorf Mw22@outer",
    # Areas: inside; inside, with the edge in common; over the edge; wholly beyond it. The line and the point never count.
    "w30 v1 Tleisure=park,name=Inside Nn22,n32,n33,n23,n22",
    "w31 v1 Tleisure=park,name=Touching Nn11,n21,n22,n12,n11",
    "w32 v1 Tleisure=park,name=Over Nn81,n401,n402,n82,n81",
    "w33 v1 Tnatural=water,name=Beyond Nn401,n403,n404,n402,n401",
    "w34 v1 Twaterway=river Nn81,n401",
    "n401 v1 x9.012 y47.001",
    "n402 v1 x9.012 y47.002",
    "n403 v1 x9.015 y47.001",
    "n404 v1 x9.015 y47.002",
    "n405 v1 x9.013 y47.005 Tleisure=park,name=Point",
)
Ask = Callable[[str], list[tuple[Any, ...]]]


def remote_place() -> list[str]:
    """A place with one address 1,000 m north and one 1,002 m east: on a sphere the eastern one is nearer."""
    north, east = offset(REMOTE, 0, 1000), offset(REMOTE, 90, 1002)
    return [
        f"n500 v1 x{REMOTE[0]:.7f} y{REMOTE[1]:.7f} Tamenity=pub,name=Remote",
        f"n501 v1 x{north[0]:.7f} y{north[1]:.7f} Taddr:housenumber=1",
        f"n502 v1 x{east[0]:.7f} y{east[1]:.7f} Taddr:housenumber=2",
    ]


@pytest.fixture(scope="module")
def module_database(make_database: Callable[[], Settings]) -> Settings:
    return make_database()


@pytest.fixture
def import_map(database: Settings, superuser_of: Callable[[Settings], str]) -> Callable[[Path], Any]:
    """A function that imports a file and opens its schema in a transaction that is rolled back; nothing is completed."""

    @contextmanager
    def run(path: Path) -> Iterator[psycopg.Connection[Any]]:
        clock = ManualClock(datetime(2026, 1, 1, tzinfo=UTC))
        schema = import_extract(database, str(path), None, clock, Silent()).schema
        with psycopg.connect(superuser_of(database)) as connection:
            connection.execute(f"set search_path = {schema}, public".encode())
            connection.execute("drop table if exists poi_address, poi_region")
            for layer in AREA_LAYERS:
                connection.execute(f"update {layer} set at_edge = false".encode())
            yield connection
            connection.rollback()

    return run


@pytest.fixture
def town(import_map: Callable[[Path], Any], write_map: Callable[..., Path]) -> Iterator[Any]:
    with import_map(write_map(*TOWN, *remote_place(), box=(9, 47, 9.2, 47.2))) as connection:
        yield connection


def complete_anew(connection: psycopg.Connection[Any]) -> None:
    """As an import of all layers does; the map was imported without addresses."""
    drop_completion(connection)
    complete(connection, LAYERS)


def drop_completion(connection: psycopg.Connection[Any]) -> None:
    """Take away what the import has completed."""
    connection.execute(
        "drop table if exists poi_address, poi_region, place_name, search_name, street_name, poi_twin, destination cascade"
    )


def toyland(connection: psycopg.Connection[Any]) -> Outline:
    (row,) = connection.execute("select ST_AsBinary(geom) from region where admin_level = 2").fetchall()
    return Outline(shapely.from_wkb(bytes(row[0])), OutlineSource.AREA, "")


def test_a_town_gets_its_addresses(town: psycopg.Connection[Any]) -> None:
    complete_anew(town)
    rows = town.execute(
        "select osm_key, source, address_key, distance_m, housenumber, street, city, postcode from poi_address "
        "where osm_key like 'n2%' or osm_key = 'n500' order by osm_key"
    ).fetchall()
    grid = GEOD.inv(9.0055, 47.0055, 9.0055, 47.0054)[2]
    tie = GEOD.inv(9.008, 47.008, 9.008, 47.0081)[2]
    corner = GEOD.inv(9.001, 47.001, 9.0015, 47.0015)[2]
    taxi = GEOD.inv(9.0095, 47.005, 9.0055, 47.0054)[2]
    assert rows == [
        ("n200", "own", "n200", 0, "4", "Gasse", "Dorf", None),
        ("n201", "own", None, 0, None, "Gasse", None, None),
        ("n202", "near", "n301", pytest.approx(grid, abs=1e-6), "2", "Weg", None, None),
        ("n203", "near", "n300", 0, "1", "Weg", None, "9490"),
        ("n204", "near", "n310", pytest.approx(tie, abs=1e-6), "310", None, None, None),
        ("n205", "near", "n200", pytest.approx(corner, abs=1e-6), "4", "Gasse", "Dorf", None),
        ("n206", "near", "n301", pytest.approx(taxi, abs=1e-6), "2", "Weg", None, None),
        ("n500", "near", "n501", pytest.approx(1000, abs=0.02), "1", None, None, None),
    ]  # fmt: skip
    assert find_incomplete(town) == ""


def test_a_town_gets_its_regions(town: psycopg.Connection[Any]) -> None:
    complete_anew(town)
    rows = town.execute(
        "select osm_key, array_agg(region_key || '/' || admin_level order by region_key) from poi_region "
        "where osm_key like 'n2%' group by 1 order by 1"
    ).fetchall()
    both, country = ["r1/2", "r2/8"], ["r1/2"]
    # n205 stands on the corner that both regions share; n206 lies east of the country.
    assert rows == [
        ("n200", both), ("n201", both), ("n202", country), ("n203", country), ("n204", country), ("n205", both)
    ]  # fmt: skip


def marked(connection: psycopg.Connection[Any]) -> set[str]:
    found: set[str] = set()
    for layer in AREA_LAYERS:
        rows = connection.execute(
            f"select '{layer} ' || osm_key from {layer} where at_edge".encode()
        ).fetchall()
        found.update(row[0] for row in rows)
    return found


def test_a_town_knows_what_its_edge_cuts(town: psycopg.Connection[Any]) -> None:
    mark_edges(town, toyland(town))
    assert marked(town) == {"park w32", "aoi w32", "water w33", "aoi w33"}


def test_the_box_is_an_edge_too(town: psycopg.Connection[Any]) -> None:
    box = MultiPolygon([shapely.box(9, 47, 9.0125, 47.0015)])
    mark_edges(town, Outline(box, OutlineSource.BOX, ""))
    assert marked(town) == {
        "park w30", "aoi w30", "park w31", "aoi w31", "park w32", "aoi w32", "water w33", "aoi w33",
        "region r1", "region r2",
    }  # fmt: skip


def test_without_an_outline_nothing_is_marked(town: psycopg.Connection[Any]) -> None:
    mark_edges(town, Outline(None, OutlineSource.NONE, ""))
    assert marked(town) == set()


def test_a_map_without_addresses(import_map: Callable[[Path], Any], write_map: Callable[..., Path]) -> None:
    path = write_map("n200 v1 x9 y47 Tamenity=cafe", "n201 v1 x9 y47 Tamenity=pub,addr:street=Gasse")
    with import_map(path) as connection:
        complete_anew(connection)
        rows = connection.execute("select osm_key, source, address_key from poi_address").fetchall()
        assert rows == [("n201", "own", None)]
        assert find_incomplete(connection) == ""


@pytest.mark.parametrize(
    ("tampering", "fault"),
    [
        ("delete from poi_address where osm_key = 'n202'", "n202 has no address."),
        ("delete from poi_address where osm_key = 'n201'", "n201 has no address."),
        (
            "update poi_address set source = 'near', address_key = 'n300' where osm_key = 'n201'",
            "n201 has an address that it should not have.",
        ),
        (
            "update poi_address set address_key = 'n9' where osm_key = 'n202'",
            "n202 has an address that is not in the map.",
        ),
        (
            "insert into poi_region values ('n202', 'r9', 2)",
            "n202 lies in a region that is not in the map.",
        ),
    ],
)
def test_faults_are_found(town: psycopg.Connection[Any], tampering: str, fault: str) -> None:
    complete_anew(town)
    town.execute(tampering.encode())
    assert find_incomplete(town) == fault


# --- against brute force ----------------------------------------------------------------------------------


@pytest.fixture
def country(import_map: Callable[[Path], Any], extracts: Path) -> Iterator[Any]:
    with import_map(extracts / "liechtenstein-2013-08-03.osm.pbf") as connection:
        yield connection


def points(connection: psycopg.Connection[Any], statement: str) -> tuple[list[str], np.ndarray]:
    rows = connection.execute(statement.encode()).fetchall()
    return [row[0] for row in rows], np.array([row[1:] for row in rows], dtype=float)


def test_nearest_addresses_of_a_country(country: psycopg.Connection[Any]) -> None:
    complete_anew(country)
    keys, places = points(
        country,
        "select osm_key, ST_X(geom), ST_Y(geom) from poi where housenumber is null and street is null",
    )
    address_keys, addresses = points(
        country, 'select osm_key, ST_X(geom), ST_Y(geom) from address order by osm_key collate "C"'
    )
    got = {
        row[0]: row[1:]
        for row in country.execute(
            "select osm_key, address_key, distance_m from poi_address where source = 'near'"
        )
    }
    assert list(got) != []
    assert set(got) == set(keys)
    for key, (lon, lat) in zip(keys, places, strict=True):
        here = np.full(len(addresses), lon), np.full(len(addresses), lat)
        distances = np.asarray(GEOD.inv(*here, addresses[:, 0], addresses[:, 1])[2])
        least = float(distances.min())
        assert least < EXACT_WITHIN_M
        assert got[key][1] == pytest.approx(least, abs=1e-6)
        assert got[key][0] in [address_keys[index] for index in np.flatnonzero(distances <= least + 1e-6)]


def test_regions_of_a_country(country: psycopg.Connection[Any]) -> None:
    complete_anew(country)
    keys, places = points(country, "select osm_key, ST_X(geom), ST_Y(geom) from poi")
    regions = country.execute("select osm_key, admin_level, ST_AsBinary(geom) from region").fetchall()
    expected = {
        (key, region, level)
        for region, level, wkb in regions
        for key, inside in zip(
            keys, shapely.covers(shapely.from_wkb(bytes(wkb)), shapely.points(places)), strict=True
        )
        if inside
    }
    assert len(expected) > len(keys)
    assert set(country.execute("select osm_key, region_key, admin_level from poi_region")) == expected


@pytest.mark.parametrize("seed", range(4))
def test_the_edge_of_a_country(country: psycopg.Connection[Any], seed: int) -> None:
    """The country's own border, then boxes that cut it anywhere: the same areas as by shapely's difference."""
    dice = random.Random(seed)
    west, south = dice.uniform(9.46, 9.52), dice.uniform(47.04, 47.14)
    box = MultiPolygon(
        [shapely.box(west, south, west + dice.uniform(0.02, 0.1), south + dice.uniform(0.02, 0.1))]
    )
    outline = toyland(country) if seed == 0 else Outline(box, OutlineSource.BOX, "")
    mark_edges(country, outline)
    expected = set()
    for layer in AREA_LAYERS:
        rows = country.execute(f"select osm_key, ST_AsBinary(geom) from {layer}".encode()).fetchall()
        for key, wkb in rows:
            if shapely.difference(shapely.from_wkb(bytes(wkb)), outline.geometry).area > SLACK_SQUARE_DEGREES:
                expected.add(f"{layer} {key}")
    assert expected
    assert marked(country) == expected


# --- plans --------------------------------------------------------------------------------------------------


def multiply(connection: psycopg.Connection[Any], table: str, times: int) -> None:
    """So many copies of a table's rows, each a little to the north."""
    columns = [
        row[0]
        for row in connection.execute(
            "select column_name from information_schema.columns where table_schema = current_schema() "
            "and table_name = %s and is_generated = 'NEVER'",
            [table],
        )
    ]
    changed = {"osm_id": "osm_id + 1000000::bigint * k", "geom": "ST_Translate(geom, 0, 0.0001 * k)"}
    values = ", ".join(changed.get(column, column) for column in columns)
    connection.execute(
        f"insert into {table} ({', '.join(columns)}) select {values} from {table}, generate_series(1, {times}) as k".encode()
    )
    connection.execute(f"analyze {table}".encode())


def test_large_layers_are_reached_by_index(town: psycopg.Connection[Any]) -> None:
    """With thousands of rows in a layer no statement reads it whole once for each row of another."""
    for table, times in (("address", 200), ("poi", 100), ("water", 4000)):
        multiply(town, table, times)
    drop_completion(town)
    town.execute(completing_queries.TABLES)
    geometry = toyland(town).geometry
    assert geometry
    town.execute(completing_queries.CUT_BEYOND, {"outline": ewkb_hex(to_wkb(geometry))})
    town.execute(completing_queries.INDEX_BEYOND)

    def plan(statement: str, **binds: Any) -> str:
        rows = town.execute(("explain (costs off) " + statement).encode(), binds).fetchall()
        return "\n".join(row[0] for row in rows)

    nearest = plan(completing_queries.NEAREST_ADDRESSES, exact_within=EXACT_WITHIN_M)
    assert "Order By: (geog <-> poi.geog)" in nearest
    assert "Index Cond: (geog && _st_expand" in nearest
    assert "Seq Scan on address" not in nearest
    assert "Index Scan using poi_geom on poi" in plan(completing_queries.POI_REGIONS)
    edge = plan(completing_queries.mark_at_edge("water"), slack=SLACK_SQUARE_DEGREES)
    assert "using water_geom on water" in edge
    assert "Seq Scan on water" not in edge
