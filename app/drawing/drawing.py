"""Draws a frame of a snapshot, or says why not."""

from sqlalchemy import Connection

from app.drawing.edges import FrameRefusal, find_refusal
from app.drawing.frame import Frame
from app.drawing.picture import DrawnMap, draw_map
from app.drawing.reading import read_scene


def draw_frame(
    connection: Connection, schema: str, layer_schema_version: int, outline: str | None, frame: Frame
) -> DrawnMap | FrameRefusal:
    """The picture of a frame, with its record; or the refusal of a frame that the snapshot cannot fill.

    `outline` is the snapshot's, as hexadecimal WKB. Raises UsageError where mapnik or a font is not installed.
    """
    refusal = find_refusal(connection, schema, outline, frame)
    if refusal:
        return refusal
    return draw_map(read_scene(connection, schema, layer_schema_version, frame), frame)
