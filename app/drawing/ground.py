"""The picture below labels and symbols: areas, waters and roads, drawn by mapnik in an order of ours."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import shapely

from app.drawing.engine import load_mapnik
from app.drawing.frame import Frame
from app.drawing.scene import AREA_KINDS, Area, Line, Scene
from app.drawing.stamps import render
from app.drawing.style import GROUND, PATHS, ROADS, WATER_LINE_WIDTH, road_style_of
from app.drawing.xml import STREAM, ground_xml

Layer = tuple[str, list[Any]]
"""A style of xml.py, and shapes in pixels."""


def to_pixels(geometry: Any, frame: Frame) -> Any:
    """A shapely geometry in degrees, in pixels of the picture, y down."""
    return shapely.transform(geometry, frame.pixels)


def draw_ground(scene: Scene, frame: Frame) -> Any:
    """An array of height x width x RGB (uint8) that can be written to."""
    mapnik = load_mapnik()
    map_ = mapnik.Map(frame.width, frame.height)
    mapnik.load_map_from_string(map_, ground_xml(frame.zoom))
    context = mapnik.Context()
    layers = []
    for style, shapes in [*_area_layers(scene.areas, frame), *_line_layers(scene.lines, frame)]:
        features = []
        for number, shape in enumerate(shapes, start=1):
            feature = mapnik.Feature(context, number)
            feature.geometry = mapnik.Geometry.from_wkb(shapely.to_wkb(_upwards(shape)))
            features.append(feature)
        layers.append((style, features))
    pixels = render(mapnik, map_, layers, (frame.width, frame.height))
    return np.ascontiguousarray(pixels[:, :, :3])


def _upwards(shape: Any) -> Any:
    return shapely.transform(shape, lambda places: places * (1, -1))


def _area_layers(areas: Sequence[Area], frame: Frame) -> list[Layer]:
    """Kind by kind; within a kind the larger below, so that what lies in another area is seen."""
    layers: list[Layer] = []
    order = {kind: number for number, kind in enumerate(AREA_KINDS)}
    for one in sorted(areas, key=lambda area: (order[area.kind], -area.size, area.osm_key)):
        style = (
            f"ground-{one.klass}" if one.kind == "ground" else "marina" if one.klass == "marina" else one.kind
        )
        if one.kind == "ground" and one.klass not in GROUND:
            continue
        _append(layers, style, to_pixels(one.geometry, frame))
    return layers


def _line_layers(lines: Sequence[Line], frame: Frame) -> list[Layer]:
    """Waters, then roads by level: in each level first the edges of all roads; minor roads below major ones."""
    layers: list[Layer] = []
    known = [one for one in lines if one.kind == "road"]
    for one in sorted(_waters(lines), key=lambda line: line.osm_key):
        style = one.klass if one.klass in WATER_LINE_WIDTH else STREAM
        _append(layers, f"water-{style}", to_pixels(one.geometry, frame))
    classes = list(reversed(ROADS))
    roads = [
        (0 if one.tunnel and one.level >= 0 else one.level, classes.index(road_style_of(one.klass)), one)
        for one in known
        if is_shown(one, frame.zoom)
    ]
    for level in sorted({level for level, _, _ in roads}):
        here = sorted((one for one in roads if one[0] == level), key=lambda one: (one[1], one[2].osm_key))
        for part in ("casing", "fill"):
            for _, number, road in here:
                klass = classes[number]
                if part == "casing" and not ROADS[klass].casing:
                    continue
                name = "tunnel" if part == "casing" and road.tunnel else part
                _append(layers, f"{name}-{klass}", to_pixels(road.geometry, frame))
    return layers


def is_shown(road: Line, zoom: int) -> bool:
    """Whether a zoom shows a road of its class; paths under the ground never are."""
    if road.tunnel and road.klass in PATHS:
        return False
    return zoom >= ROADS[road_style_of(road.klass)].first_zoom


def _waters(lines: Iterable[Line]) -> list[Line]:
    return [one for one in lines if one.kind == "water" and not one.tunnel]


def _append(layers: list[Layer], style: str, shape: Any) -> None:
    """Add a shape to the topmost layer if that has the style, else to a new one above it."""
    if shape.is_empty or not shape.is_valid:
        shape = shapely.make_valid(shape) if not shape.is_empty else shape
    if shape.is_empty:
        return
    if not layers or layers[-1][0] != style:
        layers.append((style, []))
    layers[-1][1].append(shape)
