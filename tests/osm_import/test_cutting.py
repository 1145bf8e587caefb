"""Cities cut out of maps: a hand-checked grid whose city is a square, refusals, races and kills. Real PostgreSQL.

The grid's nodes lie a thousandth of a degree apart (conftest); the city Dorf is the square from n22 to n66.
"""

import json
import signal
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from app.core.clock import ManualClock
from app.core.errors import (
    BadExtract,
    Conflict,
    Held,
    ImportFailed,
    ImportHeld,
    NotFound,
    TrigpointError,
    UsageError,
)
from app.core.settings import Role, Settings
from app.db.engine import connect
from osm_import import cutting_queries, queries
from osm_import.cutting import Cut, cut_snapshot
from osm_import.importing import import_extract
from osm_import.keeping import drop_snapshot, list_snapshots
from osm_import.progress import Silent
from tests.support.command_line import trigpoint
from tests.support.processes import start_trigpoint, wait_until

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
ADMIN = "Ttype=boundary,boundary=administrative"
LAND = (
    "w900 v1 Nn11,n91,n99",
    "w901 v1 Nn99,n19,n11",
    f"r1 v1 {ADMIN},admin_level=2,name=Land Mw900@outer,w901@outer",
    "w910 v1 Nn22,n62,n66",
    "w911 v1 Nn66,n26,n22",
    f"r2 v1 {ADMIN},admin_level=8,name=Dörf,name:en=Dorf Mw910@outer,w911@outer",
    # the neighbour shares an edge with Dorf, the district lies in it, the county reaches over its edge
    "w920 v1 Nn62,n92,n96,n66,n62",
    f"r3 v1 {ADMIN},admin_level=8,name=Neighbour Mw920@outer",
    "w930 v1 Nn33,n43,n44,n34,n33",
    f"r4 v1 {ADMIN},admin_level=10,name=District Mw930@outer",
    "w940 v1 Nn15,n55,n59,n19,n15",
    f"r5 v1 {ADMIN},admin_level=6,name=County Mw940@outer",
)
PLACES = (
    "n500 v1 x9.0030 y47.0030 Tamenity=cafe,name=Inside,height=3",
    "n501 v1 x9.0040 y47.0020 Tamenity=cafe,name=OnTheEdge",
    "n502 v1 x9.0040 y47.0019999 Tamenity=cafe,name=Beyond",
    "n503 v1 x9.0059 y47.0045 Tamenity=bank,name=ByTheEdge",
    "n510 v1 x9.0030 y47.0032 Taddr:housenumber=1,addr:street=Inner",
    # beyond the edge, and yet the nearest to n503
    "n511 v1 x9.0062 y47.0045 Taddr:housenumber=2,addr:street=Outer",
    "n512 v1 x9.0080 y47.0080 Taddr:housenumber=3,addr:street=Far",
)
AREAS = (
    "w300 v1 Tlanduse=retail,name=Market Nn33,n43,n44,n34,n33",
    "w301 v1 Tlanduse=retail,name=Crossing Nn53,n73,n74,n54,n53",
    "w302 v1 Tlanduse=retail,name=Touching Nn64,n84,n85,n65,n64",
    "w303 v1 Tlanduse=forest,name=Around Nn11,n91,n99,n19,n11",
    "w304 v1 Tleisure=park,name=Green Nn24,n34,n35,n25,n24",
    "w305 v1 Twaterway=river,name=River Nn12,n22,n32",
    "w306 v1 Tnatural=water,name=Pond Nn71,n81,n82,n72,n71",
    # an open area in the city, and one beyond
    "w307 v1 Nn44,n54,n55",
    "r30 v1 Ttype=multipolygon,landuse=retail,name=Open Mw307@outer",
    "w308 v1 Nn77,n87,n88",
    "r31 v1 Ttype=multipolygon,landuse=retail,name=FarOpen Mw308@outer",
)
ROADS = (
    "w100 v1 Thighway=residential,name=Gasse Nn33,n34,n35",
    "w101 v1 Thighway=residential,name=Quer Nn34,n44",
    # two roads leave the city and meet beyond, where a third that never enters it meets them
    "w102 v1 Thighway=residential,name=Ausfahrt Nn53,n63,n73,n83",
    "w103 v1 Thighway=residential,name=Ausweg Nn54,n64,n74,n83",
    "w104 v1 Thighway=residential,name=Draussen Nn83,n84",
    # ends at the edge, coming from beyond, where a road of the city begins
    "w105 v1 Thighway=residential,name=Zubringer Nn85,n75,n65",
    "w106 v1 Thighway=residential,name=Ring Nn65,n55",
    "w107 v1 Thighway=residential,name=Weit Nn88,n89",
    "w108 v1 Thighway=residential,name=Weiter Nn89,n99",
)
TOY = (*LAND, *PLACES, *AREAS, *ROADS)
BOX = (9, 47, 9.01, 47.01)


@pytest.fixture
def query(superuser_of: Callable[[Settings], str], database: Settings) -> Callable[..., list[Any]]:
    def ask(statement: str, schema: str = "trigpoint") -> list[Any]:
        with psycopg.connect(superuser_of(database)) as connection:
            connection.execute(f"set search_path = {schema}, public".encode())
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    return ask


@pytest.fixture
def load(write_map: Callable[..., Path], database: Settings) -> Callable[..., str]:
    """A function that imports a map and gives its schema."""

    def run(*lines: str, name: str = "land", day: int = 6, box: Any = BOX) -> str:
        file = write_map(
            *lines, name=f"{name}-{day}.osm.pbf", box=box, timestamp=f"2024-05-{day:02}T07:08:09Z"
        )
        return import_extract(database, str(file), name, ManualClock(NOW), Silent()).schema

    return run


@pytest.fixture
def cut(database: Settings) -> Callable[..., Cut]:
    """A function that cuts a region out of `land`."""

    def run(boundary: str = "r2", name: str | None = None, of: str = "land") -> Cut:
        return cut_snapshot(database, of, boundary, name, ManualClock(NOW), Silent())

    return run


STATES = "select name, state from trigpoint.snapshot order by id"
SCHEMAS = "select nspname from pg_namespace where nspname ~ '^(osm|reference)_' order by 1"


# --- what is in a cut ---------------------------------------------------------------------------------------------


def test_each_layer_holds_what_belongs_to_the_city(
    load: Callable[..., str], cut: Callable[..., Cut], query: Callable[..., list[Any]]
) -> None:
    load(*TOY)
    schema = cut().snapshot.schema

    def keys(layer: str) -> list[str]:
        return [row[0] for row in query(f"select osm_key from {layer} order by osm_key", schema)]

    assert keys("poi") == ["n500", "n501", "n503", "w304"]
    assert keys("address") == ["n510", "n511"]
    assert keys("region") == ["r1", "r2", "r4", "r5"]
    assert keys("aoi") == ["w300", "w301", "w303", "w304"]
    assert keys("park") == ["w304"]
    assert keys("water") == ["w305"]
    assert keys("road") == ["w100", "w101", "w102", "w103", "w105", "w106"]
    assert keys("reject") == ["r30"]
    nodes = query("select node_id, way_ids from road_node order by 1", schema)
    assert nodes == [(34, [100, 101]), (65, [105, 106]), (83, [102, 103])]
    assert keys("poi_class") == keys("poi") == keys("poi_address")


def test_areas_over_the_edge_are_marked_and_whole(
    load: Callable[..., str], cut: Callable[..., Cut], query: Callable[..., list[Any]]
) -> None:
    parent = load(*TOY)
    schema = cut().snapshot.schema
    edges = query(
        "select osm_key, at_edge from aoi union all select osm_key, at_edge from region order by 1",
        schema,
    )
    assert dict(edges) == {
        "r1": True,
        "r2": False,
        "r4": False,
        "r5": True,
        "w300": False,
        "w301": True,
        "w303": True,
        "w304": False,
    }
    same = "select osm_key, content_hash, area_m2, ST_AsEWKB(geom) from {}.aoi where osm_key = 'w301'"
    assert query(same.format(schema)) == query(same.format(parent))


def test_places_keep_their_addresses_and_lose_no_region(
    load: Callable[..., str], cut: Callable[..., Cut], query: Callable[..., list[Any]]
) -> None:
    parent = load(*TOY)
    schema = cut().snapshot.schema
    addresses = "select * from {}.poi_address where osm_key in (select osm_key from {}.poi) order by osm_key"
    assert query(addresses.format(schema, schema)) == query(addresses.format(parent, schema))
    assert query("select address_key from poi_address where osm_key = 'n503'", schema) == [("n511",)]
    regions = query("select osm_key, region_key from poi_region order by 1, 2", schema)
    assert regions == [
        *(("n500", key) for key in ("r1", "r2", "r4")),
        ("n501", "r1"),
        ("n501", "r2"),
        ("n503", "r1"),
        ("n503", "r2"),
        ("w304", "r1"),
        ("w304", "r2"),
    ]


def test_what_its_row_says(
    load: Callable[..., str], cut: Callable[..., Cut], query: Callable[..., list[Any]], database: Settings
) -> None:
    parent = load(*TOY)
    done = cut()
    assert (done.snapshot.name, done.parent, done.boundary) == ("dorf", "land@2024-05-06T07:08:09Z", "r2")
    assert done.snapshot.reference == "dorf@2024-05-06T07:08:09Z"
    assert done.snapshot.layers["road"] == {"found": 6, "kept": 6, "repaired": 0, "rejected": 0}
    assert done.snapshot.layers["aoi"] == {"found": 5, "kept": 4, "repaired": 0, "rejected": 1}
    with connect(database, Role.OWNER) as connection:
        dorf, land = list_snapshots(connection, ManualClock(NOW))
    assert (dorf["cut_of"], dorf["boundary"], dorf["state"]) == (
        "land@2024-05-06T07:08:09Z",
        "r2",
        "published",
    )
    assert (land["cut_of"], land["boundary"]) == (None, None)
    assert (dorf["source"], dorf["outline_source"]) == ("land-6.osm.pbf", "area")
    assert dorf["checksum"] != land["checksum"]
    same = query(
        f"select outline::bytea = geom::bytea from snapshot, {parent}.region where boundary = osm_key"
    )
    assert same == [(True,)]
    assert query("select key from fact_key", done.snapshot.schema) == [("height",)]
    shown = trigpoint(database, "snapshots").out
    assert "dorf@2024-05-06T07:08:09Z *  r2 " in shown


def test_rights_and_views_are_those_of_an_import(
    load: Callable[..., str], cut: Callable[..., Cut], query: Callable[..., list[Any]], database: Settings
) -> None:
    parent = load(*TOY)
    schema = cut().snapshot.schema

    def outside(name: str) -> list[Any]:
        reference = "reference_" + name.rsplit("_", 1)[1]
        tables = (
            "select replace(indexdef, '{0}', '') from pg_indexes where schemaname = '{0}'"
            " union all select viewname || replace(replace(definition, '{0}', ''), '{1}', '') from pg_views"
            " where schemaname = '{1}'"
            " union all select grantee || ' ' || privilege_type || ' ' || table_name"
            " from information_schema.role_table_grants where table_schema in ('{0}', '{1}') order by 1"
        )
        return query(tables.format(name, reference))

    assert outside(schema) == outside(parent)
    with connect(database, Role.READER) as reader:
        view = f"reference_{schema.rsplit('_', 1)[1]}"
        assert reader.exec_driver_sql(f"select count(*) from {view}.pois").scalar() == 4
        assert reader.exec_driver_sql(f"select count(*) from {view}.pois where tags ? 'height'").scalar() == 0


def test_a_cut_of_a_cut(
    load: Callable[..., str], cut: Callable[..., Cut], query: Callable[..., list[Any]]
) -> None:
    load(*TOY)
    cut()
    direct, twice = cut("r4", "direct"), cut("r4", "twice", of="dorf")
    assert twice.parent == "dorf@2024-05-06T07:08:09Z"
    for layer in ("poi", "road", "aoi", "region"):
        rows = f"select osm_key, content_hash from {layer} order by 1"
        assert query(rows, direct.snapshot.schema) == query(rows, twice.snapshot.schema)


# --- the same again -----------------------------------------------------------------------------------------------


def test_the_same_cut_is_found_again(
    load: Callable[..., str], cut: Callable[..., Cut], query: Callable[..., list[Any]]
) -> None:
    load(*TOY)
    first = cut()
    again, other = cut(), cut(name="other")
    assert (first.snapshot.reused, again.snapshot.reused, other.snapshot.reused) == (False, True, False)
    assert again.snapshot.schema == first.snapshot.schema != other.snapshot.schema
    assert other.snapshot.checksum == first.snapshot.checksum
    assert query(STATES) == [("land", "published"), ("dorf", "published"), ("other", "published")]


def test_the_same_map_gives_the_same_rows_elsewhere(
    make_database: Callable[[], Settings],
    write_map: Callable[..., Path],
    superuser_of: Callable[[Settings], str],
) -> None:
    file = write_map(*TOY, name="land.osm.pbf", box=BOX)
    found = []
    for settings in (make_database(), make_database()):
        import_extract(settings, str(file), "land", ManualClock(NOW), Silent())
        done = cut_snapshot(settings, "land", "r2", None, ManualClock(NOW), Silent())
        with psycopg.connect(superuser_of(settings)) as connection:
            connection.execute(f"set search_path = {done.snapshot.schema}, public".encode())
            tables = (
                "poi",
                "road",
                "road_node",
                "road_edge",
                "turn_restriction",
                "road_barrier",
                "aoi",
                "region",
                "address",
                "poi_address",
                "poi_region",
                "reject",
            )
            rows = [connection.execute(f"select * from {table}".encode()).fetchall() for table in tables]
        found.append((done.snapshot.checksum, rows))
    assert found[0] == found[1]


def test_a_newer_map_gives_a_newer_city(
    load: Callable[..., str], cut: Callable[..., Cut], query: Callable[..., list[Any]]
) -> None:
    load(*TOY, day=6)
    cut()
    load(*TOY, "n504 v1 x9.004 y47.004 Tamenity=cafe,name=New", day=7)
    newer = cut()
    assert newer.snapshot.reference == "dorf@2024-05-07T07:08:09Z"
    assert cut(of="land@2024-05-06T07:08:09Z").snapshot.reused
    assert query("select count(*) from poi", newer.snapshot.schema) == [(5,)]


def test_a_city_that_lost_most_of_its_rows_is_held(load: Callable[..., str], cut: Callable[..., Cut]) -> None:
    cafes = [f"n{600 + i} v1 x{9.003 + i / 1e5:.7f} y47.003 Tamenity=cafe,name=C{i}" for i in range(40)]
    load(*TOY, *cafes, day=6)
    cut()
    load(*TOY, *[line.replace("y47.003", "y47.009") for line in cafes], day=7)
    with pytest.raises(ImportHeld, match=r"dorf@2024-05-07T07:08:09Z is held.*poi: 4 kept, before 44"):
        cut()
    with pytest.raises(ImportHeld, match="was imported already and is held"):
        cut()


def test_the_parent_may_go_and_the_city_stays(
    load: Callable[..., str], cut: Callable[..., Cut], database: Settings, query: Callable[..., list[Any]]
) -> None:
    load(*TOY)
    schema = cut().snapshot.schema
    drop_snapshot(database, "land")
    assert query("select count(*) from poi", schema) == [(4,)]
    with connect(database, Role.OWNER) as connection:
        assert list_snapshots(connection, ManualClock(NOW))[0]["cut_of"] == "land@2024-05-06T07:08:09Z"
    drop_snapshot(database, "dorf")
    assert query(SCHEMAS) == []


# --- what is refused ----------------------------------------------------------------------------------------------

CUT_OFF = f"r6 v1 {ADMIN},admin_level=8,name=CutOff Mw777@outer"
BENT = ("w950 v1 Nn33,n44,n34,n43,n33", f"r7 v1 {ADMIN},admin_level=8,name=Bent Mw950@outer")
MENDED = "w951 v1 Tboundary=administrative,admin_level=8,name=Knot Nn33,n44,n34,n43,n33"


@pytest.mark.parametrize(
    ("boundary", "error", "words"),
    [
        ("berlin", UsageError, "'berlin' is not a region: r .relation. or w .way. and its number"),
        ("r2; drop", UsageError, "is not a region"),
        ("n500", UsageError, "is not a region"),
        (
            "r99",
            NotFound,
            r"holds no r99: .*admin_level.*The largest whole ones are r1 \(Land\), .*r2 \(Dörf\)",
        ),
        ("r6", BadExtract, r"r6 \(CutOff\) is not whole in land@.* \(missing_members: "),
        ("r7", BadExtract, r"r7 \(Bent\) is not whole in land@.* \(crossing_rings: "),
        ("w951", BadExtract, r"w951 \(Knot\) is broken in land@.*: its ring had to be mended"),
    ],
)
def test_regions_that_cannot_be_cut(
    load: Callable[..., str],
    cut: Callable[..., Cut],
    query: Callable[..., list[Any]],
    boundary: str,
    error: type[TrigpointError],
    words: str,
) -> None:
    load(*TOY, CUT_OFF, *BENT, MENDED)
    with pytest.raises(error, match=words):
        cut(boundary)
    assert query(STATES) == [("land", "published")]


def test_a_region_beyond_the_map(
    load: Callable[..., str], cut: Callable[..., Cut], query: Callable[..., list[Any]]
) -> None:
    """Half of Dorf lies beyond the box that the header states; of another, a two-thousandth."""
    lines = [line for line in TOY if not line.startswith("r1 ")]
    load(*lines, box=(9.0, 47.0, 9.004, 47.01))
    with pytest.raises(BadExtract, match=r"r2 \(Dörf\) is not wholly in land@.*: 50\.0% of it lies beyond"):
        cut()
    load(*lines, name="almost", box=(9.0, 47.0, 9.005998, 47.01))
    schema = cut(of="almost").snapshot.schema
    assert query(f"select ST_XMax(outline) from snapshot where schema_name = '{schema}'") == [(9.005998,)]


def test_a_map_that_nobody_knows_the_end_of(load: Callable[..., str], cut: Callable[..., Cut]) -> None:
    load(*[line for line in TOY if not line.startswith("r1 ")], box=None)
    with pytest.raises(Conflict, match=r"Nobody knows where land@.* ends"):
        cut()


def test_no_such_map(load: Callable[..., str], cut: Callable[..., Cut]) -> None:
    load(*TOY)
    with pytest.raises(NotFound, match=r"There is no published snapshot 'sea'.*There are: land@2024"):
        cut(of="sea")


def test_a_city_of_nothing(
    load: Callable[..., str], cut: Callable[..., Cut], query: Callable[..., list[Any]]
) -> None:
    empty = ("w960 v1 Nn28,n38,n39,n29,n28", f"r8 v1 {ADMIN},admin_level=10,name=Void Mw960@outer")
    load(*TOY, *empty)
    with pytest.raises(ImportFailed, match=r"r8 \(Void\) in land@.* holds no place, road or address"):
        cut("r8")
    assert query(STATES) == [("land", "published"), ("void", "failed")]
    assert len(query(SCHEMAS)) == 2


def test_names_belong_to_one_kind_of_map(
    load: Callable[..., str], cut: Callable[..., Cut], write_map: Callable[..., Path]
) -> None:
    load(*TOY)
    with pytest.raises(Conflict, match=r"The name 'land' is taken: land@.* was imported from an extract"):
        cut(name="land")
    cut(name="city")
    with pytest.raises(Conflict, match=r"The name 'city' is taken: city@.* was cut along r2"):
        cut("r4", name="city")
    with pytest.raises(Conflict, match=r"The name 'city' is taken"):
        load(*TOY, name="city")
    with pytest.raises(UsageError, match="is not a name for a snapshot"):
        cut(name="No Name")


def test_a_map_in_use_is_not_dropped_meanwhile(
    load: Callable[..., str], database: Settings, superuser_of: Callable[[Settings], str]
) -> None:
    schema = load(*TOY)
    with BlockedCut(database, superuser_of, schema) as process:
        with pytest.raises(Held, match="or a map is cut out of it"):
            drop_snapshot(database, "land")
        process.kill()
        process.wait()


# --- stopped on the way -------------------------------------------------------------------------------------------


class BlockedCut:
    """A real process that cuts `dorf`, held in the middle: its last table waits for a lock on the parent's."""

    def __init__(self, settings: Settings, superuser_of: Callable[[Settings], str], schema: str) -> None:
        self.settings, self.url, self.schema = settings, superuser_of(settings), schema

    def __enter__(self) -> subprocess.Popen[str]:
        self.blocker = psycopg.connect(self.url)
        lock = sql.SQL("lock table {}.reject in access exclusive mode").format(sql.Identifier(self.schema))
        self.blocker.execute(lock)
        self.process = start_trigpoint(self.settings, "snapshot", "cut", "land", "--region", "r2", "--json")
        with psycopg.connect(self.url, autocommit=True) as watcher:
            waiting = (
                "select pid from pg_stat_activity where datname = current_database()"
                " and application_name = 'trigpoint owner' and wait_event_type = 'Lock'"
            )
            wait_until(lambda: watcher.execute(waiting).fetchall(), "the cut to wait for the last table")
        return self.process

    def __exit__(self, *_: object) -> None:
        self.blocker.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def test_killed_midway(
    load: Callable[..., str],
    cut: Callable[..., Cut],
    database: Settings,
    superuser_of: Callable[[Settings], str],
    query: Callable[..., list[Any]],
) -> None:
    schema = load(*TOY)
    with BlockedCut(database, superuser_of, schema) as process:
        process.kill()
        process.wait()
    assert query(STATES) == [("land", "published"), ("dorf", "importing")]
    done = cut()
    assert not done.snapshot.reused
    assert query(STATES) == [("land", "published"), ("dorf", "failed"), ("dorf", "published")]
    assert len(query(SCHEMAS)) == 4


@pytest.mark.parametrize(
    ("sent", "status"), [pytest.param(signal.SIGINT, 130, marks=pytest.mark.long), (signal.SIGTERM, 143)]
)
def test_stopped_midway(
    load: Callable[..., str],
    database: Settings,
    superuser_of: Callable[[Settings], str],
    query: Callable[..., list[Any]],
    sent: signal.Signals,
    status: int,
) -> None:
    schema = load(*TOY)
    with BlockedCut(database, superuser_of, schema) as process:
        process.send_signal(sent)
        out, err = process.communicate(timeout=40)
    assert (process.returncode, out, "Traceback" in err) == (status, "", False), err
    assert err.splitlines()[-1] == "trigpoint: stopped."
    assert query(STATES) == [("land", "published"), ("dorf", "failed")]
    assert len(query(SCHEMAS)) == 2


@pytest.mark.long
def test_two_at_once(
    load: Callable[..., str],
    cut: Callable[..., Cut],
    database: Settings,
    superuser_of: Callable[[Settings], str],
) -> None:
    schema = load(*TOY)
    with (
        BlockedCut(database, superuser_of, schema),
        pytest.raises(Held, match="Another import of 'dorf' is running"),
    ):
        cut()


# --- the command --------------------------------------------------------------------------------------------------


@pytest.fixture
def cities(tmp_path: Path) -> Iterator[Path]:
    """A file of cities: Dorf, and one that is a whole extract."""
    file = tmp_path / "cities.toml"
    file.write_text(
        '[dorf_by_key]\nname = "Dorf"\ncountry = "Land"\nregion = "land"\nboundary = "r2"\n'
        '[whole]\nname = "Whole"\ncountry = "Land"\nregion = "land"\n'
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRIGPOINT_CITIES_FILE", str(file))
        yield file


def test_the_command(load: Callable[..., str], database: Settings, cities: Path) -> None:
    load(*TOY)
    done = trigpoint(database, "snapshot", "cut", "land", "--region", "r2", "--json")
    assert done.status == 0, done.err
    assert json.loads(done.out)["cut_of"] == "land@2024-05-06T07:08:09Z"
    assert {"cutting", "indexing", "completing", "checking"} <= set(done.err.splitlines())
    again = trigpoint(database, "snapshot", "cut", "land@2024-05-06T07:08:09Z", "--region", "r2")
    assert (again.status, "was cut out of this map under this name already" in again.err) == (0, True)
    assert "is r2 of land@2024-05-06T07:08:09Z: " in again.out
    assert " poi 4, " in again.out
    city = trigpoint(database, "snapshot", "cut", "land", "--city", "dorf_by_key", "--json")
    assert (city.json["name"], city.json["boundary"]) == ("dorf_by_key", "r2")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "Give --region KEY or --city NAME, not both."),
        (("--region", "r2", "--city", "dorf_by_key"), "not both"),
        (
            ("--city", "atlantis"),
            "'atlantis' is not a city that is known here. There are: dorf_by_key, whole.",
        ),
        (("--city", "whole"), "whole is all of land: there is nothing to cut."),
    ],
)
def test_the_command_misused(database: Settings, cities: Path, options: tuple[str, ...], words: str) -> None:
    done = trigpoint(database, "snapshot", "cut", "land", *options)
    assert (done.status, words in done.err) == (2, True), done.err


def test_statements_are_indexed(load: Callable[..., str], database: Settings) -> None:
    """A city of a large map is found by its index, not by reading the whole map."""
    schema = load(*TOY)
    outline = "ST_MakeEnvelope(9.002, 47.002, 9.006, 47.006, 4326)"
    with connect(database, Role.OWNER) as connection:
        connection.exec_driver_sql(queries.search_schemas(schema))
        connection.exec_driver_sql("set local enable_seqscan = off")
        for table in ("poi", "park", "region", "aoi", "road"):
            statement = cutting_queries.copy_rows(table, schema).replace("%(outline)s::geometry", outline)
            unordered = statement.replace("%(slack)s", "0").rpartition(" order by ")[0]
            plan = connection.exec_driver_sql("explain " + unordered).scalars().all()
            assert any(f"{table}_geom" in line for line in plan), (table, plan)
