"""Import stage: well-known binary as text. Pure; coordinates are lon, lat in degrees (EPSG:4326).

Little-endian, two-dimensional, in lower-case hexadecimal: what COPY reads needs no second form.
"""

import struct

POINT = "0101000000"
LINE = "0102000000"
POLYGON = "0103000000"
MULTI_POLYGON = "0106000000"
_WITH_SRID = {
    kind: f"{kind[:8]}20e6100000"
    for kind in (POINT, LINE, POLYGON, "0104000000", MULTI_POLYGON, "0107000000")
}


def point_wkb(lon: float, lat: float) -> str:
    """The WKB of one point."""
    return POINT + struct.pack("<dd", lon, lat).hex()


def count_hex(count: int) -> str:
    """A count as WKB writes it."""
    return count.to_bytes(4, "little").hex()


def ewkb_hex(wkb: str) -> str:
    """The same geometry as PostGIS's COPY reads it: SRID 4326 added."""
    return _WITH_SRID[wkb[:10]] + wkb[10:]
