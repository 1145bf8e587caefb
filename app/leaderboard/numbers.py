"""Numbers of boards as people read them: shares in per cent, and the mark of those that count hidden questions.

Pure, and quick to load: `evaluate` shows a score without loading all that boards are made of (`formatting`).
"""

NONE = "–"
STEPPED = "≈"
"""Stands before a number that counts hidden questions: they are told in steps."""


def percent(share: float | None) -> str:
    """A share of 1 as per cent with one decimal, without the sign."""
    return NONE if share is None else f"{100 * share:.1f}"


def count(number: int) -> str:
    """A whole number with thin groups of three."""
    return f"{number:,}".replace(",", "\u202f")


def stepped(shown: str, step: float | None) -> str:
    """A number as it is shown, marked where a step says that it counts hidden questions."""
    return shown if step is None or shown == NONE else f"{STEPPED}{shown}"


def share(value: float | None, step: float | None) -> str:
    """`percent`, marked where it is stepped."""
    return stepped(percent(value), step)


def span(low: float | None, high: float | None) -> str:
    """Both ends of an interval, in per cent."""
    return NONE if low is None or high is None else f"{percent(low)}–{percent(high)}"
