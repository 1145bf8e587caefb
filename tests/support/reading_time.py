"""How long answers take to be read: in time that grows as their length, whatever they hold."""

import time
from collections.abc import Callable
from typing import Any

SLACK = 2.0
"""Seconds beside, since the machine may be busy; what is quadratic takes minutes."""


def assert_linear(reader: Callable[[str], Any], piece: str, length: int, each_second: int = 125_000) -> None:
    """A text of `length` characters, made of the piece, is read with so many characters each second of the processor."""
    text = piece * (length // len(piece))
    started = time.process_time()
    reader(text)
    assert time.process_time() - started < SLACK + length / each_second, piece
