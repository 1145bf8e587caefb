"""GeoJSON (RFC 7946) and GeoParquet (1.1.0) of footprints and anchors, in OGC:CRS84: lon, lat on WGS84."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import shapely

from app.core.errors import UsageError
from app.core.identity import canonical_json
from app.exports.exported import Export, ExportedQuestion
from app.exports.parquet import marks, parquet_bytes
from app.exports.places import Place

GEOPARQUET = "1.1.0"
COLUMNS = pa.schema(
    [
        *(pa.field(name, pa.string(), nullable=False) for name in ("id", "template", "text", "answer_type")),
        *(pa.field(name, pa.string(), nullable=False) for name in ("split", "snapshot")),
        pa.field("geometry", pa.binary()),
        pa.field("anchor", pa.binary()),
    ]
)
"""`geometry` is the footprint, both are WKB."""


def geojson_files(export: Export) -> dict[str, bytes]:
    """File names and bytes. Raises UsageError where no question's footprint may leave."""
    features = [
        {
            "type": "Feature",
            "id": one.id,
            "geometry": _geojson(place.footprint),
            "properties": _properties(one) | {"anchor": _coordinates(place.anchor)},
        }
        for one, place in _placed(export)
    ]
    collection = {"type": "FeatureCollection", **marks(export.version), "features": features}
    return {
        "footprints.geojson": (canonical_json(collection) + "\n").encode(),
        "LICENSE": export.version.licence_text.encode(),
    }


def geoparquet_files(export: Export) -> dict[str, bytes]:
    """File names and bytes. Raises UsageError where no question's footprint may leave."""
    rows = [
        _properties(one) | {"geometry": place.footprint, "anchor": place.anchor}
        for one, place in _placed(export)
    ]
    columns = {name: _described(row[name] for row in rows) for name in ("geometry", "anchor")}
    geo = {"version": GEOPARQUET, "primary_column": "geometry", "columns": columns}
    schema = COLUMNS.with_metadata(marks(export.version) | {"geo": canonical_json(geo)})
    return {
        "footprints.parquet": parquet_bytes(pa.Table.from_pylist(rows, schema=schema)),
        "LICENSE": export.version.licence_text.encode(),
    }


def _placed(export: Export) -> Iterator[tuple[ExportedQuestion, Place]]:
    """Questions whose gold leaves, and where they look."""
    found = [one for one in export.questions if one.gold is not None]
    if not found:
        raise UsageError(
            f"{export.version.reference}: the area of a question reveals its answer, so only questions whose gold is"
            " exported are written, and there are none. Add --with-gold (and --include-hidden if all are hidden)."
        )
    return ((one, export.places[one.id]) for one in found)


def _properties(one: ExportedQuestion) -> dict[str, Any]:
    return {
        "id": one.id,
        "template": one.template,
        "text": one.text,
        "answer_type": one.answer_type,
        "split": one.split,
        "snapshot": one.snapshots[0]["snapshot"],
    }


def _geojson(wkb: bytes | None) -> Mapping[str, Any] | None:
    if wkb is None:
        return None
    geometry: Mapping[str, Any] = json.loads(shapely.to_geojson(shapely.from_wkb(wkb)))
    return geometry


def _coordinates(wkb: bytes | None) -> list[float] | None:
    if wkb is None:
        return None
    point = shapely.from_wkb(wkb)
    return [point.x, point.y]


def _described(values: Iterator[bytes | None]) -> dict[str, Any]:
    """A column as GeoParquet tells it; a column that names no CRS is in OGC:CRS84."""
    shapes = [shapely.from_wkb(wkb) for wkb in values if wkb is not None]
    described = {
        "encoding": "WKB",
        "orientation": "counterclockwise",
        "geometry_types": sorted({shape.geom_type for shape in shapes}),
    }
    return described | ({"bbox": list(map(float, shapely.total_bounds(shapes)))} if shapes else {})
