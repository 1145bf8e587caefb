"""The real extracts, counted by hand or by other means: what must be in them, and what must not."""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import osmium
import psycopg
import pytest

from app.core.clock import ManualClock
from app.core.settings import PROJECT_ROOT, Settings
from osm_import.importing import ImportResult, import_extract
from osm_import.progress import Silent

MUNICIPALITIES = [
    "Balzers", "Eschen", "Gamprin", "Mauren", "Planken", "Ruggell",
    "Schaan", "Schellenberg", "Triesen", "Triesenberg", "Vaduz",
]  # fmt: skip
LIECHTENSTEIN = "liechtenstein-2022-07-24.osm.pbf"
COUNTRY_KM2 = 160.5


@pytest.fixture(scope="module")
def maps(make_database: Callable[[], Settings], extracts: Path) -> tuple[Settings, dict[str, ImportResult]]:
    """Every extract of the folder, imported into one database."""
    settings, clock = make_database(), ManualClock(datetime(2026, 1, 1, tzinfo=UTC))
    files = sorted(extracts.glob("*.osm.*"))
    return settings, {file.name: import_extract(settings, str(file), None, clock, Silent()) for file in files}


@pytest.fixture
def ask(
    maps: tuple[Settings, dict[str, ImportResult]], superuser_of: Callable[[Settings], str]
) -> Callable[[str, str], list[tuple[Any, ...]]]:
    settings, results = maps

    def run(file: str, statement: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(superuser_of(settings)) as connection:
            connection.execute(f"set search_path = {results[file].schema}, public")
            return connection.execute(statement).fetchall()

    return run


def test_liechtenstein_has_its_eleven_municipalities(ask: Callable[..., Any]) -> None:
    for file in (LIECHTENSTEIN, "liechtenstein-2013-08-03.osm.pbf"):
        rows = ask(
            file, "select name, ST_Area(geog) / 1e6 from region where class = 'municipality' order by name"
        )
        assert [row[0] for row in rows] == MUNICIPALITIES
        assert sum(row[1] for row in rows) == pytest.approx(COUNTRY_KM2, rel=0.005)


def test_the_outline_is_the_country(ask: Callable[..., Any]) -> None:
    (row,) = ask(
        LIECHTENSTEIN,
        "select outline_source, ST_Area(outline::geography) / 1e6 from trigpoint.snapshot "
        "where data_timestamp = '2022-07-24T20:21:51Z'",
    )
    assert row == ("area", pytest.approx(COUNTRY_KM2, rel=0.005))


def test_only_the_neighbours_are_cut_off(ask: Callable[..., Any]) -> None:
    """Every area that Liechtenstein's edge cuts is a region abroad, or the Alps; no park, water or road is lost."""
    assert ask(LIECHTENSTEIN, "select distinct layer, reason from reject order by 1") == [
        ("aoi", "line_not_area"), ("other_place", "missing_members"), ("poi", "line_not_area"),
        ("region", "missing_members"),
    ]  # fmt: skip


def test_every_road_of_the_file_is_there(ask: Callable[..., Any], extracts: Path) -> None:
    """Counted without our tables of tags: each way with highway and no area=yes is a road, or of a kind we leave out."""
    left_out = {
        "platform",
        "proposed",
        "construction",
        "services",
        "rest_area",
        "elevator",
        "no",
        "razed",
        "bus_stop",
    }
    ways = {
        way.id: way.tags["highway"]
        for way in osmium.FileProcessor(str(extracts / LIECHTENSTEIN), osmium.osm.WAY)
        if "highway" in way.tags and way.tags.get("area") != "yes" and way.tags.get("abandoned") != "yes"
    }
    kept = {row[0] for row in ask(LIECHTENSTEIN, "select osm_id from road")}
    missing = Counter(kind for way, kind in ways.items() if way not in kept)
    assert kept <= set(ways)
    assert set(missing) <= left_out, missing


def test_restaurants_of_the_file_are_there(ask: Callable[..., Any], extracts: Path) -> None:
    found = Counter(
        entity.type_str()
        for entity in osmium.FileProcessor(str(extracts / LIECHTENSTEIN))
        if entity.tags.get("amenity") == "restaurant"
    )
    kept = dict(
        ask(LIECHTENSTEIN, "select osm_type, count(*) from poi where 'restaurant' = any(classes) group by 1")
    )
    assert kept == found


def test_no_way_to_reach_a_person_is_stored(
    ask: Callable[..., Any], maps: tuple[Settings, dict[str, ImportResult]]
) -> None:
    for file in maps[1]:
        for layer in ("poi", "park", "water", "road", "region", "aoi", "address", "other_place"):
            statement = f"select key from {layer}, jsonb_object_keys(tags) as key where key ~ '(^|:)(contact|(tele)?phone|fax|e?mail)(:|$)'"
            assert ask(file, statement) == [], (file, layer)


def test_monaco_is_xml_without_a_header_box(
    maps: tuple[Settings, dict[str, ImportResult]], ask: Callable[..., Any]
) -> None:
    file = "monaco-2012-07-06.osm.gz"
    result = maps[1][file]
    assert result.as_json()["snapshot"] == "monaco@2012-07-06T12:59:39Z"
    assert result.outline_source == "area"
    assert ask(file, "select detail from reject where osm_key = 'r2220206'") == [
        ("the rings do not close at n25182144, n1780810190",)
    ]


def test_layers_measured_by_postgis_are_valid_and_in_place(ask: Callable[..., Any]) -> None:
    west, south, east, north = (
        9.08,
        46.96,
        9.68,
        47.54,
    )  # the data's box by the extracts' README, rounded outwards
    for layer in ("poi", "park", "water", "road", "region", "aoi", "address", "other_place"):
        (row,) = ask(LIECHTENSTEIN, f"select ST_Extent(geom)::box2d, bool_and(ST_IsValid(geom)) from {layer}")
        (box,) = ask(
            LIECHTENSTEIN,
            f"select min(ST_XMin(geom)), min(ST_YMin(geom)), max(ST_XMax(geom)), max(ST_YMax(geom)) from {layer}",
        )
        assert row[1] is True
        assert west <= box[0] <= box[2] <= east
        assert south <= box[1] <= box[3] <= north


def test_the_demo_extract(make_database: Callable[[], Settings]) -> None:
    """The centre of Helsinki: a box cut through everything, so no region is whole."""
    path = PROJECT_ROOT / ".local" / "extracts" / "Helsinki.osm.pbf"
    if not path.is_file():
        pytest.skip("the demo extract is not here: `scripts/extract` fetches it")
    result = import_extract(
        make_database(), str(path), None, ManualClock(datetime(2026, 1, 1, tzinfo=UTC)), Silent()
    )
    assert (result.outline_source, result.as_json()["timestamp"]) == ("box", "2019-04-21T09:50:14Z")
    assert result.layers["region"] == {"found": 14, "kept": 0, "repaired": 0, "rejected": 14}
    assert result.layers["poi"]["kept"] > 1500
    assert result.layers["poi"]["rejected"] < 20
