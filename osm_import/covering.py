"""Import stage: the part of a box that a map's objects cover. Reads the indexed layers of the snapshot in search_path.

A file's header gives a box, and a map cut along a border may be empty in half of it. What lies in a cell of about 500 m
that holds an object is covered, and so is a small gap that such cells enclose. An administrative area that is covered
but for a small part, such as a summit or a bay, is covered whole: no map is cut there.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import psycopg
import shapely
from shapely import MultiPolygon

from osm_import.covering_queries import COVERED_RUNS, REGIONS_IN
from osm_import.features import to_wkb
from osm_import.outlines import Outline, OutlineSource, polygonal
from osm_import.wkb import ewkb_hex

ROWS = 40_000
"""From pole to pole: 501 m each."""
MOST_CELLS = 4_000_000
"""About a million square kilometres; a larger box has larger cells, so that no header can ask for endless work."""
MOST_GAP = 25
"""In cells of 501 m, about six square kilometres: a gap of at most so many is covered, where cells enclose it."""

MOST_OF_REGION = 0.9
"""An administrative area of which at least this share is covered is covered whole."""

ROUNDING = 1e-7
"""In degrees, a centimetre: a region that is added is wider, so that rounding leaves none of it outside."""


class Grid(NamedTuple):
    """Cells around the earth; column 0 begins at longitude 0, row 0 at the equator."""

    columns: int
    rows: int

    @property
    def cell(self) -> np.ndarray:
        """Degrees of longitude and latitude of one cell."""
        return np.array([360.0 / self.columns, 180.0 / self.rows])

    @property
    def most_gap(self) -> float:
        """MOST_GAP in cells of this grid."""
        return MOST_GAP * (self.rows / ROWS) ** 2


class Run(NamedTuple):
    """Neighbouring cells of one row, from the column `first` to the column `last`."""

    row: int
    first: int
    last: int


def cut_to_objects(connection: psycopg.Connection[Any], outline: Outline) -> Outline:
    """Of an outline that is a box, what is covered; no outline where no object lies in it."""
    assert outline.geometry is not None, "a box has ground"
    grid = choose_grid(outline.geometry)
    binds = {**grid._asdict(), "box": ewkb_hex(to_wkb(outline.geometry))}
    runs = [Run(*row) for row in connection.execute(COVERED_RUNS, binds)]
    covered = join_runs(runs, grid, outline.geometry) if runs else None
    if covered is None:
        return Outline(None, OutlineSource.NONE, f"no object lies in {outline.detail}")
    regions = (shapely.from_wkb(bytes(wkb)) for (wkb,) in connection.execute(REGIONS_IN, binds))
    covered = add_regions(covered, regions, outline.geometry)
    share = covered.area / outline.geometry.area
    return Outline(covered, outline.source, f"{share:.1%} of {outline.detail}, where objects lie")


def choose_grid(box: MultiPolygon) -> Grid:
    """Cells that are about as wide as high at the middle of the box, to the degree; the same for boxes alike.

    The number of columns is even, so that no cell lies on both sides of the antimeridian.
    """
    _, south, _, north = box.bounds
    parallel = math.cos(math.radians(min(85, abs(round((south + north) / 2)))))
    scale = 1
    while True:
        grid = Grid(2 * round(ROWS // scale * parallel), ROWS // scale)
        if box.area / float(np.prod(grid.cell)) <= MOST_CELLS:
            return grid
        scale *= 2


def join_runs(runs: Sequence[Run], grid: Grid, box: MultiPolygon) -> MultiPolygon | None:
    """The ground of covered cells and of the small gaps between them, as far as it lies in the box."""
    row, first, last = np.array(runs, dtype=float).T
    wraps = len(box.geoms) > 1
    if wraps:
        first, last = (np.where(column < 0, column + grid.columns, column) for column in (first, last))
    covered = _fill_gaps(shapely.union_all(shapely.box(first, row, last + 1, row + 1)), grid.most_gap)
    ground = [shapely.transform(covered, lambda places: places * grid.cell)]
    if wraps:
        ground.append(shapely.transform(ground[0], lambda places: places - np.array([360.0, 0.0])))
    return polygonal(shapely.union_all([shapely.intersection(part, box) for part in ground]))


def add_regions(covered: MultiPolygon, regions: Iterable[Any], box: MultiPolygon) -> MultiPolygon:
    """The covered ground with the regions that are covered but for a small part, as far as they lie in the box."""
    shapely.prepare(covered)
    added = []
    for region in regions:
        if shapely.covers(covered, region):
            continue
        near = shapely.clip_by_rect(covered, *region.bounds)
        if shapely.intersection(region, near).area >= MOST_OF_REGION * region.area:
            wide = shapely.buffer(region, ROUNDING, join_style="mitre")
            added.append(shapely.intersection(wide, box))
    return polygonal(shapely.union_all([covered, *added])) or covered


def _fill_gaps(covered: Any, most: float) -> Any:
    """The same ground with every gap that is small and enclosed; gaps that meet in a corner are two."""
    west, south, east, north = covered.bounds
    around = shapely.box(west - 1, south - 1, east + 1, north + 1)
    gaps = shapely.get_parts(shapely.difference(around, covered))
    beyond = shapely.intersects(gaps, around.exterior)
    return shapely.union_all([covered, *gaps[~beyond & (shapely.area(gaps) <= most)]])
