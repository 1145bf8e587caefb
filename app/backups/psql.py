"""One session of psql as the owner: statements are asked one by one, and whole dumps are fed in between.

psql and not the driver, since the dump is a script that only psql reads; so that dropping what was there, the dump and
the comparison are one transaction. Nothing is committed but by `commit`: whoever dies before it has changed nothing.
"""

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from app.core.errors import BackupFailed, Held, TrigpointError
from app.core.progress import Progress
from app.core.settings import Settings
from app.db.programs import first_error, login

OPTIONS = ("-X", "-q", "-A", "-t", "-w", "-v", "ON_ERROR_STOP=1", "-v", "VERBOSITY=verbose")
LOCK_NOT_AVAILABLE = "55P03"
END = "that was all of it"


class Session:
    """A context: one transaction of psql, rolled back unless `commit` was called."""

    def __init__(self, settings: Settings, programs: Path) -> None:
        self._programs = programs
        self._environment = login(settings)
        self._said: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the session
        reading, self._writing = os.pipe()
        try:
            self._psql = subprocess.Popen(
                [programs / "psql", *OPTIONS],
                env=self._environment,
                stdin=reading,
                stdout=subprocess.PIPE,
                stderr=self._said,
                start_new_session=True,  # Ctrl-C is ours to answer
            )
        finally:
            os.close(reading)

    def __enter__(self) -> Self:
        try:
            self.ask("begin;")
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._writing)
        if kind is not None:
            self._psql.kill()
        self._psql.wait()
        if self._psql.stdout is not None:
            self._psql.stdout.close()
        self._said.close()

    def ask(self, statements: str) -> list[Any]:
        """Run statements that each end with a semicolon; gives the rows, each read from one JSON text.

        Raises Held where a lock is not to be had, BackupFailed with the server's words for all else.
        """
        self._write(f"{statements}\nselect to_json('{END}'::text)::text;\n")
        rows: list[Any] = []
        for line in self._lines():
            row = json.loads(line)
            if row == END:
                return rows
            rows.append(row)
        raise self._failure()

    def feed(self, dump: Iterator[bytes], progress: Progress) -> None:
        """Run a whole dump in pg_dump's custom format, by way of pg_restore."""
        with (
            tempfile.TemporaryFile() as said,
            subprocess.Popen(
                [
                    self._programs / "pg_restore",
                    "--format=custom",
                    "--no-owner",
                    "--exit-on-error",
                    "--file=-",
                ],
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=self._writing,
                stderr=said,
                start_new_session=True,
            ) as reader,
        ):
            try:
                self._pass_on(dump, reader, progress)
            except BaseException:
                reader.kill()
                raise
            if reader.wait() != 0:
                self._fail_where_ended()
                raise BackupFailed(f"pg_restore stopped: {first_error(said)}. Nothing was restored.")
        self._write(f"\nselect to_json('{END}'::text)::text;\n")
        for line in self._lines():
            if END in line:  # whatever stands before it, the script's own statements have printed
                return
        raise self._failure()

    def commit(self) -> None:
        """Make all of it last."""
        self.ask("commit;")

    def _pass_on(self, dump: Iterator[bytes], reader: subprocess.Popen[bytes], progress: Progress) -> None:
        if reader.stdin is None:
            raise BackupFailed("pg_restore takes no input here.")
        try:
            for chunk in dump:
                reader.stdin.write(chunk)
                progress.advance(len(chunk))
            reader.stdin.close()
        except BrokenPipeError:  # it ended before its input did; its status and psql's say why
            return

    def _write(self, text: str) -> None:
        rest = memoryview(text.encode())
        try:
            while rest:
                rest = rest[os.write(self._writing, rest) :]
        except BrokenPipeError:
            raise self._failure() from None

    def _lines(self) -> Iterator[str]:
        if self._psql.stdout is not None:
            for line in self._psql.stdout:
                if line.strip():
                    yield line.decode()

    def _fail_where_ended(self) -> None:
        """psql that refused a statement ends; what fed it then ends too, for no reason of its own."""
        try:
            self._psql.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return
        raise self._failure()

    def _failure(self) -> TrigpointError:
        self._psql.wait()
        told = first_error(self._said)
        state = re.search(r":  (?P<state>[0-9A-Z]{5}): (?P<words>.*)$", told)
        if state and state["state"] == LOCK_NOT_AVAILABLE:
            return Held("Somebody is using this database. Nothing was restored; stop them, or try again.")
        words = state["words"] if state else told
        return BackupFailed(f"PostgreSQL refused a statement of the restore ({words}). Nothing was restored.")
