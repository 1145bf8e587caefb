"""A backup's file: an uncompressed ZIP of PostgreSQL's dump and, written last, the manifest.

A new file bears its name only when it is whole and on the disk; until then it is FILE.partial, which nobody else reads.
"""

import errno
import fcntl
import hashlib
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Any, NamedTuple, Self

from pydantic import ValidationError

from app.backups.manifest import FORMAT, Manifest
from app.core.errors import BackupFailed, BadBackup, Conflict, Held, UsageError
from app.core.identity import canonical_json
from app.core.progress import Progress

DUMP, MANIFEST = "database.dump", "manifest.json"
CHUNK = 1 << 20
MOST_OF_MANIFEST = 256 << 20
"""No manifest is larger, in bytes: a damaged length must not fill the memory."""

_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    ValueError,
    OverflowError,
    LookupError,
)
"""What zipfile raises for bytes that it cannot make sense of."""


class Written(NamedTuple):
    """A dump in the file: SHA-256 and bytes."""

    sha256: str
    size: int


@contextmanager
def new_file(path: Path) -> Iterator[IO[bytes]]:
    """A file for one backup, readable by its owner only; it is there under its name once the block ends well.

    Raises Conflict where there is one already, UsageError where none can be made, Held where another backup writes it.
    """
    _refuse_existing(path)
    partial = path.with_name(path.name + ".partial")
    try:
        # not truncated before it is locked: it may be another backup's
        descriptor = os.open(partial, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UsageError(f"{partial}: cannot be written: {error.strerror}. Name another file.") from error
    with _full_disk_told(partial), os.fdopen(descriptor, "wb") as stream:
        _lock(stream, partial)
        try:
            os.fchmod(descriptor, 0o600)
            stream.truncate(0)
            yield stream
            stream.flush()
            os.fsync(descriptor)
            _refuse_existing(path)
            partial.rename(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextmanager
def _full_disk_told(partial: Path) -> Iterator[None]:
    """Around the file's closing too: what is still to be written then fails as well."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
            raise
        raise BackupFailed(
            f"{partial} cannot be written any further: {error.strerror}. Nothing was left behind; free some space, "
            "or name a file elsewhere."
        ) from error


def _refuse_existing(path: Path) -> None:
    if os.path.lexists(path):
        raise Conflict(f"{path} already exists, and a backup never replaces a file. Name another file.")


def _lock(stream: IO[bytes], partial: Path) -> None:
    """What a killed backup left is taken over; what a living one writes is not."""
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        mine = os.path.samestat(os.fstat(stream.fileno()), partial.stat())
    except (BlockingIOError, FileNotFoundError):
        mine = False
    if not mine:
        raise Held(f"Another backup is writing {partial}. Wait for it, or name another file.")


class Writer:
    """Fills a new file: first the dump, then the manifest. A context: where it ends ill, nothing more is written."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._zip.fp = None  # else it would write its directory, to a full disk too, whenever it is collected

    def write_dump(self, source: IO[bytes], progress: Progress) -> Written:
        """Everything that `source` gives, as it comes."""
        sha256, size = hashlib.sha256(), 0
        with self._zip.open(zipfile.ZipInfo(DUMP), "w", force_zip64=True) as member:
            while chunk := source.read(CHUNK):
                member.write(chunk)
                sha256.update(chunk)
                size += len(chunk)
                progress.advance(len(chunk))
        return Written(sha256.hexdigest(), size)

    def finish(self, manifest: Manifest) -> None:
        """The manifest, and the end of the file."""
        self._zip.writestr(zipfile.ZipInfo(MANIFEST), canonical_json(manifest.model_dump()) + "\n")
        self._zip.close()


class Archive:
    """A backup that is there to be read; `manifest` is what it says of itself."""

    def __init__(self, path: Path, file: zipfile.ZipFile, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        self._zip = file

    def chunks(self) -> Iterator[bytes]:
        """The dump, piece by piece; raises BadBackup where it cannot be read to its end."""
        with _sensible(self.path):
            member = self._zip.open(DUMP)
        with member:
            while True:
                with _sensible(self.path):
                    chunk = member.read(CHUNK)
                if not chunk:
                    return
                yield chunk

    def check(self, progress: Progress) -> None:
        """Raise BadBackup where the dump is not, byte for byte, what was written."""
        sha256, size = hashlib.sha256(), 0
        progress.start("checksum", self.manifest.dump_bytes)
        for chunk in self.chunks():
            sha256.update(chunk)
            size += len(chunk)
            progress.advance(len(chunk))
        if (sha256.hexdigest(), size) != (self.manifest.dump_sha256, self.manifest.dump_bytes):
            raise _damaged(self.path, "its dump is not the one that its manifest names")


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """A backup opened for reading, its manifest read; the dump is not looked at yet.

    Raises UsageError where there is no file to read, BadBackup where it is none of ours, damaged, or too new.
    """
    try:
        stream = path.open("rb")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}.") from error
    with stream:
        with _sensible(path):
            file = zipfile.ZipFile(stream)
        with file:
            yield Archive(path, file, _read_manifest(path, file))


def _read_manifest(path: Path, file: zipfile.ZipFile) -> Manifest:
    if sorted(file.namelist()) != [DUMP, MANIFEST]:
        raise BadBackup(f"{path} is a ZIP, but no backup made by `trigpoint backup`.")
    if any(one.compress_type != zipfile.ZIP_STORED for one in file.infolist()):
        raise _damaged(path, "its directory is not as it was written")
    if file.getinfo(MANIFEST).file_size > MOST_OF_MANIFEST:
        raise _damaged(path, "its manifest is too large")
    with _sensible(path):
        values: Any = json.loads(file.read(MANIFEST).decode())
        number = int(values["trigpoint_backup"])
    if number > FORMAT:
        raise BadBackup(
            f"{path} was made by Trigpoint {values.get('trigpoint')}, whose backups this one cannot read. "
            "Restore it with that version or a newer one."
        )
    try:
        return Manifest.model_validate(values)
    except ValidationError as error:
        raise _damaged(path, "its manifest lacks something") from error


@contextmanager
def _sensible(path: Path) -> Iterator[None]:
    try:
        yield
    except (*_UNREADABLE, OSError, TypeError) as error:
        raise _damaged(path, str(error) or type(error).__name__) from error


def _damaged(path: Path, why: str) -> BadBackup:
    return BadBackup(
        f"{path} is not a backup made by `trigpoint backup`, or it is damaged ({why.rstrip('.')}). "
        "Nothing was restored; take another copy."
    )
