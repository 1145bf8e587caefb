"""Second path: where a place is in words: its own tags where they name a house or a street, else the nearest address's.

Distances are WGS84 geodesic metres between points.
"""

from collections.abc import Mapping
from typing import Any

from app.questions.second_path.layers import Layers

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
_KINDS = frozenset({"node", "building", "area"})
"""The classes of the layer of addresses."""


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
    lon, lat = poi.coordinates[position].tolist()
    near = address.points_of(_KINDS).nearest(lon, lat)
    if not near:
        return None
    row = address.rows[near[0].position]
    return {"source": "near", "osm_key": row.osm_key, "metres": near[0].distance, **parts_of(row.tags)}


def parts_of(tags: Mapping[str, str]) -> dict[str, str]:
    """The parts of an address that tags name."""
    said = {part: [tags[key] for key in keys if tags.get(key)] for part, keys in _PARTS.items()}
    return {part: values[0] for part, values in said.items() if values}
