"""Draws a frame of a snapshot, or says why not."""

from sqlalchemy import Connection

from app.drawing.edges import FrameRefusal, find_refusal, find_sea
from app.drawing.frame import Frame
from app.drawing.picture import DrawnMap, draw_map
from app.drawing.reading import read_scene

OLDEST_LAYERS = 7
"""The layer schema from which on a snapshot has all tables that a picture is drawn from."""


def draw_frame(
    connection: Connection, schema: str, layer_schema_version: int, outline: str | None, frame: Frame
) -> DrawnMap | FrameRefusal:
    """The picture of a frame, with its record; or the refusal of a frame that the snapshot cannot fill.

    `outline` is the snapshot's, as hexadecimal WKB. Reasons are those of `find_refusal`, and `old_map`: the snapshot
    was imported before it had all layers. Raises UsageError where mapnik or a font is not installed.
    """
    if layer_schema_version < OLDEST_LAYERS:
        return FrameRefusal(
            "old_map",
            f"This map has layer schema {layer_schema_version}, and drawing needs {OLDEST_LAYERS} or later: import its "
            "extract again with `trigpoint import`.",
        )
    refusal = find_refusal(connection, schema, outline, frame)
    if refusal:
        return refusal
    scene = read_scene(connection, schema, frame)
    return find_sea(connection, schema, scene, frame) or draw_map(scene, frame)
