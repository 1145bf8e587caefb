"""Bodies of answers while they are taken: one at a time of a key, and so many bytes of all on disk.

The first megabyte of each is kept in memory, so that a usual submission is taken even while the disk is full.
Every server keeps its own count: it is its own temporary folder that could fill.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile, gettempdir
from typing import BinaryIO, cast

from starlette.exceptions import HTTPException

from app.core.errors import TooMany

IN_MEMORY = 1_000_000
STEP = 4_000_000
"""So many bytes are reserved of the disk at a time."""
KEPT_FREE = 64_000_000
"""Bytes of the temporary folder's disk that uploads leave to others."""
RETRY_AFTER = 30
FULL = "So many answers are being submitted at the moment that there is no room for more; try again in {} s."


class Uploads:
    """What one server is taking. Only its event loop counts here, so that no lock is needed."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.on_disk = 0
        self._keys: set[int] = set()

    @contextmanager
    def begin(self, key_id: int) -> Iterator["Upload"]:
        """An upload of this key, until it was checked and stored. Raises TooMany for a second one of the same key."""
        if key_id in self._keys:
            raise TooMany(
                "Another submission of your key is being taken: send one after the other.", retry_after=5.0
            )
        self._keys.add(key_id)
        try:
            with SpooledTemporaryFile(max_size=IN_MEMORY) as file:
                upload = Upload(self, cast(BinaryIO, file))
                try:
                    yield upload
                finally:
                    self.on_disk -= upload.reserved
        finally:
            self._keys.discard(key_id)

    def reserve(self, more: int) -> None:
        """Count bytes that are to be written to disk. Raises a 503 where there is no room for them."""
        if self.on_disk + more > self.most_bytes or shutil.disk_usage(gettempdir()).free < KEPT_FREE + more:
            raise no_room()
        self.on_disk += more


class Upload:
    """A body in a file without a name: however large it is, memory holds a piece of it."""

    def __init__(self, uploads: Uploads, file: BinaryIO) -> None:
        self.file = file
        self.reserved = 0
        self._uploads = uploads
        self._size = 0

    def write(self, chunk: bytes) -> None:
        """Add a piece of the body. Raises a 503 where there is no room for it."""
        self._size += len(chunk)
        lacks = self._size - self.reserved
        if self._size > IN_MEMORY and lacks > 0:
            more = STEP * -(-lacks // STEP)
            self._uploads.reserve(more)
            self.reserved += more
        try:
            self.file.write(chunk)
        except OSError as error:
            raise no_room() from error


def no_room() -> HTTPException:
    """The answer to who sends what there is no room for."""
    return HTTPException(503, FULL.format(RETRY_AFTER), {"Retry-After": str(RETRY_AFTER)})
