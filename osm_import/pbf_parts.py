"""Import stage: parts of a sorted PBF as files of their own. Reads the file, writes nothing.

The map reader unpacks a whole file to get at its relations, and cannot pick ways by id without gigabytes. In a file
sorted by type both are some of the blobs, found by the first object of each; ways are copied as they stand, undecoded.
What is not understood here is a ValueError: the whole file does as well, only slower.
Format: https://wiki.openstreetmap.org/wiki/PBF_Format
"""

import struct
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import osmium

from osm_import.blobs import Frame, first_type, read_fields, read_frames, read_varint, unpack

GROUP = 2
"""The field of a block that holds objects."""
WAY = b"\x1a"
"""The key of a way in a group."""
ID, REFS = b"\x08", 8
TYPES = {1: 0, 2: 0, 3: 1, 4: 2}
"""Fields of a group: nodes, dense nodes, ways, relations; and their order in a sorted file."""
NO_STRINGS = b"\x0a\x02\x0a\x00"
"""A block's table that holds the empty string alone."""
MOST_BLOCK = 4 << 20
"""Bytes of ways in one block; readers must take 32 MiB."""


class SortedPbf:
    """A PBF that is sorted by type: nodes, then ways, then relations.

    Raises ValueError for another format and another order, and, as its methods do, for a file that is damaged or packed
    otherwise.
    """

    def __init__(self, path: Path) -> None:
        if not path.name.endswith(".pbf"):
            raise ValueError(f"{path.name} is no PBF")
        self._path = path
        with self._open() as file:
            first, *self._frames = read_frames(file)
            file.seek(0)
            self._header = file.read(first.end)
            # Headers that say that the file is sorted are not believed: some tools copy them.
            types = [_order_of(first_type(frame, file)) for frame in self._frames]
            if types != sorted(types):
                raise ValueError(f"{path.name} has blocks of nodes, ways and relations in another order")
            ways, self._after_ways = (bisect_left(types, kind) for kind in (1, 2))
        # The blob before may end with what the next one begins with.
        self._first_ways, self._first_relations = max(0, ways - 1), max(0, self._after_ways - 1)

    def relations(self) -> osmium.io.FileBuffer:
        """A file with all relations, and few other objects."""
        with self._open() as file:
            if self._first_relations < len(self._frames):
                file.seek(self._frames[self._first_relations].start)
                return _as_file(self._header + file.read())
        return _as_file(self._header)

    def ways(self, wanted: Iterable[int]) -> osmium.io.FileBuffer:
        """A file with the ways of these ids: their ids and nodes, no tags."""
        ids = {_varint(way_id) for way_id in wanted}
        blobs, waiting = [self._header], bytearray()
        with self._open() as file:
            for frame in self._frames[self._first_ways : self._after_ways]:
                for group in _groups(frame, file):
                    for way in _choose(group, ids):
                        waiting += WAY + _varint(len(way)) + way
                    if len(waiting) > MOST_BLOCK:
                        blobs.append(_blob(waiting))
                        waiting = bytearray()
        blobs.append(_blob(waiting))
        return _as_file(b"".join(blobs))

    @contextmanager
    def _open(self) -> Iterator[BinaryIO]:
        with self._path.open("rb") as file:
            try:
                yield file
            except (IndexError, struct.error, zlib.error) as error:
                raise ValueError(f"{self._path.name} is damaged: {error}") from error


def _as_file(data: bytes) -> osmium.io.FileBuffer:
    return osmium.io.FileBuffer(data, "pbf")


def _order_of(field: int) -> int:
    if field not in TYPES:
        raise ValueError(f"a block begins with field {field}, which holds no objects")
    return TYPES[field]


def _groups(frame: Frame, file: BinaryIO) -> Iterator[bytes]:
    """The groups of ways in a blob."""
    for number, group in read_fields(unpack(frame.read(file))):
        if number == GROUP and group[:1] == WAY:
            yield group


def _choose(group: bytes, ids: set[bytes]) -> Iterator[bytes]:
    """The ways of a group whose id, as it is written there, is wanted; without tags and metadata."""
    place, end, width = 0, len(group), 1
    while place < end:
        if group[place] != WAY[0]:
            raise ValueError("a group holds something beside its ways")
        size, begin = group[place + 1], place + 2
        if size > 127:
            # Nearly every length has one or two bytes; calling read_varint for each doubles the time.
            if group[begin] < 128:
                size, begin = size & 127 | group[begin] << 7, begin + 1
            else:
                size, begin = read_varint(group, place + 1)
        if group[begin] != ID[0]:
            raise ValueError("a way does not begin with its id")
        # Ids are sorted: each is as long as the one before, or longer by a byte once in a while.
        last = begin + width
        if group[last] > 127 or (width > 1 and group[last - 1] < 128):
            _, last = read_varint(group, begin + 1)
            width = last - begin - 1
            last -= 1
        place = begin + size
        if group[begin + 1 : last + 1] in ids:
            yield _bare(group[begin:place])


def _bare(way: bytes) -> bytes:
    """A way's id and nodes."""
    return b"".join(
        ID + _varint(int.from_bytes(value)) if number == 1 else b"\x42" + _varint(len(value)) + value
        for number, value in read_fields(way)
        if number in (1, REFS)
    )


def _blob(ways: bytes | bytearray) -> bytes:
    """A blob, with its frame, that holds one block with one group."""
    block = NO_STRINGS + b"\x12" + _varint(len(ways)) + ways
    message = b"\x0a" + _varint(len(block)) + block
    header = b"\x0a\x07OSMData\x18" + _varint(len(message))
    return struct.pack(">I", len(header)) + header + message


def _varint(number: int) -> bytes:
    """A number as the format writes it: seven bits a byte, least part first; a negative one in ten bytes."""
    number &= (1 << 64) - 1
    parts = bytearray()
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    parts.append(number)
    return bytes(parts)
