"""From a file or a body to its bytes, a chunk at a time: bounded, and unpacked where it is gzip.

Invariant: never more than a few chunks are in memory, however much a packed file claims to hold.
"""

import zlib
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from app.predictions.submissions.faults import Unreadable

MOST_BYTES = 200_000_000
CHUNK = 1 << 18
MOST_RATIO = 100
RATIO_FROM = 1 << 20
"""Unpacked bytes from which on the ratio counts: short files of equal answers pack well."""
_GZIP = b"\x1f\x8b"
TOO_LARGE = f"it is larger than {MOST_BYTES:,} bytes: send fewer repeats, or shorter answers"
BOMB = (
    f"it unpacks to more than {MOST_RATIO} times its size, as no answers do: send it as it is, without gzip"
)


def chunks_of(stream: BinaryIO) -> Iterator[bytes]:
    """The bytes of `stream`, unpacked where they are gzip. Raises Unreadable beyond 200 MB, and for a broken gzip."""
    raw = iter(lambda: stream.read(CHUNK), b"")
    first = next(raw, b"")
    everything = _chain(first, raw)
    return bounded(_unpacked(everything) if first.startswith(_GZIP) else everything)


def bounded(chunks: Iterable[bytes], most: int = MOST_BYTES) -> Iterator[bytes]:
    """`chunks`, as long as they are not too many. Raises Unreadable."""
    total = 0
    for chunk in chunks:
        total += len(chunk)
        if total > most:
            raise Unreadable(TOO_LARGE)
        yield chunk


def check_ratio(packed: int, unpacked: int) -> None:
    """Raise Unreadable where so few bytes cannot honestly hold so many."""
    if unpacked > RATIO_FROM and unpacked > MOST_RATIO * max(1, packed):
        raise Unreadable(BOMB)


def _chain(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    if first:
        yield first
    yield from rest


def _unpacked(chunks: Iterable[bytes]) -> Iterator[bytes]:
    packed = unpacked = 0
    unpacker = zlib.decompressobj(wbits=31)
    try:
        for chunk in chunks:
            packed += len(chunk)
            waiting = chunk
            while waiting:
                if unpacker.eof:  # gzip files may stand one after the other
                    unpacker = zlib.decompressobj(wbits=31)
                piece = unpacker.decompress(waiting, CHUNK)
                waiting = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
                unpacked += len(piece)
                check_ratio(packed, unpacked)
                if piece:
                    yield piece
    except zlib.error as error:
        raise Unreadable("it begins like gzip and is none, or is damaged: pack it again") from error
    if not unpacker.eof:
        raise Unreadable("its gzip ends too early: send the whole file")
