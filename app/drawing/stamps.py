"""Labels and symbols, each drawn by mapnik on a sheet of its own. What lies on the sheet is what the picture gets.

So the record of a label is true to the pixel: its box is that of its ink, and a label that is not placed is never
drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from app.drawing.engine import load_mapnik
from app.drawing.fonts import load_fonts
from app.drawing.frame import Box
from app.drawing.xml import PIXELS, stamp_xml, symbol_style_xml

ICONS = Path(__file__).parent / "icons"
SHEET = (280, 160)
"""Pixels of a sheet for a label at a point; what does not fit is not drawn."""
MARGIN = 24
"""Pixels around a line whose label is drawn."""
ICON_SHEET = 32


@dataclass(frozen=True)
class Stamp:
    """Ink: `pixels` of height x width x RGBA (uint8, colours not multiplied by alpha), and where its first one lies.

    `left` and `top` are in pixels from the anchor; for what follows a line, from the picture's corner.
    """

    pixels: Any
    left: int
    top: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.pixels.shape[1], self.pixels.shape[0]

    def box_at(self, x: int, y: int) -> tuple[int, int, int, int]:
        """The box of its ink with the anchor at a pixel."""
        width, height = self.size
        return x + self.left, y + self.top, x + self.left + width, y + self.top + height


class Press:
    """Makes stamps for one picture, each label once."""

    def __init__(self) -> None:
        self._mapnik = load_mapnik()
        self._fonts = load_fonts()
        self._map = self._mapnik.Map(*SHEET)
        self._mapnik.load_map_from_string(self._map, stamp_xml(self._fonts))
        self._context = self._mapnik.Context()
        self._context.push("text")
        self._made: dict[tuple[str, str], Stamp | None] = {}

    def label(self, style: str, text: str) -> Stamp | None:
        """A label around its anchor; None where it leaves no ink, or is larger than its sheet."""
        if (style, text) not in self._made:
            width, height = SHEET
            middle = self._mapnik.Geometry.from_wkt(f"POINT({width // 2} {-(height // 2)})")
            pixels = self._render(self._style_of(style, text), text, middle, SHEET)
            self._made[style, text] = crop(pixels, -(width // 2), -(height // 2))
        return self._made[style, text]

    def along(self, style: str, text: str, line: Sequence[tuple[float, float]]) -> Stamp | None:
        """A label along a line of pixels, in the middle of it; None where mapnik finds it too short or too crooked."""
        xs, ys = zip(*line, strict=True)
        left, top = int(min(xs)) - MARGIN, int(min(ys)) - MARGIN
        size = int(max(xs)) - left + MARGIN, int(max(ys)) - top + MARGIN
        points = ",".join(f"{x - left:.2f} {top - y:.2f}" for x, y in line)
        geometry = self._mapnik.Geometry.from_wkt(f"LINESTRING({points})")
        return crop(self._render(self._style_of(style, text), text, geometry, size), left, top)

    def _style_of(self, style: str, text: str) -> str:
        return f"{style}/{self._fonts.fontset_of(text)}"

    def _render(self, style: str, text: str, geometry: Any, size: tuple[int, int]) -> Any:
        feature = self._mapnik.Feature(self._context, 1)
        feature.geometry = geometry
        feature["text"] = text
        return render(self._mapnik, self._map, [(style, [feature])], size)


@cache
def symbol_stamp(name: str) -> Stamp:
    """A symbol around its anchor."""
    mapnik = load_mapnik()
    map_ = mapnik.Map(ICON_SHEET, ICON_SHEET)
    mapnik.load_map_from_string(map_, symbol_style_xml(name, str(ICONS / f"{name}.svg")))
    feature = mapnik.Feature(mapnik.Context(), 1)
    half = ICON_SHEET // 2
    feature.geometry = mapnik.Geometry.from_wkt(f"POINT({half} {-half})")
    stamp = crop(render(mapnik, map_, [(name, [feature])], (ICON_SHEET, ICON_SHEET)), -half, -half)
    assert stamp, f"{name}.svg leaves no ink, or too much"
    return stamp


def render(mapnik: Any, map_: Any, layers: Sequence[tuple[str, Sequence[Any]]], size: tuple[int, int]) -> Any:
    """An array of height x width x RGBA (uint8) of layers, each a style and its features; the map is left as it was."""
    width, height = size
    map_.resize(width, height)
    map_.zoom_to_box(mapnik.Box2d(0, -height, width, 0))
    for style, features in layers:
        source = mapnik.MemoryDatasource()
        for feature in features:
            source.add_feature(feature)
        layer = mapnik.Layer(style, PIXELS)
        layer.datasource = source
        layer.styles.append(style)
        map_.layers.append(layer)
    image = mapnik.Image(width, height)
    mapnik.render(map_, image)
    for _ in layers:
        del map_.layers[0]
    return np.frombuffer(image.to_string(), dtype=np.uint8).reshape(height, width, 4)


def crop(pixels: Any, left: int, top: int) -> Stamp | None:
    """The part of a sheet that has ink; None where there is none, or it touches the sheet's edge: some may be lost."""
    ink = pixels[:, :, 3] > 0
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not len(rows):
        return None
    first, last, west, east = int(rows[0]), int(rows[-1]), int(columns[0]), int(columns[-1])
    if first == 0 or west == 0 or last == ink.shape[0] - 1 or east == ink.shape[1] - 1:
        return None
    return Stamp(pixels[first : last + 1, west : east + 1], left + west, top + first)


def paste(picture: Any, stamp: Stamp, x: int, y: int) -> Box:
    """Put a stamp on a picture (height x width x RGB, uint8), which must hold it; gives the box of its ink."""
    left, top, right, bottom = box = stamp.box_at(x, y)
    under = picture[top:bottom, left:right].astype(np.uint16)
    alpha = stamp.pixels[:, :, 3:4].astype(np.uint16)
    over = stamp.pixels[:, :, :3].astype(np.uint16)
    picture[top:bottom, left:right] = ((over * alpha + under * (255 - alpha) + 127) // 255).astype(np.uint8)
    return box
