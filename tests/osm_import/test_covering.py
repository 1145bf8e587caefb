"""A box cut to what the map's objects cover."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely import MultiPolygon

from app.core.settings import Settings
from osm_import.antimeridian import box_area
from osm_import.covering import MOST_CELLS, MOST_GAP, ROWS, Run, add_regions, choose_grid, join_runs
from osm_import.heads import Box
from tests.support.town import Map, import_map, offset, rectangle

BOX = Box(9.0, 47.0, 9.4, 47.3)
AREA = box_area(BOX)
GRID = choose_grid(AREA)
CELL = float(GRID.cell.prod())
WEST, SOUTH = int(9.05 / GRID.cell[0]), int(47.05 / GRID.cell[1])


def square(size: int, hole: int = 0) -> list[Run]:
    """Cells of a square with an empty one in its middle."""
    first = (size - hole) // 2
    return [
        Run(SOUTH + j, WEST + i, WEST + i)
        for i in range(size)
        for j in range(size)
        if not (first <= i < first + hole and first <= j < first + hole)
    ]


def cell_at(column: int, row: int) -> Any:
    wide, high = GRID.cell
    return shapely.box(column * wide, row * high, (column + 1) * wide, (row + 1) * high)


def test_cells_are_about_500_metres_and_the_same_for_boxes_alike() -> None:
    assert 480 < 40_075_017 / GRID.columns * 0.682 < 520
    assert 490 < 20_003_931 / GRID.rows < 510
    assert choose_grid(box_area(Box(9.01, 47.02, 9.41, 47.28))) == GRID


@pytest.mark.parametrize(
    ("box", "rows"),
    [
        (Box(5.0, 47.0, 15.0, 55.0), ROWS),
        (Box(-10.0, 35.0, 40.0, 71.0), ROWS // 4),
        (Box(-180.0, -90.0, 180.0, 90.0), ROWS // 32),
        (Box(9.0, 89.9, 9.1, 90.0), ROWS),
    ],
)
def test_a_larger_box_has_larger_cells(box: Box, rows: int) -> None:
    grid = choose_grid(box_area(box))
    assert grid.rows == rows
    assert grid.columns % 2 == 0
    assert box_area(box).area / float(grid.cell.prod()) <= MOST_CELLS


@pytest.mark.parametrize(("hole", "filled"), [(0, True), (1, True), (5, True), (6, False)])
def test_small_gaps_are_covered_and_large_ones_are_not(hole: int, filled: bool) -> None:
    ground = join_runs(square(12, hole), GRID, AREA)
    assert ground is not None
    assert ground.area == pytest.approx((144 if filled else 144 - hole * hole) * CELL)
    assert (hole * hole <= MOST_GAP) is filled


def test_a_gap_of_large_cells_is_as_large_as_one_of_small_cells() -> None:
    coarse = GRID._replace(columns=GRID.columns // 8, rows=GRID.rows // 8)
    west, south = WEST // 8, SOUTH // 8
    ring = [Run(south + j, west + i, west + i) for i in range(3) for j in range(3) if (i, j) != (1, 1)]
    ground = join_runs(ring, coarse, AREA)
    assert ground is not None
    assert ground.area == pytest.approx(8 * float(coarse.cell.prod()))


def test_a_gap_at_the_edge_of_the_data_is_none() -> None:
    bay = [one for one in square(5) if one[:2] != (SOUTH + 2, WEST)]
    ground = join_runs(bay, GRID, AREA)
    assert ground is not None
    assert ground.area == pytest.approx(24 * CELL)


@given(st.sets(st.tuples(st.integers(0, 14), st.integers(0, 14)), min_size=1, max_size=120))
def test_every_cell_is_covered_and_nothing_beyond_the_box(cells: set[tuple[int, int]]) -> None:
    west, south = int(9.0 / GRID.cell[0]) - 3, int(47.0 / GRID.cell[1]) - 3
    placed = [(west + i, south + j) for i, j in cells]
    ground = join_runs([Run(j, i, i) for i, j in placed], GRID, AREA)
    each = [shapely.intersection(cell_at(*one), AREA) for one in placed]
    if ground is None:
        assert all(one.area < CELL / 1e6 for one in each)
        return
    assert ground.is_valid
    assert AREA.buffer(1e-9).covers(ground)
    assert all(shapely.difference(one, ground).area < CELL / 1e6 for one in each)


def test_cells_on_both_sides_of_the_antimeridian_are_one_ground() -> None:
    area = box_area(Box(179.9, -17.0, -179.9, -16.8))
    grid = choose_grid(area)
    row, last = int(-16.9 / grid.cell[1]), grid.columns // 2 - 1
    ring = [(last - 1, 0), (last - 1, 1), (last - 1, 2), (last, 0), (last, 2)]
    ring += [(-last - 1, 0), (-last - 1, 1), (-last - 1, 2)]
    ground = join_runs([Run(row + j, i, i) for i, j in ring], grid, area)
    assert isinstance(ground, MultiPolygon)
    assert ground.area == pytest.approx(9 * float(grid.cell.prod()))
    assert sorted(round(abs(part.bounds[0])) for part in ground.geoms) == [180, 180]
    assert all(part.bounds[2] - part.bounds[0] < 0.1 for part in ground.geoms)


@pytest.mark.parametrize(("columns", "added"), [(9, True), (8, False)])
def test_a_region_that_is_covered_but_for_a_small_part_is_covered_whole(columns: int, added: bool) -> None:
    covered = join_runs([Run(SOUTH + j, WEST, WEST + columns - 1) for j in range(10)], GRID, AREA)
    assert covered is not None
    slanted = shapely.affinity.rotate(shapely.box(*_cells(WEST, SOUTH, 10, 10)), 3)
    within = shapely.affinity.scale(slanted, 0.9, 0.9)
    ground = add_regions(covered, [within, shapely.box(*_cells(WEST + 40, SOUTH, 3, 3))], AREA)
    assert ground.is_valid
    assert bool(shapely.covers(ground, within)) is added
    assert ground.area < covered.area + 15 * CELL


def _cells(column: int, row: int, wide: int, high: int) -> tuple[float, float, float, float]:
    return (*(GRID.cell * (column, row)), *(GRID.cell * (column + wide, row + high)))


def read_outline(url: str, schema: str) -> tuple[str, Any]:
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "select outline_source, ST_AsBinary(outline) from trigpoint.snapshot where schema_name = %s",
            (schema,),
        ).fetchone()
    assert row
    return row[0], shapely.from_wkb(bytes(row[1])) if row[1] else None


def test_an_import_keeps_of_a_box_what_its_objects_cover(
    tmp_path: Path, database: Settings, superuser_of: Callable[[Settings], str]
) -> None:
    made = Map(box=tuple(BOX), is_whole=False)
    made.node((9.3, 47.2), amenity="cafe")
    made.way([(9.2, 47.1), (9.24, 47.1)], closed=False, highway="residential")
    made.way([(9.1, 47.2), (9.13, 47.2), (9.13, 47.22), (9.1, 47.22)], natural="water", name="Lake")
    made.way([(9.02, 47.02), (9.36, 47.02), (9.36, 47.26), (9.02, 47.26)], boundary="administrative", admin_level="8", name="All")  # fmt: skip
    made.way([(9.39, 47.1), (9.6, 47.1)], closed=False, highway="primary")
    result = import_map(database, made.write(tmp_path / "boxed.osm"), "boxed")
    source, outline = read_outline(superuser_of(database), result.schema)
    assert (result.outline_source, source) == ("box", "box")
    inside = [(9.3, 47.2), (9.22, 47.1), (9.115, 47.21), (9.101, 47.201), (9.399, 47.1)]
    beyond = [(9.35, 47.2), (9.22, 47.12), (9.05, 47.21), (9.17, 47.15), (9.41, 47.1)]
    assert [outline.covers(shapely.Point(place)) for place in inside] == [True] * 5
    assert [outline.covers(shapely.Point(place)) for place in beyond] == [False] * 5
    assert outline.area < AREA.area / 10


def test_a_box_without_objects_is_no_outline(
    tmp_path: Path, database: Settings, superuser_of: Callable[[Settings], str]
) -> None:
    made = Map(box=tuple(BOX), is_whole=False)
    made.node((19.3, 47.2), amenity="cafe")
    result = import_map(database, made.write(tmp_path / "elsewhere.osm"), "elsewhere")
    assert read_outline(superuser_of(database), result.schema) == ("none", None)


def test_objects_on_both_sides_of_the_antimeridian_are_covered(
    tmp_path: Path, database: Settings, superuser_of: Callable[[Settings], str]
) -> None:
    made = Map(box=(179.9, -16.9, -179.9, -16.7), is_whole=False)
    middle = offset((180.0, -16.8), 90, 0)
    made.node(offset(middle, 90, 3000), amenity="cafe")
    made.way(rectangle((180.0, -16.8), 0, 0, 3000, 3000), natural="water", name="Lagoon")
    result = import_map(database, made.write(tmp_path / "line.osm"), "line")
    _, outline = read_outline(superuser_of(database), result.schema)
    inside = [offset(middle, azimuth, metres) for azimuth, metres in ((90, 1400), (270, 1400), (90, 3000))]
    beyond = [offset(middle, azimuth, metres) for azimuth, metres in ((270, 3000), (0, 3000), (90, 6000))]
    assert [outline.covers(shapely.Point(place)) for place in inside] == [True] * 3
    assert [outline.covers(shapely.Point(place)) for place in beyond] == [False] * 3
