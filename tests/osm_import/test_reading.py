"""Geometry rules, one small map each, with results worked out by hand on the grid."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import shapely

from app.core.errors import BadExtract
from osm_import.features import Feature, Reject
from osm_import.progress import Silent
from osm_import.reading import ExtractReader
from osm_import.reasons import Reason
from tests.osm_import.conftest import read_all

Read = Callable[..., list[Feature | Reject]]


def only(rows: list[Feature | Reject], layer: str) -> Feature | Reject:
    (row,) = [row for row in rows if row.layer == layer]
    return row


def shape(row: Feature | Reject) -> shapely.Geometry:
    assert isinstance(row, Feature), row
    return shapely.from_wkb(row.wkb)


def grid(*names: int) -> list[tuple[float, float]]:
    """Grid nodes as (lon, lat): 23 is 9.002, 47.003."""
    return [(round(9 + name // 10 / 1000, 7), round(47 + name % 10 / 1000, 7)) for name in names]


def test_a_node(read: Read) -> None:
    rows = read(
        "n200 v3 x9.5 y47.5 Tamenity=cafe,name=Blue%20%Cup,phone=123,addr:housenumber=4,addr:street=Gasse"
    )
    poi, address = only(rows, "poi"), only(rows, "address")
    assert isinstance(poi, Feature)
    assert (poi.osm_key, poi.version, poi.description.name, poi.description.klass) == (
        "n200",
        3,
        "Blue Cup",
        "cafe",
    )
    assert poi.description.tags == {
        "amenity": "cafe",
        "name": "Blue Cup",
        "addr:housenumber": "4",
        "addr:street": "Gasse",
    }
    assert poi.description.columns["housenumber"] == "4"
    assert poi.description.columns["is_area"] is False
    assert shape(poi).wkt == "POINT (9.5 47.5)"
    assert isinstance(address, Feature)
    assert (address.description.klass, address.description.columns["street"]) == ("node", "Gasse")


def test_an_area_gives_a_point_inside_to_poi_and_itself_to_park(read: Read) -> None:
    rows = read("w1 v1 Tleisure=park,name=Common Nn11,n31,n33,n13,n11")
    park, poi, aoi = (shape(only(rows, layer)) for layer in ("park", "poi", "aoi"))
    assert park.equals(shapely.Polygon(grid(11, 31, 33, 13)))
    assert park.geom_type == "Polygon"
    assert aoi.geom_type == "MultiPolygon"
    assert poi.geom_type == "Point"
    assert park.contains(poi)
    area = only(rows, "aoi")
    assert isinstance(area, Feature)
    # 0.002° of longitude at 47.002° by 0.002° of latitude: 152.1 m by 222.4 m
    assert area.area_m2 == pytest.approx(152.14 * 222.36, rel=1e-3)
    assert not any(row.repaired for row in rows if isinstance(row, Feature))


def test_a_point_on_the_surface_of_a_crescent_is_inside(read: Read) -> None:
    rows = read("w1 v1 Tamenity=school Nn11,n41,n42,n22,n23,n43,n44,n14,n11")
    outline = shapely.Polygon(grid(11, 41, 42, 22, 23, 43, 44, 14))
    assert outline.contains(shape(only(rows, "poi")))
    assert not outline.contains(outline.centroid) or outline.contains(shape(only(rows, "poi")))


def test_a_bow_tie_is_repaired_and_flagged(read: Read) -> None:
    rows = read("w1 v1 Tleisure=park Nn11,n33,n31,n13,n11")
    park = only(rows, "park")
    assert isinstance(park, Feature)
    assert park.repaired
    assert shape(park).is_valid
    # two triangles, each a quarter of the square of four grid cells
    assert shape(park).area == pytest.approx(2 * 1e-6, rel=1e-6)


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        ("w1 v1 Tleisure=park Nn11,n21,n31", Reason.LINE_NOT_AREA),
        ("w1 v1 Tleisure=park Nn11,n21,n11", Reason.LINE_NOT_AREA),
        ("w1 v1 Tleisure=park,area=no Nn11,n21,n22,n11", Reason.LINE_NOT_AREA),
        ("w1 v1 Tleisure=park Nn11,n21,n31,n11", Reason.NO_AREA),
        ("w1 v1 Tleisure=park Nn11,n999,n31,n33,n11", Reason.MISSING_NODES),
        ("w1 v1 Tleisure=park Nn998,n999,n997,n998", Reason.MISSING_NODES),
    ],
)
def test_ways_that_make_no_area(read: Read, way: str, reason: Reason) -> None:
    for layer in ("poi", "park"):
        reject = only(read(way), layer)
        assert isinstance(reject, Reject)
        assert reject.reason is reason
        assert reject.detail


def test_a_reject_says_how_much_is_missing_and_where_the_rest_is(read: Read) -> None:
    reject = only(read("w1 v1 Tnatural=water,name=Weiher Nn999,n21,n31,n33,n999"), "water")
    assert isinstance(reject, Reject)
    assert reject.detail == "2 of its 5 nodes are not in the extract"
    assert reject.name == "Weiher"
    assert shapely.from_wkb(reject.place).coords[0] == grid(21)[0]


def test_a_road_keeps_its_direction_and_tags(read: Read) -> None:
    road = only(read("w1 v7 Thighway=primary,name=A,lanes=2,oneway=yes,bridge=yes Nn31,n21,n11"), "road")
    assert isinstance(road, Feature)
    assert list(shape(road).coords) == grid(31, 21, 11)
    assert (
        road.description.columns["lanes"],
        road.description.columns["oneway"],
        road.description.columns["bridge"],
    ) == (2, "yes", True)
    assert road.description.columns["drivable"] is True


def test_a_road_cut_by_the_edge_keeps_its_inner_part_flagged(read: Read) -> None:
    road = only(read("w1 v1 Thighway=primary Nn999,n11,n21,n31,n998"), "road")
    assert isinstance(road, Feature)
    assert list(shape(road).coords) == grid(11, 21, 31)
    assert road.repaired


@pytest.mark.parametrize(
    ("nodes", "reason"),
    [
        ("n11,n999,n31", Reason.MISSING_NODES),
        ("n999,n998", Reason.MISSING_NODES),
        ("n999,n11", Reason.MISSING_NODES),
        ("n11", Reason.TOO_FEW_POINTS),
        ("n11,n11", Reason.TOO_FEW_POINTS),
    ],
)
def test_roads_without_a_line(read: Read, nodes: str, reason: Reason) -> None:
    reject = only(read(f"w1 v1 Thighway=primary N{nodes}"), "road")
    assert isinstance(reject, Reject)
    assert reject.reason is reason


def test_a_closed_highway_is_a_line_and_no_place(read: Read) -> None:
    rows = read("w1 v1 Thighway=pedestrian,tourism=attraction Nn11,n21,n22,n12,n11")
    assert shape(only(rows, "road")).geom_type == "LineString"
    reject = only(rows, "poi")
    assert isinstance(reject, Reject)
    assert reject.detail == "a closed highway is a line without area=yes"


def test_a_square_with_area_yes_is_no_road(read: Read) -> None:
    rows = read("w1 v1 Thighway=pedestrian,area=yes,tourism=attraction Nn11,n21,n22,n12,n11")
    assert [row.layer for row in rows] == ["poi"]


def test_a_lake_with_an_island(read: Read) -> None:
    rows = read(
        "w1 v1 Nn11,n51,n55",
        "w2 v1 Nn55,n15,n11",
        "w3 v1 Nn22,n42,n44,n24,n22",
        "r9 v2 Ttype=multipolygon,natural=water,water=lake,name=See Mw1@outer,w2@outer,w3@inner",
    )
    lake = only(rows, "water")
    assert isinstance(lake, Feature)
    assert (lake.osm_key, lake.description.klass, lake.version, lake.repaired) == ("r9", "lake", 2, False)
    assert shape(lake).equals(shapely.Polygon(grid(11, 51, 55, 15), [grid(22, 42, 44, 24)]))


@pytest.mark.parametrize(
    ("lines", "reason", "detail", "place"),
    [
        (["r9 v1 T{} Mw1@outer,w777@outer"], Reason.MISSING_MEMBERS, "1 of 2 member ways are not in the extract, w777 first", grid(11)),
        (["w5 v1 Nn999,n11", "r9 v1 T{} Mw1@outer,w5@outer"], Reason.MISSING_NODES, "1 of 2 member ways lack nodes in the extract, w5 first", grid(11)),
        (["r9 v1 T{} Mw1@outer"], Reason.OPEN_RING, "the rings do not close at n11, n55", grid(11, 55)),
        (["w5 v1 Nn11,n55,n51,n15,n11", "r9 v1 T{} Mw5@outer"], Reason.CROSSING_RINGS, "1 crossing(s) without a shared node, the first at 9.0030000 47.0030000", grid(33)),
        (["r9 v1 T{} Mn11@outer"], Reason.NO_MEMBERS, "the relation has no member way with the role outer or inner", None),
        (["w5 v1 Nn11,n51", "w6 v1 Nn51,n11", "r9 v1 T{} Mw5@outer,w6@outer"], Reason.NO_AREA, "the member ways enclose nothing", grid(11)),
    ],
)  # fmt: skip
def test_broken_relations_say_why_and_where(
    read: Read, lines: list[str], reason: Reason, detail: str, place: list[tuple[float, float]] | None
) -> None:
    tags = "type=multipolygon,natural=water"
    reject = only(read("w1 v1 Nn11,n51,n55", *(line.replace("T{}", f"T{tags}") for line in lines)), "water")
    assert isinstance(reject, Reject)
    assert (reject.reason, reject.detail) == (reason, detail)
    points = shapely.get_coordinates(shapely.from_wkb(reject.place)) if reject.place else None
    assert (points is None) is (place is None)
    assert place is None or points == pytest.approx(np.array(place))


@pytest.mark.parametrize(("kind", "rejected"), [("type=site", True), ("note=x", True), ("type=route", False), ("type=multilinestring", False)])  # fmt: skip
def test_relations_of_other_types(read: Read, kind: str, rejected: bool) -> None:
    rows = read(
        "w1 v1 Nn11,n21,n22,n11", f"r9 v1 T{kind},tourism=attraction,boundary=administrative,name=X Mw1@"
    )
    assert [row.reason for row in rows if isinstance(row, Reject)] == [Reason.RELATION_NOT_AREA] * len(rows)
    assert bool(rows) is rejected


def test_a_municipality(read: Read) -> None:
    rows = read(
        "w1 v1 Tboundary=administrative,admin_level=8 Nn11,n51,n55,n15,n11",
        "r9 v1 Ttype=boundary,boundary=administrative,admin_level=8,name=Dorf,population=1.200 Mw1@outer",
    )
    region = only(rows, "region")
    assert isinstance(region, Feature)
    assert (region.osm_key, region.description.klass, region.description.columns["admin_level"]) == (
        "r9",
        "municipality",
        8,
    )
    assert region.description.columns["population"] == 1200
    assert shape(region).geom_type == "MultiPolygon"


def test_junctions_are_shared_nodes_not_crossings(write_map: Callable[..., Path]) -> None:
    path = write_map(
        "w1 v1 Thighway=residential Nn11,n22,n33",
        "w2 v1 Thighway=residential Nn33,n44",
        "w3 v1 Thighway=footway Nn33,n32",
        "w4 v1 Thighway=primary,bridge=yes Nn13,n31",  # crosses w1 at n22's place, shares no node
        "w5 v1 Thighway=service Nn71,n72,n82,n71",  # a loop meets itself only
        "w6 v1 Twaterway=stream Nn11,n12",  # no road
        "w7 v1 Thighway=proposed Nn44,n45",  # no road either
    )
    with ExtractReader(path, Silent()) as reader:
        assert len([row for row in reader.rows() if row.layer == "road"]) == 5
        (junction,) = reader.junctions()
    assert (junction.node_id, junction.way_ids) == (33, [1, 2, 3])
    assert shapely.from_wkb(junction.wkb).coords[0] == grid(33)[0]


def test_nothing_is_lost_and_nothing_comes_twice(write_map: Callable[..., Path]) -> None:
    """Every object comes out once a layer, whatever becomes of it."""
    rows = read_all(
        write_map(
            "n200 v1 x9.5 y47.5 Tamenity=cafe",
            "w1 v1 Tleisure=park,name=P Nn11,n31,n33,n13,n11",
            "w2 v1 Tleisure=park,name=Q Nn11,n33,n31,n13,n11",
            "w3 v1 Tleisure=park,name=R Nn11,n33",
            "w4 v1 Thighway=primary Nn11,n33",
            "r8 v1 Ttype=multipolygon,natural=water,name=S Mw1@outer",
            "r9 v1 Ttype=multipolygon,natural=water,name=T Mw4@outer",
        )
    )
    keys = sorted((row.layer, f"{row.osm_type}{row.osm_id}") for row in rows)
    assert keys == sorted(
        [("poi", "n200"), ("road", "w4")]
        + [(layer, way) for layer in ("poi", "park", "aoi") for way in ("w1", "w2", "w3")]
        + [(layer, relation) for layer in ("water", "aoi") for relation in ("r8", "r9")]
    )


def test_unsorted_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "unsorted.opl"
    path.write_text("w1 v1 Thighway=primary Nn1,n2\nn1 v1 x9 y47 Tamenity=cafe\nn2 v1 x9 y47.1\n")
    with pytest.raises(BadExtract, match=r"unsorted\.opl is not sorted: n1 comes after"):
        read_all(path)


def test_places_off_the_earth_are_rejected(tmp_path: Path) -> None:
    path = tmp_path / "off.osm"
    path.write_text(
        '<osm version="0.6"><node id="1" version="1" lat="95" lon="9"><tag k="amenity" v="cafe"/></node></osm>'
    )
    (reject,) = read_all(path)
    assert isinstance(reject, Reject)
    assert reject.reason is Reason.BAD_LOCATION


@pytest.mark.parametrize("size", [1000, 100_000, 400_000])
def test_a_file_that_breaks_off_is_refused(extracts: Path, tmp_path: Path, size: int) -> None:
    whole = (extracts / "liechtenstein-2013-08-03.osm.pbf").read_bytes()
    path = tmp_path / "cut.osm.pbf"
    path.write_bytes(whole[:size])
    with pytest.raises(BadExtract, match=r"cut\.osm\.pbf cannot be read to its end .*Download it again"):
        read_all(path)
