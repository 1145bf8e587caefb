"""When schedules are due: never before a cadence is over, never outside of the window."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.schedules.timing import Window, next_due, next_try

NOW = datetime(2026, 3, 4, 12, 30, tzinfo=UTC)
hours = st.integers(0, 23)


@pytest.mark.parametrize(
    ("cadence", "window", "due"),
    [
        (24, None, datetime(2026, 3, 5, 12, 30, tzinfo=UTC)),
        (24, Window(12, 13), datetime(2026, 3, 5, 12, 30, tzinfo=UTC)),
        (24, Window(1, 5), datetime(2026, 3, 6, 1, 0, tzinfo=UTC)),
        (1, Window(22, 4), datetime(2026, 3, 4, 22, 0, tzinfo=UTC)),
        (13, Window(22, 4), datetime(2026, 3, 5, 1, 30, tzinfo=UTC)),
    ],
    ids=["any time", "within", "next morning", "tonight", "over midnight"],
)
def test_by_hand(cadence: int, window: Window | None, due: datetime) -> None:
    assert next_due(NOW, cadence, window) == due


@given(st.integers(0, 10**8), st.integers(1, 200), hours, hours)
def test_within_the_window_and_soon(seconds: int, cadence: int, begin: int, end: int) -> None:
    now = NOW + timedelta(seconds=seconds)
    window = None if begin == end else Window(begin, end)
    for wait, due in ((cadence, next_due(now, cadence, window)), (1, next_try(now, cadence, window))):
        assert due >= now + timedelta(hours=wait)
        assert due <= now + timedelta(hours=wait + 24)
        assert window is None or window.holds(due)
