"""The clock: everything that needs the time takes one, so that tests can set it."""

from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the time in UTC."""

    def now(self) -> datetime:
        """The time now, timezone-aware, in UTC."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The time now, in UTC."""
        return datetime.now(UTC)


class ManualClock:
    """A clock that stands still until it is moved."""

    def __init__(self, start: datetime) -> None:
        self._now = start

    def now(self) -> datetime:
        """The time it was last set to."""
        return self._now

    def advance(self, seconds: float) -> None:
        """Move the time forward by `seconds`."""
        self._now += timedelta(seconds=seconds)
