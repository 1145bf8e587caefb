"""Import stage: the process that scans the file, seen from the import. Starts it, yields what it writes, ends it.

Three pipes come from it: OPL text, shapes of ways and JSON records (scanning.py). They are drained together, so that
neither side waits for ever.
"""

import fcntl
import json
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from app.core.errors import BadExtract, ImportFailed

BLOCK = 1 << 20
"""Bytes that a pipe may hold, and that are read at once."""
Record = list[Any]


class CareNeeded(Exception):
    """The file holds an object that only the careful scan can write: start anew with `careful`."""


class Batch(NamedTuple):
    """Whole lines of OPL, shapes of ways, or records, in the order in which they were written."""

    lines: Sequence[str] = ()
    shapes: Sequence[str] = ()
    records: Sequence[Record] = ()


class Child:
    """A running scan of one file."""

    def __init__(self, path: Path, layers: tuple[str, ...], careful: bool, in_memory: bool) -> None:
        self._path = path
        self.held: frozenset[int] = frozenset()
        """Ways of multipolygons that have no tags of their own; known before the first line is given out."""
        self._begun = False
        self._error: str | None = None
        shapes, their_shapes = os.pipe()
        records, their_records = os.pipe()
        command = [sys.executable, "-m", "osm_import.scanning", os.path.abspath(path), ",".join(layers)]
        numbers = [str(number) for number in (their_shapes, their_records, os.getpid())]
        self._process = subprocess.Popen(
            [*command, "careful" if careful else "fast", "memory" if in_memory else "file", *numbers],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[their_shapes, their_records],
            start_new_session=True,  # Ctrl-C is for the import, which ends this process itself
        )
        os.close(their_shapes)
        os.close(their_records)
        assert self._process.stdout is not None
        self._text, self._shapes, self._records = self._process.stdout.fileno(), shapes, records
        self._open = {self._text, self._shapes, self._records}
        self._ended = False
        for pipe in (self._text, self._shapes):
            with suppress(OSError):  # a user may have used up what all pipes together may hold
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, BLOCK)

    def close(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.communicate()
        os.close(self._shapes)
        os.close(self._records)

    @property
    def has_read_ways(self) -> bool:
        """Whether every line and shape has been given out."""
        return self._open <= {self._records}

    def batches(self) -> Iterator[Batch]:
        """Everything that it writes.

        Raises BadExtract with its sentence where the file cannot be read, once everything else is given out: what is
        wrong with an object that was read comes first. Raises CareNeeded where it has to be scanned with care,
        ImportFailed where the process ended otherwise.
        """
        rest = dict.fromkeys(self._open, b"")
        with selectors.DefaultSelector() as selector:
            selector.register(self._records, selectors.EVENT_READ)
            while selector.get_map():
                for ready, _ in selector.select():
                    data = os.read(ready.fd, BLOCK)
                    if not data:
                        selector.unregister(ready.fd)
                        self._open.remove(ready.fd)
                        yield Batch()
                    head, _, tail = (rest[ready.fd] + data).rpartition(b"\n")
                    rest[ready.fd] = tail
                    if head:
                        begun = self._begun
                        yield self._split(ready.fd, head)
                        if self._begun and not begun:
                            selector.register(self._text, selectors.EVENT_READ)
                            selector.register(self._shapes, selectors.EVENT_READ)
        if self._error is not None:
            raise BadExtract(self._error)
        self._check_end()

    def offset(self) -> int:
        """How far into the file it has read, in bytes; 0 where that cannot be told."""
        folder = Path("/proc") / str(self._process.pid)
        try:
            for link in (folder / "fd").iterdir():
                if os.path.samefile(link, self._path):
                    text = (folder / "fdinfo" / link.name).read_text()
                    return int(text.split("pos:", 1)[1].split()[0])
        except (OSError, ValueError, IndexError):
            return 0
        return 0

    def _split(self, descriptor: int, data: bytes) -> Batch:
        lines = data.decode("utf-8").split("\n")
        if descriptor == self._text:
            return Batch(lines=lines)
        if descriptor == self._shapes:
            return Batch(shapes=lines)
        records = []
        for record in map(json.loads, lines):
            match record:
                case ["begin", held]:
                    self.held, self._begun = frozenset(held), True
                case ["error", sentence]:
                    self._error = sentence
                case ["care"]:
                    raise CareNeeded
                case ["end"]:
                    self._ended = True
                case _:
                    records.append(record)
        return Batch(records=records)

    def _check_end(self) -> None:
        _, errors = self._process.communicate()
        if self._ended and self._process.returncode == 0:
            return
        code = self._process.returncode
        how = signal.Signals(-code).name if code < 0 else f"exit status {code}"
        said = errors.decode("utf-8", "replace").strip().splitlines()[-1:] or ["it said nothing"]
        raise ImportFailed(
            f"The process that reads {self._path.name} ended before its work was done ({how}: {said[0][:200]}). "
            "Where it was killed, the machine may have too little memory: import again."
        )
