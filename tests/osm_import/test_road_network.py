"""The road network of whole imports: a small town checked by hand, its cut, and Liechtenstein counted by other code.

The grid's nodes lie a thousandth of a degree apart (conftest): n11 is at 9.001 47.001.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import osmium
import psycopg
import pytest
from pyproj import Geod

from app.core.clock import ManualClock
from app.core.errors import UsageError
from app.core.settings import Settings
from osm_import.cutting import cut_snapshot
from osm_import.importing import import_extract, read_layers
from osm_import.progress import Silent
from osm_import.reading import ExtractReader
from osm_import.tag_tables import LIFECYCLE, ROAD
from osm_import.turn_restrictions import TurnRestriction

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
BOX = (9, 47, 9.01, 47.01)
WGS84 = Geod(ellps="WGS84")
LIECHTENSTEIN = Path(__file__).parents[2].parent / "shared/extracts/liechtenstein-2022-07-24.osm.pbf"
TURN = "Ttype=restriction,restriction"
LAND = ("w900 v1 Nn11,n91,n99", "w901 v1 Nn99,n19,n11")
TOWN = (
    *LAND,
    "r900 v1 Ttype=boundary,boundary=administrative,admin_level=2,name=Land Mw900@outer,w901@outer",
    # a street over five nodes, met by a side street at n31 and stopped by a bollard at n41
    "w1 v1 Thighway=residential,name=Gasse,ref=A1,surface=asphalt,maxspeed=50 Nn11,n21,n31,n41,n51",
    "n41 v1 x9.004 y47.001 Tbarrier=bollard",
    "w2 v1 Thighway=residential,name=Quer,oneway=yes Nn31,n32,n33",
    "w3 v1 Thighway=footway Nn33,n34",
    "w4 v1 Thighway=tertiary,junction=roundabout Nn51,n61,n62,n52,n51",
    "w5 v1 Thighway=service,access=private Nn62,n72",
    "w6 v1 Thighway=raceway Nn81,n82",
    "w7 v1 Thighway=residential Nn33,n43,n53,n52",
    "w8 v1 Thighway=residential Nn43,n44",
    "w9 v1 Thighway=residential Nn52,n42",
    # ferries: one tells how long it takes, one is cut by the map's edge
    "w20 v1 Troute=ferry,motor_vehicle=yes,duration=0:20,name=Fähre Nn72,n73,n83",
    "w21 v1 Troute=ferry,duration=10 Nn83,n84,n999",
    "w22 v1 Troute=hiking Nn11,n12",
    # a barrier on no road
    "n95 v1 x9.009 y47.005 Tbarrier=gate",
    # turns
    f"r1 v1 {TURN}=no_left_turn,except=bicycle Mw2@from,n33@via,w7@to",
    f"r2 v1 {TURN}=no_u_turn Mw2@from,w7@via,w9@to",
    f"r3 v1 {TURN}=no_u_turn Mw7@from,n43@via,w7@to",
    f"r4 v1 {TURN}=only_straight_on Mw8@from,n43@via,w7@to",
    f"r5 v1 {TURN}=no_way_at_all Mw2@from,n33@via,w7@to",
    f"r6 v1 {TURN}=no_left_turn Mw2@from,n33@via,w777@to",
    f"r7 v1 {TURN}=no_left_turn Mw2@from,w7@to",
    f"r8 v1 {TURN}=no_entry Mw2@from,w7@from,n33@via,w3@to",
    f"r9 v1 {TURN}:hgv=no_left_turn Mw2@from,n33@via,w7@to",
)


@pytest.fixture
def query(superuser_of: Callable[[Settings], str], database: Settings) -> Callable[..., list[Any]]:
    """A function that runs one statement in a snapshot's schema."""

    def ask(statement: str, schema: str) -> list[Any]:
        with psycopg.connect(superuser_of(database)) as connection:
            connection.execute(f"set search_path = {schema}, public".encode())
            return connection.execute(statement.encode()).fetchall()

    return ask


@pytest.fixture
def town(write_map: Callable[..., Path], database: Settings) -> str:
    """The schema of the town."""
    file = write_map(*TOWN, name="land.osm.pbf", box=BOX)
    return import_extract(database, str(file), "land", ManualClock(NOW), Silent()).schema


def test_the_edges_of_a_town(town: str, query: Callable[..., list[Any]]) -> None:
    assert query("select way_id, position, from_node, to_node from road_edge order by 1, 2", town) == [
        (1, 1, 11, 31), (1, 2, 31, 41), (1, 3, 41, 51),
        (2, 1, 31, 33),
        (3, 1, 33, 34),
        (4, 1, 51, 62), (4, 2, 62, 52), (4, 3, 52, 51),
        (5, 1, 62, 72),
        (7, 1, 33, 43), (7, 2, 43, 52),
        (8, 1, 43, 44),
        (9, 1, 52, 42),
        (20, 1, 72, 83),
        (21, 1, 83, 84),
    ]  # fmt: skip
    told = "select name, ref, class, surface, roundabout from road_edge where way_id = {} and position = 1"
    assert query(told.format(1), town) == [("Gasse", "A1", "residential", "asphalt", False)]
    assert query(told.format(4), town) == [(None, None, "tertiary", None, True)]
    assert query(told.format(20), town) == [("Fähre", None, "ferry", None, False)]
    apart = query("select abs(length_m - ST_Length(geom::geography)), ST_SRID(geom) from road_edge", town)
    assert all(metres < 1e-6 and srid == 4326 for metres, srid in apart)


def test_speeds_and_directions_of_a_town(town: str, query: Callable[..., list[Any]]) -> None:
    columns = ", ".join(
        f"{mode}_forward_kmh, {mode}_backward_kmh, {mode}_destination" for mode in ("car", "bicycle", "foot")
    )
    rows = {
        way: facts
        for way, *facts in query(
            f"select way_id, {columns} from road_edge where position = 1 order by 1", town
        )
    }
    assert rows[1] == [50, 50, False, 18, 18, False, 5, 5, False]
    assert rows[2] == [30, None, False, 18, None, False, 5, 5, False]
    assert rows[3] == [None, None, False, None, None, False, 5, 5, False]
    assert rows[5] == [15, 15, True, 15, 15, True, 5, 5, True]
    metres = WGS84.line_length([9.007, 9.007, 9.008], [47.002, 47.003, 47.003])
    assert rows[20] == [*[pytest.approx(metres / 1200 * 3.6)] * 2, False] * 3
    assert rows[21] == [None, None, False, 15, 15, False, 15, 15, False], (
        "half of it takes nobody knows how long"
    )


def test_parts_of_a_town(town: str, query: Callable[..., list[Any]]) -> None:
    """A car cannot get past the bollard: in front of it there is only a way out, by a oneway street."""
    parts = query("select way_id, position, car_part, foot_part from road_edge order by 1, 2", town)
    assert parts == [
        (1, 1, 2, 1), (1, 2, 2, 1), (1, 3, 1, 1),
        (2, 1, None, 1),
        (3, 1, None, 1),
        (4, 1, 1, 1), (4, 2, 1, 1), (4, 3, 1, 1),
        (5, 1, 1, 1),
        (7, 1, 1, 1), (7, 2, 1, 1),
        (8, 1, 1, 1),
        (9, 1, 1, 1),
        (20, 1, 1, 1),
        (21, 1, None, 1),
    ]  # fmt: skip


def test_barriers_and_turns_of_a_town(town: str, query: Callable[..., list[Any]]) -> None:
    barriers = "select node_id, class, ST_X(geom), ST_Y(geom), car, bicycle, foot from road_barrier"
    assert query(barriers, town) == [(41, "bollard", 9.004, 47.001, False, True, True)]
    turns = (
        "select relation_id, class, from_ways, via_node, via_ways, to_ways, ST_X(geom), car, bicycle, foot "
        "from turn_restriction order by 1"
    )
    assert query(turns, town) == [
        (1, "no_left_turn", [2], 33, [], [7], 9.003, True, False, False),
        (2, "no_u_turn", [2], None, [7], [9], 9.003, True, True, False),
        (3, "no_u_turn", [7], 43, [], [7], 9.004, True, True, False),
        (8, "no_entry", [2, 7], 33, [], [3], 9.003, True, True, False),
    ]
    rejects = (
        "select osm_key, reason, detail, ST_X(place) from reject where layer = 'turn_restriction' order by 1"
    )
    assert query(rejects, town) == [
        ("r4", "broken_turn", "w7 passes n43, and does not end there", 9.004),
        ("r5", "unknown_turn", "'no_way_at_all' is no kind of turn restriction", 9.003),
        ("r6", "missing_members", "1 of its 2 ways are no roads of this map, w777 first", 9.003),
        ("r7", "broken_turn", "its members with the role via are neither one node nor ways", 9.003),
    ]


def test_a_turn_at_a_street_that_goes_on_is_no_junction_of_roads_with_ferries(
    town: str, query: Callable[..., list[Any]]
) -> None:
    """A ferry shares n72 with a road, and n83 with another ferry: neither is a node where roads meet."""
    nodes = [node for (node,) in query("select node_id from road_node order by 1", town)]
    assert nodes == [31, 33, 43, 51, 52, 62]


def test_a_way_that_ends_in_the_middle_of_another_turns(
    write_map: Callable[..., Path], database: Settings, query: Callable[..., list[Any]]
) -> None:
    """A turn back on one way splits it there, though no other way meets it."""
    lines = ("w1 v1 Thighway=residential Nn11,n21,n31", f"r1 v1 {TURN}=no_u_turn Mw1@from,n21@via,w1@to")
    schema = import_extract(
        database, str(write_map(*lines, box=BOX)), "turn", ManualClock(NOW), Silent()
    ).schema
    assert query("select from_node, to_node from road_edge order by position", schema) == [(11, 21), (21, 31)]
    assert query("select from_ways, via_node, to_ways from turn_restriction", schema) == [([1], 21, [1])]


def test_the_network_of_a_cut(
    write_map: Callable[..., Path], database: Settings, query: Callable[..., list[Any]]
) -> None:
    """The city is the square from n22 to n66: what is connected only beyond it is parted in it."""
    city = (
        *LAND,
        "r900 v1 Ttype=boundary,boundary=administrative,admin_level=2,name=Land Mw900@outer,w901@outer",
        "w910 v1 Nn22,n62,n66",
        "w911 v1 Nn66,n26,n22",
        "r2 v1 Ttype=boundary,boundary=administrative,admin_level=8,name=Dorf Mw910@outer,w911@outer",
        "w1 v1 Thighway=residential Nn33,n43",
        "w2 v1 Thighway=residential Nn53,n54",
        "w3 v1 Thighway=residential Nn43,n41,n11",
        "w4 v1 Thighway=residential Nn11,n15",
        "w5 v1 Thighway=residential Nn15,n81,n53",
        "w6 v1 Thighway=residential Nn54,n55,n44",
        "n44 v1 x9.004 y47.004 Tbarrier=bollard",
        "n15 v1 x9.001 y47.005 Tbarrier=gate",
        f"r11 v1 {TURN}=no_left_turn Mw3@from,n43@via,w1@to",
        f"r12 v1 {TURN}=no_left_turn Mw3@from,n11@via,w4@to",
    )
    parent = import_extract(
        database, str(write_map(*city, name="land.osm.pbf", box=BOX)), "land", ManualClock(NOW), Silent()
    ).schema
    done = cut_snapshot(database, "land", "r2", None, ManualClock(NOW), Silent()).snapshot
    edges = "select way_id, position, car_part from road_edge order by 1, 2"
    assert query(edges, parent) == [(1, 1, 1), (2, 1, 1), (3, 1, 1), (4, 1, 1), (5, 1, 1), (6, 1, 1)]
    assert query(edges, done.schema) == [(1, 1, 2), (2, 1, 1), (3, 1, 2), (5, 1, 1), (6, 1, 1)]
    same = "select * from {}.road_edge where way_id = 3"
    shown = [row[:-1] for row in query(same.format(parent), parent)]
    assert len(shown) == 1
    assert query("select node_id from road_barrier order by 1", done.schema) == [(15,), (44,)]
    assert query("select relation_id from turn_restriction", done.schema) == [(11,)]
    assert {
        layer: done.layers[layer]["kept"] for layer in ("road_edge", "turn_restriction", "road_barrier")
    } == {
        "road_edge": 5,
        "turn_restriction": 1,
        "road_barrier": 2,
    }


def test_the_network_is_imported_whole_or_not_at_all() -> None:
    assert "road_edge" not in read_layers("road,road_node")
    with pytest.raises(
        UsageError, match="Name all of them, or none: road_barrier, turn_restriction is missing"
    ):
        read_layers("road,road_edge")


def test_a_map_without_the_network(
    write_map: Callable[..., Path], database: Settings, query: Callable[..., list[Any]]
) -> None:
    file = write_map(*TOWN, name="land.osm.pbf", box=BOX)
    result = import_extract(
        database, str(file), "land", ManualClock(NOW), Silent(), ("poi", "road", "road_node")
    )
    assert "road_edge" not in result.layers
    assert query("select count(*) from road_edge", result.schema) == [(0,)]
    assert query("select count(*) from road_node", result.schema) == [(6,)]


# --- a real map, counted by code that shares nothing with the import --------------------------------------------------


def read_ways() -> Iterator[tuple[int, dict[str, str], list[int]]]:
    for way in osmium.FileProcessor(str(LIECHTENSTEIN), osmium.osm.WAY):
        tags = dict(way.tags)
        gone = any(tags.get(key) == "yes" for key in LIFECYCLE)
        if tags.get("highway") in ROAD and tags.get("area") != "yes" and not gone:
            nodes = [node.ref for node in way.nodes]
            yield (
                way.id,
                tags,
                [node for node, before in zip(nodes, [None, *nodes], strict=False) if node != before],
            )


def test_liechtenstein_is_split_as_other_code_splits_it() -> None:
    """Edges by way, of whole ways: an independent count of the nodes where ways meet, of barriers and of U-turns."""
    with ExtractReader(LIECHTENSTEIN, Silent(), ("road",), network=True) as reader:
        for _ in reader.rows():
            pass
        network = reader.network()
        edges = Counter(int(line.split("\t")[0]) for line in network.edge_lines())
        metres = sum(float(line.split("\t")[4]) for line in network.edge_lines())
        barriers = sum(1 for _ in network.barriers())
        turns = [one for one in network.restrictions if isinstance(one, TurnRestriction)]
        kinds = Counter(one.rule.kind for one in turns)
    there = dict.fromkeys(edges)
    ways = [(way, nodes) for way, _, nodes in read_ways()]
    passed = Counter(node for _, nodes in ways for node in nodes)
    stops = {
        node.id
        for node in osmium.FileProcessor(str(LIECHTENSTEIN), osmium.osm.NODE)
        if "barrier" in node.tags
    }
    stops |= {one.start for one in turns}
    expected = {
        way: 1 + sum(passed[node] > 1 or node in stops for node in nodes[1:-1])
        for way, nodes in ways
        if way in there
    }
    differing = {way for way in there if edges[way] != expected[way]}
    assert len(there) > 7000
    assert differing == set()
    assert kinds == {"no_u_turn": 60, "only_straight_on": 9, "no_right_turn": 8, "no_left_turn": 6}
    assert barriers == len(
        {node for way, nodes in ways if way in there for node in nodes}
        & (stops - {one.start for one in turns})
    )
    lines = osmium.FileProcessor(str(LIECHTENSTEIN)).with_locations()
    length = sum(
        WGS84.line_length([node.lon for node in way.nodes], [node.lat for node in way.nodes])
        for way in lines
        if way.is_way() and way.id in there
    )
    assert metres == pytest.approx(length, rel=1e-9)
