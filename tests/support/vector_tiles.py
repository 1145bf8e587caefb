"""Reads vector tiles (Mapbox Vector Tile 2.1, points alone) without any library, for tests that compare what is drawn."""

from collections.abc import Iterator
from math import asinh, atan, degrees, pi, radians, sinh, tan
from typing import Any, NamedTuple


class Point(NamedTuple):
    """A point of a tile, in degrees, with what it says of itself."""

    lon: float
    lat: float
    values: dict[str, Any]


def tile_at(z: int, lon: float, lat: float) -> tuple[int, int]:
    """Column and row of the tile of that level in which a place lies."""
    return int((lon + 180) / 360 * 2**z), int((1 - asinh(tan(radians(lat))) / pi) / 2 * 2**z)


def read_tile(data: bytes, z: int, x: int, y: int) -> dict[str, list[Point]]:
    """The points of each layer of the tile z/x/y."""
    return dict(_layer(layer, z, x, y) for number, layer in _fields(data) if number == 3)


def _layer(data: bytes, z: int, x: int, y: int) -> tuple[str, list[Point]]:
    parts = list(_fields(data))
    names = [content.decode() for number, content in parts if number == 3]
    values = [_value(content) for number, content in parts if number == 4]
    extent = next(content for number, content in parts if number == 5)
    (name,) = (content.decode() for number, content in parts if number == 1)
    points = []
    for _, feature in ((number, content) for number, content in parts if number == 2):
        told = dict(_fields(feature))
        tags = list(_varints(told[2]))
        _, east, south = _varints(told[4])
        lon = 360 * (x + _signed(east) / extent) / 2**z - 180
        lat = degrees(atan(sinh(pi * (1 - 2 * (y + _signed(south) / extent) / 2**z))))
        points.append(
            Point(lon, lat, {names[key]: values[value] for key, value in zip(tags[::2], tags[1::2])})
        )
    return name, points


def _fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a protobuf message: number and content, bytes or a whole number."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        assert tag & 7 in (0, 2)
        value, at = _varint(data, at)
        if tag & 7 == 2:
            yield tag >> 3, data[at : at + value]
            at += value
        else:
            yield tag >> 3, value


def _value(data: bytes) -> str | int:
    ((number, content),) = _fields(data)
    return content.decode() if number == 1 else content  # type: ignore[no-any-return]


def _varints(data: bytes) -> Iterator[int]:
    at = 0
    while at < len(data):
        value, at = _varint(data, at)
        yield value


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def _signed(value: int) -> int:
    return (value >> 1) ^ -(value & 1)
