"""Bars of long work on stderr: count, rate, time left and elapsed; where stderr is no terminal, lines.

A stage counts bytes or steps; one whose total is unknown shows its time only.
"""

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
from app.core.progress import ProgressLines, describe_count, describe_rate


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
        self._lines = ProgressLines(output.say) if self._progress.disable else None
        self._stage: str | None = None

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
        self._stage = stage
        if self._lines is not None:
            self._lines.start(stage, total)
        else:
            self._progress.add_task(stage, total=total)

    def advance(self, steps: int) -> None:
        """So many more steps of the stage are done."""
        if self._lines is not None:
            self._lines.advance(steps)
        elif self._stage is not None:
            self._progress.advance(self._progress.tasks[-1].id, steps)

    def _finish(self) -> None:
        if self._lines is not None:
            self._lines.finish()
        elif self._stage is not None:
            self._progress.stop_task(self._progress.tasks[-1].id)
