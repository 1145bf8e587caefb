"""Draws a scene: the picture as PNG, and its record."""

import struct
import zlib
from dataclasses import dataclass
from typing import Any

from app.drawing.candidates import Candidates, find_candidates
from app.drawing.frame import Frame
from app.drawing.furniture import put_furniture
from app.drawing.ground import draw_ground
from app.drawing.placing import Placing
from app.drawing.record import DrawnRoad, Record
from app.drawing.scene import Scene
from app.drawing.sheet import PictureSheet
from app.drawing.stamps import Press

MEDIA_TYPE = "image/png"


@dataclass(frozen=True)
class DrawnMap:
    """A picture and what it shows."""

    png: bytes
    record: Record


def draw_map(scene: Scene, frame: Frame) -> DrawnMap:
    """Draw a scene. Equal scenes, frames and engine versions give equal bytes, in whatever order the scene is.

    Raises UsageError where mapnik or a font is not installed.
    """
    candidates = find_candidates(scene, frame)
    sheet = PictureSheet(frame, draw_ground(scene, frame))
    press = Press()
    bar, licence = put_furniture(sheet, press)
    placing = Placing(sheet, press)
    placing.place(candidates.ordered)
    record = Record(
        frame=frame.as_json(),
        symbols=placing.symbols,
        labels=placing.labels,
        roads=_roads(candidates, placing),
        left_out=[*candidates.left_out, *placing.left_out],
        scale_bar=bar,
        licence=licence,
    )
    return DrawnMap(encode_png(sheet.pixels), record)


def _roads(candidates: Candidates, placing: Placing) -> list[DrawnRoad]:
    labelled = {one.name for one in placing.labels if one.kind == "road"}
    return [
        DrawnRoad(one.name, one.osm_keys, one.classes, one.lines, one.name in labelled)
        for one in candidates.roads
        if one.name
    ]


def encode_png(pixels: Any) -> bytes:
    """PNG (ISO/IEC 15948) of height x width x RGB (uint8): no text, no time, so that equal pixels give equal bytes."""
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(kind: bytes, content: bytes) -> bytes:
        check = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", header),
            chunk(b"IDAT", zlib.compress(rows, 6)),
            chunk(b"IEND", b""),
        )
    )
