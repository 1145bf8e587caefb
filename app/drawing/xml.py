"""The XML that mapnik reads: styles and fontsets. It holds no text of a map: names reach mapnik as attributes alone."""

from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from app.drawing.fonts import Fonts
from app.drawing.style import (
    BUILDING,
    BUILDING_EDGE,
    GROUND,
    LAND,
    MARINA,
    PARK,
    ROADS,
    STREAM_WIDTH,
    TEXTS,
    WATER,
    WATER_LINE_WIDTH,
    TextStyle,
    width_at,
)

PIXELS = "epsg:3857"
"""Layers and map name the same plane, so that mapnik takes coordinates as they are: pixels, with y up."""
TUNNEL = ' stroke-dasharray="5,3"'
STREAM = "stream"


def ground_xml(zoom: int) -> str:
    """The map of areas, waters and roads at a zoom."""
    return "".join(
        [f'<Map srs="{PIXELS}" background-color="{LAND}">', *_area_styles(), *_line_styles(zoom), "</Map>"]
    )


def stamp_xml(fonts: Fonts) -> str:
    """The map of labels: a style for each kind of label in each fontset. It has no background."""
    sets = fonts.fontsets()
    parts = [f'<Map srs="{PIXELS}">']
    for name, faces in sets.items():
        inner = "".join(f"<Font face-name={quoteattr(face)}/>" for face in faces)
        parts.append(f"<FontSet name={quoteattr(name)}>{inner}</FontSet>")
    for kind, text in TEXTS.items():
        parts += [
            _text_style(f"{kind}/{one.script}", f"{one.script}{text.variant}", text) for one in fonts.han
        ]
    return "".join([*parts, "</Map>"])


def symbol_style_xml(name: str, file: str) -> str:
    """A map with one style, which draws a symbol at each point."""
    marker = f"<MarkersSymbolizer file={quoteattr(file)} allow-overlap='true' ignore-placement='true'/>"
    return f'<Map srs="{PIXELS}">{_style(name, marker)}</Map>'


def _style(name: str, *symbolizers: str) -> str:
    return f"<Style name={quoteattr(name)}><Rule>{''.join(symbolizers)}</Rule></Style>"


def _fill(colour: str) -> str:
    # gamma below 1 closes the fine gaps between areas that share an edge
    return f'<PolygonSymbolizer fill="{colour}" gamma="0.75"/>'


def _stroke(colour: str, width: float, more: str = "") -> str:
    return f'<LineSymbolizer stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"{more}/>'


def _area_styles() -> Iterator[str]:
    for klass, colour in GROUND.items():
        yield _style(f"ground-{klass}", _fill(colour))
    yield _style("park", _fill(PARK))
    yield _style("water", _fill(WATER))
    yield _style("marina", _fill(MARINA))
    yield _style("building", _fill(BUILDING), _stroke(BUILDING_EDGE, 0.6))


def _line_styles(zoom: int) -> Iterator[str]:
    cap = ' stroke-linecap="round"'
    for klass in (*WATER_LINE_WIDTH, STREAM):
        width = width_at(WATER_LINE_WIDTH.get(klass, STREAM_WIDTH), zoom)
        yield _style(f"water-{klass}", _stroke(WATER, width, cap))
    for klass, road in ROADS.items():
        width = width_at(road.width, zoom)
        dashes = ' stroke-dasharray="4,2.5"' if klass in ("path", "track") else cap
        edge = 1.2 if zoom >= 15 else 0.8
        yield _style(f"fill-{klass}", _stroke(road.fill, width, dashes))
        if road.casing:
            yield _style(f"casing-{klass}", _stroke(road.casing, round(width + 2 * edge, 2), cap))
            yield _style(f"tunnel-{klass}", _stroke(road.casing, round(width + 2 * edge, 2), TUNNEL))


def _text_style(name: str, fontset: str, text: TextStyle) -> str:
    placed = (
        'placement="line" max-char-angle-delta="28" upright="auto" smooth="0.3"'
        if text.along
        else f'placement="point" wrap-width="{text.wrap}" horizontal-alignment="middle" vertical-alignment="middle"'
    )
    return _style(
        name,
        f'<TextSymbolizer fontset-name={quoteattr(fontset)} size="{text.size}" fill="{text.fill}" '
        f'halo-fill="{text.halo}" halo-radius="{text.halo_radius}" allow-overlap="true" {placed}>'
        "[text]</TextSymbolizer>",
    )
