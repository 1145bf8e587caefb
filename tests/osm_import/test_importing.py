"""Whole imports into a real database: what is there afterwards, and what is left after every way to fail."""

import hashlib
import json
import signal
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
import shapely
from sqlalchemy import text

from app.core.clock import ManualClock
from app.core.errors import BadExtract, Held, ImportFailed, UsageError
from app.core.identity import content_hash
from app.core.settings import Role, Settings
from app.db.engine import connect
from osm_import.importing import ImportResult, import_extract
from osm_import.keeping import list_snapshots
from osm_import.progress import Silent
from osm_import.tag_tables import LAYERS
from tests.support.processes import start_import, wait_for_stage, wait_until

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
TOWN = (
    "n200 v2 x9.0015 y47.0015 Tamenity=cafe;bar,name=Blue%20%Cup,phone=+423%20%1,capacity=40,addr:housenumber=4,addr:street=Gasse",
    "n201 v1 x9.0055 y47.0055 Ttourism=museum,name=Museum,operator:type=public,cuisine=none",
    "n202 v1 x9.0065 y47.0065 Tamenity=bench",
    "n203 v1 x9.0066 y47.0065 Ttourism=information,information=board",
    "w1 v1 Tleisure=park,name=Common Nn11,n31,n33,n13,n11",
    "w2 v1 Tleisure=park Nn51,n73,n71,n53,n51",
    "w3 v1 Tleisure=park Nn11,n31",
    "w4 v1 Tnatural=water Nn61,n999,n62,n61",
    "w10 v1 Thighway=residential,name=Gasse,surface=asphalt Nn11,n21,n31",
    "w11 v1 Thighway=footway Nn21,n22",
    "w12 v1 Twaterway=stream Nn41,n42",
    "w13 v1 Tbuilding=yes,name=Blue%20%Cup Nn61,n71,n72,n62,n61",
    "w14 v1 Tbuilding=yes Nn61,n71,n72,n62,n61",
    "w20 v1 Nn11,n91,n99",
    "w21 v1 Nn99,n19,n11",
    "r1 v1 Ttype=boundary,boundary=administrative,admin_level=2,name=Toyland,population=12 Mw20@outer,w21@outer",
    "r2 v1 Ttype=boundary,boundary=administrative,admin_level=8,name=Dorf Mw20@outer,w21@outer",
    "r3 v1 Ttype=boundary,boundary=administrative,admin_level=8,name=Cut Mw20@outer,w777@outer",
)
EXPECTED = {
    "poi": (5, 4, 1, 1),
    "park": (3, 2, 1, 1),
    "water": (2, 1, 0, 1),
    "road": (2, 2, 0, 0),
    "region": (3, 2, 0, 1),
    "aoi": (1, 1, 0, 0),
    "address": (1, 1, 0, 0),
    "other_place": (2, 2, 0, 0),
    "poi_area": (2, 2, 1, 0),
    "road_node": (1, 1, 0, 0),
    "road_edge": (3, 3, 0, 0),
    "turn_restriction": (0, 0, 0, 0),
    "road_barrier": (0, 0, 0, 0),
}


@pytest.fixture
def town(write_map: Callable[..., Path]) -> Path:
    return write_map(*TOWN, name="toyland-2024.osm.pbf", box=(9, 47, 9.01, 47.01))


def run(settings: Settings, path: Path, name: str | None = None) -> ImportResult:
    return import_extract(settings, str(path), name, ManualClock(NOW), Silent())


@pytest.fixture
def query(
    superuser_of: Callable[[Settings], str], database: Settings
) -> Callable[..., list[tuple[Any, ...]]]:
    """A function that runs one statement as superuser and gives the rows."""

    def ask(statement: str, schema: str = "trigpoint") -> list[tuple[Any, ...]]:
        with psycopg.connect(superuser_of(database)) as connection:
            connection.execute(f"set search_path = {schema}, public")
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    return ask


def schemas(query: Callable[..., list[tuple[Any, ...]]]) -> list[str]:
    found = query("select nspname from pg_namespace where nspname ~ '^(osm|reference)_' order by 1")
    return [row[0] for row in found]


def test_a_town(database: Settings, town: Path, query: Callable[..., list[tuple[Any, ...]]]) -> None:
    result = run(database, town)
    assert {layer: tuple(count.values()) for layer, count in result.layers.items()} == EXPECTED
    schema = result.schema
    assert schema.startswith("osm_toyland_20240506_")
    assert query(
        "select osm_key, class, classes, category, is_area, housenumber from poi order by 1", schema
    ) == [
        ("n200", "cafe", ["cafe", "bar"], "amenity", False, "4"),
        ("n201", "museum", ["museum"], "tourism", False, None),
        ("w1", "park", ["park"], "leisure", True, None),
        ("w2", "park", ["park"], "leisure", True, None),
    ]
    assert query("select osm_key, class from poi_class order by 1, 2", schema) == [
        ("n200", "bar"), ("n200", "cafe"), ("n201", "museum"), ("w1", "park"), ("w2", "park")
    ]  # fmt: skip
    assert query("select osm_key, reason, layer from reject order by 1, 3", schema) == [
        ("r3", "missing_members", "region"),
        ("w3", "line_not_area", "park"),
        ("w3", "line_not_area", "poi"),
        ("w4", "missing_nodes", "water"),
    ]
    assert query("select osm_key from park where repaired", schema) == [("w2",)]
    assert query("select node_id, way_ids from road_node", schema) == [(21, [10, 11])]
    assert query("select count(*) from poi where tags ? 'phone'", schema) == [(0,)]
    row = query(
        "select state, source, outline_source, ST_Area(outline), data_timestamp, published_at, engine_versions ? 'postgis' from snapshot"
    )
    assert row == [
        ("published", "toyland-2024.osm.pbf", "area", pytest.approx(6.4e-5), datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC), NOW, True)
    ]  # fmt: skip


def test_hashes_and_areas_agree_with_postgis(
    database: Settings, town: Path, query: Callable[..., Any]
) -> None:
    schema = run(database, town).schema
    for layer in LAYERS:
        rows = query(
            f"select osm_key, name, class, tags, content_hash, ST_AsBinary(geom, 'NDR') from {layer}", schema
        )
        assert rows
        for key, name, klass, tags, stored, wkb in rows:
            assert stored == content_hash(key, name, klass, tags, bytes(wkb)), (layer, key)
            assert bytes(wkb) == shapely.to_wkb(shapely.from_wkb(bytes(wkb)), byte_order=1)
    for stored, measured in query("select area_m2, ST_Area(geog) from aoi", schema):
        assert stored == pytest.approx(measured, rel=1e-6)


def test_who_may_read_what(database: Settings, town: Path) -> None:
    result = run(database, town)
    reference = "reference_" + result.schema.rsplit("_", 1)[1]
    readers = {
        Role.WORKER: (True, False), Role.MAINTAINER: (True, False), Role.READER: (False, True),
        Role.API: (False, False), Role.DASHBOARD: (False, False),
    }  # fmt: skip
    for role, (layers, views) in readers.items():
        for relation, allowed in ((f"{result.schema}.poi", layers), (f"{reference}.pois", views)):
            with connect(database, role) as connection:
                may = "select has_schema_privilege(split_part(:r, '.', 1), 'usage') and has_table_privilege(:r, 'select')"
                got = connection.execute(text(may), {"r": relation}).scalar()
            assert got is allowed, (role, relation)


def test_reference_views_hide_facts(database: Settings, town: Path) -> None:
    result = run(database, town)
    reference = "reference_" + result.schema.rsplit("_", 1)[1]
    with connect(database, Role.READER) as connection:
        pois = connection.exec_driver_sql(
            f"select name, tags, cuisine from {reference}.pois order by osm_type, osm_id"
        ).all()
        regions = connection.exec_driver_sql(f"select * from {reference}.regions").mappings().all()
        for view, count in (("pois", 4), ("parks", 2), ("lakes", 1), ("roads", 2), ("regions", 2)):
            assert connection.exec_driver_sql(f"select count(*) from {reference}.{view}").scalar() == count
    assert "capacity" not in pois[0].tags
    assert "operator:type" not in pois[1].tags
    assert pois[1].cuisine == "none"
    for region in regions:
        assert "population" not in region
        assert "population" not in region["tags"]


def test_the_same_file_again_is_reused(database: Settings, town: Path, query: Callable[..., Any]) -> None:
    first, second = run(database, town), run(database, town)
    assert (first.reused, second.reused) == (False, True)
    assert second.as_json() == first.as_json()
    assert query("select count(*) from snapshot") == [(1,)]
    assert run(database, town, "other").schema != first.schema


def test_the_json_of_the_command(database: Settings, town: Path) -> None:
    answer = run(database, town).as_json()
    assert list(answer) == [
        "snapshot", "name", "schema", "checksum", "timestamp", "outline_source", "layers", "deleted", "notes",
            "published"
    ]  # fmt: skip
    assert answer["snapshot"] == "toyland@2024-05-06T07:08:09Z"
    assert answer["layers"]["poi"] == {"found": 5, "kept": 4, "repaired": 1, "rejected": 1}
    with connect(database, Role.OWNER) as connection:
        (listed,) = list_snapshots(connection, ManualClock(NOW))
    assert listed["snapshot"] == answer["snapshot"]


def test_a_snapshot_tells_what_file_it_is_of(database: Settings, write_map: Callable[..., Path]) -> None:
    path = write_map("n200 v1 x9 y47 Tamenity=cafe", sequence=4711)
    run(database, path)
    with connect(database, Role.OWNER) as connection:
        (listed,) = list_snapshots(connection, ManualClock(NOW))
    identity = (listed["checksum"], listed["replication_sequence"], listed["timestamp"])
    assert identity == (hashlib.sha256(path.read_bytes()).hexdigest(), 4711, "2024-05-06T07:08:09Z")


@pytest.mark.parametrize("name", ["Toy", "a-b", "", "x" * 31, "toy;drop"])
def test_bad_names(database: Settings, town: Path, name: str) -> None:
    with pytest.raises(UsageError, match="is not a name for a snapshot"):
        run(database, town, name)


def test_a_map_with_nothing_to_ask_about(
    database: Settings, write_map: Callable[..., Path], query: Callable[..., Any]
) -> None:
    with pytest.raises(ImportFailed, match="holds no place, road or address"):
        run(database, write_map("w1 v1 Twaterway=stream Nn11,n12"))
    assert query("select state from snapshot") == [("failed",)]
    assert schemas(query) == []


def test_a_map_whose_roads_lack_nodes(
    database: Settings, write_map: Callable[..., Path], query: Callable[..., Any]
) -> None:
    roads = [f"w{n} v1 Thighway=primary Nn{11 + n},n999" for n in range(1, 9)] + [
        f"w{n + 10} v1 Thighway=primary Nn999,n{41 + n},n{51 + n}" for n in range(1, 9)
    ]
    more = [f"w{n + 20} v1 Thighway=primary Nn{61 + n},n{71 + n}" for n in range(1, 9)]
    with pytest.raises(ImportFailed, match="16 of 24 roads lack nodes"):
        run(database, write_map(*roads, *more))
    assert schemas(query) == []


def test_an_object_twice(database: Settings, tmp_path: Path, query: Callable[..., Any]) -> None:
    path = tmp_path / "twice.osm"
    node = '<node id="1" version="{}" lat="47" lon="9" timestamp="2020-01-01T00:00:00Z"><tag k="amenity" v="cafe"/></node>'
    path.write_text(f'<osm version="0.6">{node.format(1)}{node.format(2)}</osm>')
    with pytest.raises(BadExtract, match=r"twice\.osm holds an object twice .*n1"):
        run(database, path)
    assert schemas(query) == []


def test_a_file_cut_off_in_the_middle(
    database: Settings, extracts: Path, tmp_path: Path, query: Callable[..., Any]
) -> None:
    path = tmp_path / "cut.osm.pbf"
    path.write_bytes((extracts / "liechtenstein-2013-08-03.osm.pbf").read_bytes()[:500_000])
    with pytest.raises(BadExtract, match=r"it was cut off\. Download it again"):
        run(database, path)
    assert query("select state from snapshot") == [("failed",)]
    assert schemas(query) == []


def test_a_full_database_disk(
    database: Settings, town: Path, superuser_of: Callable[[Settings], str], query: Callable[..., Any]
) -> None:
    """The server itself writes to /dev/full while the indexes are made: a true 53100, not one of ours."""
    with psycopg.connect(superuser_of(database)) as connection:
        connection.execute(
            "create function fill_disk() returns event_trigger language plpgsql security definer as "
            "$$ begin copy (select repeat('x', 100000)) to '/dev/full'; end $$"
        )
        connection.execute(
            "create event trigger full_disk on ddl_command_end when tag in ('CREATE INDEX') execute function fill_disk()"
        )
    with pytest.raises(ImportFailed, match=r"disk is full .*nothing of toyland-2024\.osm\.pbf was published"):
        run(database, town)
    assert query("select state from snapshot") == [("failed",)]
    assert schemas(query) == []
    query("drop event trigger full_disk")  # the map is as good as before
    assert not run(database, town).reused


def test_tables_not_there(
    make_database: Callable[[], Settings], town: Path, superuser_of: Callable[[Settings], str]
) -> None:
    fresh = make_database()
    with psycopg.connect(superuser_of(fresh)) as connection:
        connection.execute("drop schema trigpoint cascade")
    with pytest.raises(ImportFailed, match="Run `trigpoint migrate`"):
        run(fresh, town)


class Stop:
    """Progress that stops an import at the beginning of a stage until it is told to go on."""

    def __init__(self, stage: str) -> None:
        self.stage, self.reached, self.go_on = stage, threading.Event(), threading.Event()

    def start(self, stage: str, total: int | None) -> None:
        if stage == self.stage:
            self.reached.set()
            assert self.go_on.wait(60)

    def advance(self, steps: int) -> None:
        pass


def test_readers_see_nothing_before_the_switch(
    database: Settings, town: Path, query: Callable[..., Any]
) -> None:
    stop, results = Stop("checking"), []
    thread = threading.Thread(
        target=lambda: results.append(import_extract(database, str(town), None, ManualClock(NOW), stop))
    )
    thread.start()
    assert stop.reached.wait(60)
    (unpublished,) = schemas(query)
    for role in ("worker", "maintainer", "reader", "api"):
        assert query(f"select has_schema_privilege('trigpoint_{role}', '{unpublished}', 'usage')") == [
            (False,)
        ]
    assert query("select state from snapshot") == [("importing",)]
    with pytest.raises(Held, match="Another import of 'toyland' is running"):
        run(database, town)
    assert run(database, town, "other").name == "other", "another name is not held up, nor swept"
    assert query("select state from snapshot order by id") == [("importing",), ("published",)]
    stop.go_on.set()
    thread.join()
    assert results[0].schema in schemas(query)


@pytest.mark.parametrize(
    ("stage", "sent", "status", "state"),
    [
        ("reading", signal.SIGTERM, 143, "failed"),
        ("indexing", signal.SIGINT, 130, "failed"),
        ("completing", signal.SIGKILL, -9, "importing"),
    ],
)
def test_killed_or_interrupted(
    database: Settings,
    extracts: Path,
    query: Callable[..., Any],
    stage: str,
    sent: int,
    status: int,
    state: str,
) -> None:
    """Each signal once; tests/osm_import/test_kills_long.py has all of them at all stages."""
    path = extracts / "liechtenstein-2013-08-03.osm.pbf"
    process = start_import(database, path)
    wait_for_stage(process, stage)
    process.send_signal(sent)
    out, err = process.communicate(timeout=60)
    assert process.returncode == status, err
    assert out == ""
    assert "Traceback" not in err
    assert sent == signal.SIGKILL or err.splitlines()[-1] == "trigpoint: stopped."
    assert query("select state from snapshot") == [(state,)]
    result = run(database, path)
    assert schemas(query) == sorted([result.schema, "reference_" + result.schema.rsplit("_", 1)[1]])
    assert query("select state from snapshot order by id") == [("failed",), ("published",)]


def test_the_sweep_spares_what_is_published_meanwhile(
    database: Settings, town: Path, superuser_of: Callable[[Settings], str], query: Callable[..., Any]
) -> None:
    """Two imports look dead to a sweep; while it removes the first, the second turns out to be done."""
    dead, slow = run(database, town, "dead"), run(database, town, "slow")
    query("update snapshot set state = 'importing'")
    with psycopg.connect(superuser_of(database)) as connection:
        connection.execute(f"lock table {dead.schema}.poi")
        third = threading.Thread(target=run, args=(database, town, "third"))
        third.start()
        waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
        wait_until(lambda: query(waiting) == [(1,)], "the sweep's wait for the first")
        query("update snapshot set state = 'published' where name = 'slow'")
    third.join()
    states = [("dead", "failed"), ("slow", "published"), ("third", "published")]
    assert query("select name, state from snapshot order by 1") == states
    assert dead.schema not in schemas(query)
    assert query("select count(*) from poi", slow.schema) == [(4,)]


def test_two_processes_at_once(database: Settings, extracts: Path, query: Callable[..., Any]) -> None:
    path = extracts / "liechtenstein-2013-08-03.osm.pbf"
    first = start_import(database, path)
    wait_for_stage(first, "reading")
    second = start_import(database, path)
    out, err = second.communicate(timeout=60)
    first_out, first_err = first.communicate(timeout=60)
    assert first.returncode == 0, first_err
    answer = json.loads(first_out)
    if second.returncode == 0:  # a slow machine: it came after the first was done
        assert json.loads(out) == answer
    else:
        assert second.returncode == 1
        assert "Another import of 'liechtenstein' is running. Wait for it" in err
        assert "Traceback" not in err
    assert query("select state, schema_name from snapshot") == [("published", answer["schema"])]


def test_names_are_told_apart_over_all_layers(
    database: Settings, town: Path, query: Callable[..., list[tuple[Any, ...]]]
) -> None:
    """A café and a building that no layer of places keeps have one name; a nameless building is nowhere."""
    schema = run(database, town).schema
    rows = query("select osm_key from place_name where form = 'blue cup' order by osm_key", schema)
    assert rows == [("n200",), ("w13",)]
    assert query("select osm_key, class from other_place order by osm_key", schema) == [
        ("n203", "information"),
        ("w13", "building"),
    ]
