"""Second path: where a place is in words: its own tags where they name a house or a street, else the nearest address's.

Distances are WGS84 geodesic metres between points.
"""

from collections.abc import Mapping
from typing import Any

import shapely

from app.questions.second_path.boxes import boxes_around
from app.questions.second_path.geodesy import measure
from app.questions.second_path.layers import Layer, Layers
from app.questions.second_path.reading import Row

_PARTS: Mapping[str, tuple[str, ...]] = {
    "housenumber": ("addr:housenumber",),
    "street": ("addr:street", "addr:place"),
    "suburb": ("addr:suburb",),
    "city": ("addr:city",),
    "postcode": ("addr:postcode",),
    "state": ("addr:state", "addr:province"),
    "country": ("addr:country",),
}
"""The parts of an address, and the tags that say each: the first that says anything."""


def address_of(layers: Layers, position: int) -> dict[str, Any] | None:
    """The address of the POI at that position as gold holds it; None on a map without addresses.

    {source: own or near, and the parts that are known}; of the nearest one its osm_key too, and how many metres off.
    """
    if position not in layers.addresses:
        layers.addresses[position] = _find(layers, position)
    return layers.addresses[position]


def _find(layers: Layers, position: int) -> dict[str, Any] | None:
    poi, address = layers["poi"], layers["address"]
    own = parts_of(poi.rows[position].tags)
    if "housenumber" in own or "street" in own:
        return {"source": "own", **own}
    near = nearest_row(address, *poi.coordinates[position].tolist())
    if near is None:
        return None
    metres, row = near
    return {"source": "near", "osm_key": row.osm_key, "metres": metres, **parts_of(row.tags)}


def nearest_row(layer: Layer, lon: float, lat: float) -> tuple[float, Row] | None:
    """The nearest row of a layer of points and its distance, the first by osm_key of several; None of an empty layer.

    The nearest in degrees is near: how far it is in metres bounds where the nearest can be.
    """
    if not len(layer):
        return None
    guess = int(layer.tree.nearest(shapely.Point(lon, lat)))
    reach, _ = measure(lon, lat, *layer.coordinates[[guess]].T)
    boxes = boxes_around(lon, lat, float(reach[0]) + 1.0)
    near = sorted({int(one) for box in boxes for one in layer.tree.query(box)})
    metres, _ = measure(lon, lat, *layer.coordinates[near].T)
    shortest, first = min(zip(metres.tolist(), near, strict=True))
    return shortest, layer.rows[first]


def parts_of(tags: Mapping[str, str]) -> dict[str, str]:
    """The parts of an address that tags name."""
    said = {part: [tags[key] for key in keys if tags.get(key)] for part, keys in _PARTS.items()}
    return {part: values[0] for part, values in said.items() if values}
