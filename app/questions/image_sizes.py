"""Reads of a picture's bytes what it is: PNG or JPEG, and how many pixels wide and high. Pure."""

from typing import NamedTuple

from app.core.errors import UsageError

_PNG = b"\x89PNG\r\n\x1a\n"
_START_OF_FRAME = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
"""Markers of JPEG segments that hold the size; the three left out hold tables."""


class Image(NamedTuple):
    """A picture's media type, and its size in pixels."""

    media_type: str
    width: int
    height: int


def read_image(content: bytes) -> Image:
    """What the bytes are. Raises UsageError where they are no PNG or JPEG picture."""
    found = _read_png(content) or _read_jpeg(content)
    if found is None or not (found.width and found.height):
        raise UsageError("A picture must be a PNG or JPEG file.")
    return found


def _read_png(content: bytes) -> Image | None:
    if not content.startswith(_PNG) or content[12:16] != b"IHDR" or len(content) < 24:
        return None
    return Image("image/png", int.from_bytes(content[16:20]), int.from_bytes(content[20:24]))


def _read_jpeg(content: bytes) -> Image | None:
    """Walks the segments up to the first that starts a frame."""
    if not content.startswith(b"\xff\xd8\xff"):
        return None
    at = 2
    while at + 9 <= len(content) and content[at] == 0xFF:
        marker = content[at + 1]
        if marker == 0xFF:  # a byte that fills up
            at += 1
            continue
        if marker in _START_OF_FRAME:
            height, width = (int.from_bytes(content[at + k : at + k + 2]) for k in (5, 7))
            return Image("image/jpeg", width, height)
        at += 2 + int.from_bytes(content[at + 2 : at + 4])
    return None
