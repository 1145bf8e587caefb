"""Bars of long work on stderr: count, rate, time left and elapsed; where stderr is no terminal, lines.

A stage counts bytes (BYTE_STAGES) or steps; one whose total is unknown shows its time only.
"""

import time
from types import TracebackType
from typing import Self

from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from app.cli import output

BYTE_STAGES = ("downloading", "checksum", "reading", "writing", "restoring")
"""Stages that count bytes; the others count steps."""


def describe_count(stage: str, done: float, total: float | None) -> str:
    """How much is done: `1.2 of 2.7 MB`, `3 of 8`; nothing where there is nothing to count."""
    if not done and total is None:
        return ""
    if stage in BYTE_STAGES:
        done, total = done / 1e6, total and total / 1e6
        return f"{done:,.1f} MB" if total is None else f"{done:,.1f} of {total:,.1f} MB"
    return f"{done:,.0f}" if total is None else f"{done:,.0f} of {total:,.0f}"


def describe_rate(stage: str, speed: float | None) -> str:
    """Bytes or steps a second, as `12.3 MB/s` or `450/s`; nothing where it is not known yet."""
    if not speed:
        return ""
    return f"{speed / 1e6:,.1f} MB/s" if stage in BYTE_STAGES else f"{speed:,.0f}/s"


class _CountColumn(ProgressColumn):
    """How much of a stage is done."""

    def render(self, task: Task) -> Text:
        return Text(describe_count(task.description, task.completed, task.total))


class _RateColumn(ProgressColumn):
    """How fast a stage goes."""

    def render(self, task: Task) -> Text:
        overall = task.completed / task.elapsed if task.elapsed else None  # before there is a recent speed
        return Text(describe_rate(task.description, task.finished_speed or task.speed or overall))


class Bars:
    """Draws the stages of some work; where stderr is no terminal, a line when one begins and one when it is done."""

    def __init__(self) -> None:
        columns = (
            TextColumn("{task.description:<12}"),
            BarColumn(),
            _CountColumn(),
            _RateColumn(),
            TimeRemainingColumn(),
            TimeElapsedColumn(),
        )
        self._progress = Progress(*columns, console=output.progress, disable=not output.progress.is_terminal)
        self._stage: str | None = None
        self._done = 0
        self._total: int | None = None
        self._began = 0.0

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._finish()
        self._progress.stop()

    def start(self, stage: str, total: int | None) -> None:
        """A stage begins: the one before is done, and its bar stands still."""
        self._finish()
        self._stage, self._done, self._total, self._began = stage, 0, total, time.monotonic()
        if self._progress.disable:
            output.say(stage)
        else:
            self._progress.add_task(stage, total=total)

    def advance(self, steps: int) -> None:
        """So many more steps of the stage are done."""
        self._done += steps
        if not self._progress.disable and self._stage is not None:
            self._progress.advance(self._progress.tasks[-1].id, steps)

    def _finish(self) -> None:
        if self._stage is None:
            return
        if not self._progress.disable:
            self._progress.stop_task(self._progress.tasks[-1].id)
            return
        seconds = time.monotonic() - self._began
        count = describe_count(self._stage, self._done, self._total)
        rate = describe_rate(self._stage, self._done / seconds if seconds else None)
        figures = ", ".join(part for part in (count, f"{seconds:.1f} s", rate) if part)
        output.say(f"{self._stage} done: {figures}")
