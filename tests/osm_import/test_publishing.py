"""Every check of a snapshot can fail: each is shown a fault made on purpose, and must name it."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest

from app.core.clock import ManualClock, SystemClock
from app.core.settings import Settings
from app.db.naming import reference_schema
from osm_import import queries
from osm_import.extracts import open_extract
from osm_import.importing import import_extract
from osm_import.loading import LayerCount
from osm_import.progress import Silent
from osm_import.publishing import CHECKS, Loaded, read_facts

TOWN = (
    "n200 v1 x9.5 y47.5 Tamenity=cafe,name=Cup,capacity=4",
    "w1 v1 Tleisure=park,name=Common Nn11,n31,n33,n13,n11",
    "w3 v1 Tleisure=park Nn11,n31",
)


@pytest.mark.parametrize(
    ("name", "tampering", "words"),
    [
        ("rows_as_sent", "delete from poi where osm_key = 'n200'", "poi: found 3; kept, repaired, rejected (2, 0, 1) were sent, (1, 0, 1)"),
        ("rows_as_sent", "delete from reject where layer = 'park'", "park: found 2"),
        ("rows_as_sent", "update park set repaired = true", "(1, 1, 1) are there"),
        ("something_there", "", "holds no place, road or address"),
        ("roads_whole", "", "20 of 24 roads lack nodes"),
        ("geometries_valid", "update park set geom = 'srid=4326;polygon((0 0, 1 1, 1 0, 0 1, 0 0))'", "invalid geometry in park w1"),
        ("geometries_valid", "update poi set geom = 'srid=4326;point(181 0)' where osm_key = 'n200'", "poi n200"),
        ("geometries_valid", "update poi set geom = 'srid=4326;point empty' where osm_key = 'w1'", "poi w1"),
        ("facts_hidden", "drop view {reference}.pois; create view {reference}.pois as select tags from poi", "pois.tags.capacity"),
        ("facts_hidden", "create view {reference}.more as select population from region", "more.population"),
    ],
)  # fmt: skip
def test_checks_find_faults(
    database: Settings,
    write_map: Callable[..., Path],
    superuser_of: Callable[[Settings], str],
    name: str,
    tampering: str,
    words: str,
) -> None:
    path = write_map(*TOWN)
    result = import_extract(
        database, str(path), None, ManualClock(datetime(2026, 1, 1, tzinfo=UTC)), Silent()
    )
    counts = {layer: LayerCount(**count) for layer, count in result.layers.items()}
    if name == "something_there":
        counts |= {layer: LayerCount(5, 0, 0, 5) for layer in ("poi", "road", "address")}
    if name == "roads_whole":
        counts["road"] = LayerCount(24, 12, 8, 12)
    snapshot_id = int(result.schema.rsplit("_", 1)[1])
    loaded = Loaded(
        snapshot_id, result.schema, open_extract(str(path), database, Silent(), SystemClock()), counts, ()
    )
    (check,) = [check for check in CHECKS if check.name == name]
    reference = reference_schema(snapshot_id)
    with psycopg.connect(superuser_of(database)) as connection:
        connection.execute(queries.search_schemas(reference, result.schema))
        if not tampering.startswith(("drop", "create")) and tampering:
            assert not check.find_fault(connection, loaded), "clean before"
        if tampering:
            connection.execute(tampering.format(reference=reference).encode())
        assert words in check.find_fault(connection, loaded)
        connection.rollback()


def test_every_check_has_a_docstring_and_a_hint() -> None:
    assert [check.name for check in CHECKS] == [
        "rows_as_sent", "something_there", "roads_whole", "places_completed", "geometries_valid", "facts_hidden"
    ]  # fmt: skip
    for check in CHECKS:
        assert check.hint.endswith(".")
        assert check.find_fault.__doc__


@pytest.mark.parametrize(
    ("key", "hidden"),
    [("capacity", True), ("capacity:disabled", True), ("operator:wikidata", True), ("building:levels", True),
     ("cuisine", False), ("capacity_note", False), ("building", False)],
)  # fmt: skip
def test_facts_hide_their_suffixes(key: str, hidden: bool) -> None:
    assert read_facts().hides(key) is hidden


def test_a_tag_is_a_filter_or_a_fact() -> None:
    """No attribute that the reference views show as a column is a fact."""
    shown = {"cuisine", "takeaway", "drive_through", "outdoor_seating", "delivery", "museum", "emergency", "opening_hours", "wheelchair"}  # fmt: skip
    assert not any(read_facts().hides(key) for key in shown)


def test_sections_of_the_schema() -> None:
    wanted: Any = [queries.section(name) for name in ("road", "road_indexes", "views")]
    assert all("create" in section for section in wanted)
    with pytest.raises(KeyError):
        queries.section("nothing")
