"""GeoParquet and GeoJSON: footprints and anchors lie where the town's places do; geopandas opens both."""

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import shapely

from app.core.errors import UsageError
from app.exports.exported import Export
from app.exports.geography import geojson_files, geoparquet_files
from app.exports.writing import write_files
from tests.app.exports.conftest import DATASETS
from tests.support.peers import ask_peer
from tests.support.town import BOX

Read = Callable[..., Export]
TOWN = shapely.box(*BOX)
OPEN = """
import json, sys
import geopandas
found = [geopandas.read_parquet(sys.argv[1]), geopandas.read_file(sys.argv[2])]
told = [
    {
        "rows": len(one),
        "crs": one.crs.equals("OGC:CRS84", ignore_axis_order=place == 1),
        "bounds": list(map(float, one.total_bounds)),
        "ids": list(one["id"]),
        "area": float(one.to_crs("EPSG:6933").area.sum()),
    }
    for place, one in enumerate(found)
]
print(json.dumps(told))
"""


@pytest.mark.parametrize("name", DATASETS)
def test_both_forms_tell_the_same(read: Read, name: str) -> None:
    exported = read(name, with_gold=True)
    table = pq.read_table(BytesIO(geoparquet_files(exported)["footprints.parquet"]))
    told = json.loads(geojson_files(exported)["footprints.geojson"])
    public = exported.splits()["public"]
    rows = table.to_pylist()
    assert (
        [row["id"] for row in rows] == [one["id"] for one in told["features"]] == [one.id for one in public]
    )
    assert sum(row["anchor"] is not None for row in rows) > 3
    for row, feature in zip(rows, told["features"], strict=True):
        assert (row["geometry"] is None) == (feature["geometry"] is None)
        if row["geometry"] is not None:
            shape = shapely.from_wkb(row["geometry"])
            assert shape.equals_exact(shapely.from_geojson(json.dumps(feature["geometry"])), 0)
            assert TOWN.contains(shape)
        if row["anchor"] is not None:
            point = shapely.from_wkb(row["anchor"])
            assert TOWN.contains(point)
            assert feature["properties"]["anchor"] == [point.x, point.y]
            assert shape.buffer(1e-9).contains(point), row["text"]


def test_what_geoparquet_says_of_itself(read: Read) -> None:
    files = geoparquet_files(read("open", with_gold=True))
    table = pq.read_table(BytesIO(files["footprints.parquet"]))
    geo = json.loads(table.schema.metadata[b"geo"])
    assert (geo["version"], geo["primary_column"]) == ("1.1.0", "geometry")
    for name, column in geo["columns"].items():
        shapes = [shapely.from_wkb(wkb) for wkb in table[name].to_pylist() if wkb is not None]
        assert column["encoding"] == "WKB"
        assert "crs" not in column, "none named is OGC:CRS84"
        assert column["geometry_types"] == sorted({shape.geom_type for shape in shapes})
        assert column["bbox"] == list(shapely.total_bounds(shapes))
        assert all(ring.is_ccw for shape in shapes for ring in outer_rings(shape))


def outer_rings(shape: Any) -> list[Any]:
    return [part.exterior for part in shapely.get_parts(shape) if part.geom_type == "Polygon"]


def test_places_of_hidden_questions_stay_in(read: Read) -> None:
    exported = read("open", with_gold=True)
    assert set(exported.places) == {one.id for one in exported.splits()["public"]}
    assert not read("open").places
    for form in (geojson_files, geoparquet_files):
        with pytest.raises(UsageError, match="Add --with-gold"):
            form(read("open"))


@pytest.mark.long
@pytest.mark.parametrize("name", DATASETS)
def test_geopandas_opens_both(read: Read, tmp_path: Path, name: str) -> None:
    exported = read(name, True, True)
    write_files(geoparquet_files(exported) | geojson_files(exported), tmp_path)
    found = ask_peer(OPEN, *(str(tmp_path / f"footprints.{end}") for end in ("parquet", "geojson")))
    shapes = [shapely.from_wkb(place.footprint) for place in exported.places.values() if place.footprint]
    for told in found:
        assert told["crs"]
        assert told["ids"] == [one.id for one in exported.questions]
        assert told["bounds"] == pytest.approx(list(shapely.total_bounds(shapes)), abs=1e-12)
    assert found[0]["area"] == pytest.approx(found[1]["area"], rel=1e-9)
