"""When a schedule is due: once a cadence, within its window of the day, by the clock that is given."""

from datetime import datetime, timedelta
from typing import NamedTuple

RETRY_HOURS = 1
"""After a look that failed, the next comes so soon, or after a cadence where that is shorter."""


class Window(NamedTuple):
    """Hours of the day in UTC, from `begin` up to `end`; 22 to 4 goes over midnight."""

    begin: int
    end: int

    def holds(self, at: datetime) -> bool:
        """Whether a moment is within it."""
        if self.begin < self.end:
            return self.begin <= at.hour < self.end
        return at.hour >= self.begin or at.hour < self.end


def next_due(now: datetime, cadence_hours: int, window: Window | None) -> datetime:
    """A cadence after `now`; where that is outside of the window, when the window opens next."""
    due = now + timedelta(hours=cadence_hours)
    if window is None or window.holds(due):
        return due
    opens = due.replace(hour=window.begin, minute=0, second=0, microsecond=0)
    return opens if opens > due else opens + timedelta(days=1)


def next_try(now: datetime, cadence_hours: int, window: Window | None) -> datetime:
    """When to look again after a failure."""
    return next_due(now, min(cadence_hours, RETRY_HOURS), window)
