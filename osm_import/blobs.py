"""Import stage: the blobs of a PBF, and a look into their strings before the map reader meets them. Reads the file.

The map reader keeps texts as C strings: one that holds a NUL shifts every tag behind it, and may end the process.
Blobs that are not packed at all or by zlib are read; lz4, which no public extract uses, is not looked into.
Format: https://wiki.openstreetmap.org/wiki/PBF_Format
"""

import struct
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple

from osm_import.heads import Box, Head

BOX, STAMP = 1, 32
"""Fields of the header."""
NANO = 1e-9
"""Degrees that a box's numbers count."""
MOST_HEADER = 64 << 10
MOST_DATA = 32 << 20
"""Bytes; the format's own limits."""
START = 1 << 10
"""Bytes unpacked to learn how long a table is."""
TABLE = b"\x0a"
"""The key of a block's first field, and of each string in it."""
GROUP_KEY = 2 << 3 | 2
"""The key of a group of objects in a block."""
GROUP_START = 16
"""Bytes behind the table that tell what a group holds."""
FIXED_WIDTHS = {1: 8, 5: 4}


def find_nul(path: Path) -> str | None:
    """The first text of a PBF that holds a NUL character; None where there is none, or where the file is damaged."""
    with path.open("rb") as file:
        try:
            return next((text.decode("utf-8", "replace") for text in _texts_with_nul(file)), None)
        except (ValueError, IndexError, struct.error, zlib.error):
            return None  # the map reader says what is wrong


def read_header(path: Path) -> Head:
    """The date and the box in a PBF's header as they are told; the map reader cuts the one and turns the other."""
    with path.open("rb") as file:
        try:
            fields = dict(read_fields(unpack(next(read_frames(file)).read(file))))
            sides = dict(read_fields(fields.get(BOX, b"")))
            box = [_unzigzag(int.from_bytes(sides[side])) * NANO for side in (1, 3, 2, 4)] if sides else []
        except (ValueError, IndexError, KeyError, StopIteration, struct.error, zlib.error):
            return Head()
    stamp = _moment(fields[STAMP]) if STAMP in fields else None
    if not box:
        return Head(stamp)
    west, north, east, south = box
    return Head(stamp, (Box(west, south, east, north),))


def _moment(seconds: bytes) -> datetime:
    """Seconds since 1970; the last moment there is for what no calendar has."""
    try:
        return datetime.fromtimestamp(int.from_bytes(seconds, signed=True), UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.max.replace(tzinfo=UTC)


def _unzigzag(number: int) -> int:
    """A signed number out of 0, 1, 2, 3 … for 0, -1, 1, -2 …"""
    return number >> 1 ^ -(number & 1)


def _texts_with_nul(file: BinaryIO) -> Iterator[bytes]:
    for table in _string_tables(file):
        # The empty string that tables begin with is one NUL: its length. Any other deserves a look.
        if table.count(0) > table.startswith(TABLE + b"\0"):
            yield from (text for _, text in read_fields(table) if b"\0" in text)


def _string_tables(file: BinaryIO) -> Iterator[bytes]:
    for blob in _data_blobs(file):
        fields = dict(read_fields(blob))
        if 1 in fields:
            yield _table_of(fields[1])
        elif 3 in fields:
            yield _unpack_table(fields[3])


def _data_blobs(file: BinaryIO) -> Iterator[bytes]:
    """The blobs that hold objects, as messages."""
    for frame in read_frames(file):
        if frame.kind == b"OSMData":
            yield frame.read(file)


class Frame(NamedTuple):
    """Where a blob lies in the file: its frame from `start` on, its message from `begin` to `end`."""

    kind: bytes
    start: int
    begin: int
    end: int

    def read(self, file: BinaryIO) -> bytes:
        """The blob's message."""
        file.seek(self.begin)
        return file.read(self.end - self.begin)


def read_frames(file: BinaryIO) -> Iterator[Frame]:
    """Every blob of a file from its beginning on; the messages themselves are not read."""
    start = 0
    while True:
        file.seek(start)
        length = file.read(4)
        if not length:
            return
        (size,) = struct.unpack(">I", length)
        kind, data_size = b"", 0
        for number, value in read_fields(file.read(_checked(size, MOST_HEADER))):
            if number == 1:
                kind = value
            elif number == 3:
                data_size = int.from_bytes(value)
        begin = start + 4 + size
        end = begin + _checked(data_size, MOST_DATA)
        yield Frame(kind, start, begin, end)
        start = end


def unpack(blob: bytes) -> bytes:
    """What a blob holds. Raises ValueError where it is packed by other means than zlib."""
    fields = dict(read_fields(blob))
    if 1 in fields:
        return fields[1]
    if 3 not in fields:
        raise ValueError("the blob is neither plain nor packed by zlib")
    return zlib.decompress(fields[3])


def _unpack_table(packed: bytes) -> bytes:
    """The table of strings where it is the block's first field; the objects behind it stay packed."""
    unpacker = zlib.decompressobj()
    data = unpacker.decompress(packed, START)
    if data[:1] != TABLE:
        return _table_of(data + unpacker.decompress(unpacker.unconsumed_tail, MOST_DATA))
    size, begin = read_varint(data, 1)
    end = begin + _checked(size, MOST_DATA)
    while len(data) < end and not unpacker.eof:
        more = unpacker.decompress(unpacker.unconsumed_tail, end - len(data))
        if not more:
            break
        data += more
    return data[begin:end]


def first_type(frame: Frame, file: BinaryIO) -> int:
    """The field of the first group of objects in a blob: 1 or 2 nodes, 3 ways, 4 relations.

    Little more than the table of strings is unpacked. Raises ValueError where there is no group.
    """
    fields = dict(read_fields(frame.read(file)))
    if 3 in fields:
        unpacker = zlib.decompressobj()
        block = unpacker.decompress(fields[3], START)
        if block[:1] == TABLE:
            size, begin = read_varint(block, 1)
            more = begin + _checked(size, MOST_DATA) + GROUP_START - len(block)
            block += unpacker.decompress(unpacker.unconsumed_tail, more) if more > 0 else b""
            key, place = read_varint(block, begin + size)
            if key == GROUP_KEY:
                _, place = read_varint(block, place)
                return block[place] >> 3
        block += unpacker.decompress(unpacker.unconsumed_tail, MOST_DATA)
    elif 1 in fields:
        block = fields[1]
    else:
        raise ValueError("the blob is neither plain nor packed by zlib")
    group = next((group for number, group in read_fields(block) if number == GROUP_KEY >> 3 and group), b"\0")
    return group[0] >> 3


def _table_of(block: bytes) -> bytes:
    return dict(read_fields(block)).get(1, b"")


def read_fields(data: bytes) -> Iterator[tuple[int, bytes]]:
    """(number, content) of each field; a varint's content is its number, big-endian in eight bytes."""
    place = 0
    while place < len(data):
        key, place = read_varint(data, place)
        kind = key & 7
        if kind == 0:
            value, place = read_varint(data, place)
            yield key >> 3, (value & (1 << 64) - 1).to_bytes(8)
            continue
        size, place = read_varint(data, place) if kind == 2 else (FIXED_WIDTHS.get(kind, -1), place)
        if size < 0:
            raise ValueError
        yield key >> 3, data[place : place + size]
        place += size


def read_varint(data: bytes, place: int) -> tuple[int, int]:
    """A number in base 128, least part first, and the place behind it."""
    number = 0
    for shift in range(0, 70, 7):
        byte = data[place]
        number |= (byte & 0x7F) << shift
        place += 1
        if byte < 0x80:
            return number, place
    raise ValueError


def _checked(size: int, most: int) -> int:
    if size > most:
        raise ValueError
    return size
