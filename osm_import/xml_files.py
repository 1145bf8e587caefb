"""Import stage: what an OSM XML file says that the map reader passes over. Reads the file, plain or packed.

That is: the date and the bounds in its head, objects that an editor has marked as deleted, and objects that an editor
has not uploaded yet, whose ids are negative. Bytes are searched, not parsed: the map reader checks the XML itself.
"""

import bz2
import gzip
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

import osmium

from osm_import.heads import Box, Head

CHUNK = 1 << 20
MOST_HEAD = 1 << 16
MOST_CARRIED = 1 << 20
"""Bytes: a tag longer than this is not looked into."""
SHORT_STREAM = 6000
"""Bytes at the end of a bz2 file; the map reader loses a last stream of less than 5,000."""

_STREAM = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")
"""How a stream of bz2 begins."""
_VALUE = rb"""(?:"[^"<]*"|'[^'<]*')"""
_OBJECT = re.compile(rb"<(node|way|relation)(\s(?:[^\"'<>]|" + _VALUE + rb")*)>")
_ATTRIBUTE = re.compile(rb"\s([\w:]+)\s*=\s*(" + _VALUE + rb")")
_FIRST_OBJECT = re.compile(rb"<(?:node|way|relation)[\s/>]")
_HEAD_TAG = re.compile(rb"<(osm|meta|bounds|bound)(\s(?:[^\"'<>]|" + _VALUE + rb")*)>")
_SIGNS = (b"action", b"id='-", b'id="-', b"id =", b"id= ")
"""Without any of these bytes, nothing is deleted or has a negative id."""


Source = osmium.io.FileBuffer | str
"""A map file in memory, or the name of one."""


class Marks(NamedTuple):
    """What an editor has left in a file."""

    deleted: int = 0
    """Objects that are marked as deleted."""
    not_uploaded: str | None = None
    """The first object with a negative id, such as `node -1`."""
    short_end: bool = False
    """Whether it is packed in several streams, of which the map reader would lose the last: it is too short."""


def is_xml(path: Path) -> bool:
    """Whether a map file is XML by its name."""
    return not path.name.endswith(".pbf")


def read_head(path: Path) -> Head:
    """The date and the bounds that stand before the first object; dates may be any."""
    with _unpacked(path) as file:
        text = file.read(MOST_HEAD)
    first = _FIRST_OBJECT.search(text)
    timestamp: datetime | None = None
    boxes: list[Box] = []
    for tag in _HEAD_TAG.finditer(text[: first.start()] if first else text):
        attributes = _attributes(tag[2])
        stamp = attributes.get("osm_base") or (attributes.get("timestamp") if tag[1] == b"osm" else None)
        timestamp = timestamp or _read_time(stamp)
        box = _read_box(attributes)
        boxes += [box] if box else []
    return Head(timestamp, tuple(boxes))


def find_marks(path: Path) -> Marks:
    """What is deleted and what is not uploaded."""
    deleted, not_uploaded = 0, None
    with _unpacked(path) as file:
        for text in _pieces(file):
            if not any(sign in text for sign in _SIGNS):
                continue
            for tag in _OBJECT.finditer(text):
                attributes = _attributes(tag[2])
                deleted += attributes.get("action") == "delete"
                if not_uploaded is None and attributes.get("id", "").strip().startswith("-"):
                    not_uploaded = f"{tag[1].decode()} {attributes['id'].strip()[:24]}"
    return Marks(deleted, not_uploaded, path.name.endswith(".bz2") and _has_short_end(path))


def map_source(path: Path, in_memory: bool) -> Source:
    """What the map reader is to read: the file, or its XML in memory, in which what an editor has marked as deleted is
    not visible, as a history has it."""
    if not in_memory:
        return str(path)
    with _unpacked(path) as file:
        text = b"".join(_OBJECT.sub(_hide_deleted, piece) for piece in _pieces(file))
    return osmium.io.FileBuffer(text, "osm")


def _has_short_end(path: Path) -> bool:
    """Whether another stream of a bz2 file may begin within its last bytes."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(1, size - SHORT_STREAM))
        return _STREAM.search(file.read()) is not None


def _hide_deleted(tag: re.Match[bytes]) -> bytes:
    if _attributes(tag[2]).get("action") != "delete":
        return tag[0]
    rest = _ATTRIBUTE.sub(lambda one: b"" if one[1] == b"visible" else one[0], tag[2])
    return b"<" + tag[1] + b' visible="false"' + rest + b">"


def _pieces(file: BinaryIO) -> Iterator[bytes]:
    """The file in pieces, none of which ends within a tag, unless that is endless."""
    carried = b""
    while chunk := file.read(CHUNK):
        text = carried + chunk
        last = text.rfind(b"<")
        cut = last if last >= 0 and len(text) - last <= MOST_CARRIED else len(text)
        yield text[:cut]
        carried = text[cut:]
    yield carried


def _unpacked(path: Path) -> BinaryIO:
    if path.name.endswith(".gz"):
        return cast(BinaryIO, gzip.open(path))
    if path.name.endswith(".bz2"):
        return cast(BinaryIO, bz2.open(path))
    return path.open("rb")


def _attributes(text: bytes) -> dict[str, str]:
    return {
        name.decode("utf-8", "replace"): value[1:-1].decode("utf-8", "replace")
        for name, value in _ATTRIBUTE.findall(text)
    }


def _read_time(text: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(text) if text else None
    except ValueError:
        return None


def _read_box(attributes: dict[str, str]) -> Box | None:
    """The box of `<bounds minlat …/>` or of `<bound box="south,west,north,east"/>`; None where there is none."""
    try:
        if "box" in attributes:
            south, west, north, east = map(float, attributes["box"].split(","))
        else:
            west, south, east, north = (
                float(attributes[name]) for name in ("minlon", "minlat", "maxlon", "maxlat")
            )
    except (KeyError, ValueError):
        return None
    return Box(west, south, east, north)
