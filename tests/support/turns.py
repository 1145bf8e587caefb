"""Whose turn it is today: of what a long test could look at, another part with every run of its third, by the date.

`TRIGPOINT_TEST_DAY=2026-11-27` takes the part of another day, for what failed then. `TRIGPOINT_TEST_WHOLE=1` asks tests
whose figures stand in documents for all of them.
"""

import os
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import TypeVar

T = TypeVar("T")
WHOLE = bool(os.environ.get("TRIGPOINT_TEST_WHOLE"))
THIRDS = 3
"""Days from one run of a test by CI to the next: see scripts/test-long."""


def turn() -> int:
    """A number that is one higher three days later."""
    said = os.environ.get("TRIGPOINT_TEST_DAY")
    today = date.fromisoformat(said) if said else datetime.now(UTC).date()
    return today.toordinal() // THIRDS


def in_turn(all_: Sequence[T], parts: int) -> list[T]:
    """One of so many parts, of which each has its turn, every `parts`-th from another beginning."""
    return list(all_[turn() % parts :: parts])
