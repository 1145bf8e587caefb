"""Where longitude 180 meets -180: boxes, areas and lines that cross it."""

from collections.abc import Callable
from pathlib import Path

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from app.core.clock import SystemClock
from app.core.settings import Settings
from osm_import.antimeridian import split_area
from osm_import.extracts import Extract, open_extract
from osm_import.features import Feature, spheroid_area
from osm_import.heads import Box
from osm_import.outlines import choose_outline
from osm_import.progress import Silent
from tests.osm_import import raw_maps
from tests.osm_import.conftest import read_all

BOUNDS = '<bounds minlat="-17" minlon="179.9" maxlat="-16.5" maxlon="-179.8"/>'
NODES = [
    raw_maps.node(1, 179.95, -16.9), raw_maps.node(2, -179.95, -16.9), raw_maps.node(3, -179.95, -16.8),
    raw_maps.node(4, 179.95, -16.8), raw_maps.node(5, 179.99, -16.7, amenity="cafe"),
]  # fmt: skip


@pytest.fixture
def describe(tmp_path: Path) -> Callable[..., Extract]:
    def write(data: bytes, name: str) -> Extract:
        (tmp_path / name).write_bytes(data)
        settings = Settings(local_dir=tmp_path / "local")
        return open_extract(str(tmp_path / name), settings, Silent(), SystemClock())

    return write


def test_bounds_across_it_are_two_boxes(describe: Callable[..., Extract]) -> None:
    corners = (179_900_000_000, -179_800_000_000, -16_500_000_000, -17_000_000_000)
    for extract in (
        describe(raw_maps.xml(NODES, BOUNDS), "x.osm"),
        describe(raw_maps.xml(NODES, '<bound box="-17,179.9,-16.5,-179.8" origin="x"/>'), "y.osm"),
        describe(raw_maps.pbf(NODES, raw_maps.header(box=corners)), "x.osm.pbf"),
    ):
        assert extract.box is not None
        assert tuple(extract.box) == pytest.approx((179.9, -17, -179.8, -16.5))
        outline = choose_outline(None, [], lambda: pytest.fail("no places are needed"), extract.box).geometry
        assert outline is not None
        assert sorted(part.bounds for part in outline.geoms) == [
            pytest.approx((-180, -17, -179.8, -16.5)), pytest.approx((179.9, -17, 180, -16.5))
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("box", "crosses"),
    [
        (Box(179, -1, -179, 1), True),
        (Box(10, 46, 9, 48), False),
        (Box(9, 46, 10, 48), False),
        (Box(179, 1, -179, -1), False),
        (Box(181, -1, -179, 1), False),
        (Box(180, -1, -179, 1), True),
    ],
)
def test_which_boxes_cross_it(box: Box, crosses: bool) -> None:
    assert box.crosses is crosses


def test_bounds_with_swapped_sides_stay_what_they_were(describe: Callable[..., Extract]) -> None:
    swapped = '<bounds minlat="48" minlon="10" maxlat="47" maxlon="9"/>'
    box = describe(raw_maps.xml([raw_maps.node(1, 9.5, 47.5, amenity="cafe")], swapped), "x.osm").box
    assert box is not None
    assert tuple(box) == pytest.approx((9, 47, 10, 48))


@pytest.mark.parametrize(
    ("tags", "layer"),
    [({"leisure": "park"}, "park"), ({"natural": "water"}, "water"), ({"amenity": "school", "name": "S"}, "aoi"),
     ({"boundary": "administrative", "admin_level": "8", "name": "T"}, "region")],
)  # fmt: skip
@pytest.mark.parametrize("as_relation", [False, True])
def test_an_area_across_it_lies_on_both_sides(
    describe: Callable[..., Extract], tags: dict[str, str], layer: str, as_relation: bool
) -> None:
    ring = [1, 2, 3, 4, 1]
    kind = "boundary" if layer == "region" else "multipolygon"
    areas = (
        [raw_maps.way(9, ring), raw_maps.relation(9, raw_maps.outers(9), type=kind, **tags)]
        if as_relation
        else [raw_maps.way(9, ring, **tags)]
    )
    rows = read_all(describe(raw_maps.xml([*NODES, *areas]), "x.osm").path)
    (area,) = [row for row in rows if isinstance(row, Feature) and row.layer == layer]
    shape = shapely.from_wkb(bytes.fromhex(area.wkb))
    assert not area.repaired
    assert sorted(part.bounds for part in shapely.get_parts(shape)) == [
        pytest.approx((-180, -16.9, -179.95, -16.8)), pytest.approx((179.95, -16.9, 180, -16.8))
    ]  # fmt: skip
    assert spheroid_area(shape) == pytest.approx(spheroid_area(shapely.box(0, -16.9, 0.1, -16.8)), rel=1e-6)


@pytest.mark.parametrize("tags", [{"highway": "residential"}, {"waterway": "stream"}])
@pytest.mark.parametrize("nodes", [[1, 2], [2, 1], [4, 1, 2, 3]])
def test_a_line_across_it_takes_no_part_in_gold(
    describe: Callable[..., Extract], tags: dict[str, str], nodes: list[int]
) -> None:
    lines = [raw_maps.way(9, nodes, **tags), raw_maps.way(10, [1, 4], **tags)]
    rows = read_all(describe(raw_maps.xml([*NODES, *lines]), "x.osm").path)
    assert {row.osm_id: row.repaired for row in rows if isinstance(row, Feature) and row.osm_type == "w"} == {
        9: True, 10: False
    }  # fmt: skip


@given(
    west=st.floats(-40, -0.01), width=st.floats(0.02, 30), south=st.floats(-80, 79), height=st.floats(0.01, 1)
)
def test_a_split_area_holds_what_the_whole_one_holds(
    west: float, width: float, south: float, height: float
) -> None:
    def place(lon: float, lat: float) -> tuple[float, float]:
        return (lon + 180 if lon <= 0 else lon - 180), lat

    corners = [(west, south), (west + width, south), (west + width, south + height), (west, south + height)]
    split = split_area(shapely.Polygon([place(*corner) for corner in corners]))
    assert split.is_valid
    assert split.area == pytest.approx(width * height, rel=1e-6)
    assert all(part.bounds[2] - part.bounds[0] <= 40 for part in shapely.get_parts(split))


def test_a_ring_around_a_pole_is_left_alone() -> None:
    ring = shapely.Polygon([(-120, 80), (0, 80), (120, 80)])
    assert split_area(ring) is None
