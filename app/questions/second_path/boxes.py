"""Second path: boxes in lon/lat in which to look up what lies near a point."""

from typing import Any

import numpy as np
import shapely


def boxes_around(lon: float, lat: float, reach: float) -> list[Any]:
    """Boxes in lon/lat that surely hold all within `reach` metres; two where they meet the antimeridian."""
    height = reach / 110000.0
    south, north = lat - height, lat + height
    if south <= -89.9 or north >= 89.9:
        return [shapely.box(-180, max(south, -90), 180, min(north, 90))]
    width = height / float(np.cos(np.radians(max(abs(south), abs(north)))))
    boxes = [shapely.box(lon - width, south, lon + width, north)]
    if lon - width < -180:
        boxes.append(shapely.box(lon - width + 360, south, 180, north))
    if lon + width > 180:
        boxes.append(shapely.box(-180, south, lon + width - 360, north))
    return boxes
