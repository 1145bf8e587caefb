"""How far long work is, told to whoever listens; the command line draws bars from it, a job's process prints lines."""

import time
from collections.abc import Callable
from typing import Protocol

Say = Callable[[str], None]
"""Hears one sentence."""


class Progress(Protocol):
    """Hears of each stage and of each step within it."""

    def start(self, stage: str, total: int | None) -> None:
        """A stage begins; `total` is its number of steps where known."""
        ...

    def advance(self, steps: int) -> None:
        """So many more steps of the stage are done."""
        ...


class Silent:
    """Nobody listens."""

    def start(self, stage: str, total: int | None) -> None:
        """Say nothing."""

    def advance(self, steps: int) -> None:
        """Say nothing."""


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


class ProgressLines:
    """Says one line when a stage begins and one when it is done: its count, its time and its rate."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._stage: str | None = None
        self._done = 0
        self._total: int | None = None
        self._began = 0.0

    def start(self, stage: str, total: int | None) -> None:
        """A stage begins, so the one before is done."""
        self.finish()
        self._stage, self._done, self._total, self._began = stage, 0, total, time.monotonic()
        self._say(stage)

    def advance(self, steps: int) -> None:
        """So many more steps of the stage are done."""
        self._done += steps

    def finish(self) -> None:
        """The stage at hand is done, if there is one."""
        if self._stage is None:
            return
        seconds = time.monotonic() - self._began
        count = describe_count(self._stage, self._done, self._total)
        rate = describe_rate(self._stage, self._done / seconds if seconds else None)
        figures = ", ".join(part for part in (count, f"{seconds:.1f} s", rate) if part)
        self._say(f"{self._stage} done: {figures}")
        self._stage = None
