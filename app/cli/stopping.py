"""SIGTERM and SIGHUP for commands that must clean up: like Ctrl-C they unwind what runs; the exit status tells which.

SIGHUP comes when a terminal is closed; where it is ignored, as `nohup` has it, it stays so. Python drops what is raised
while it finalizes an object, so a command that waits in a loop asks `Stop` at each turn, too.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import typer

from app.cli.output import say

SIGNALS = (signal.SIGTERM, signal.SIGHUP)


class Stop:
    """Which signal has told this command to end, if any."""

    def __init__(self) -> None:
        self.number: int | None = None

    @property
    def is_by_hand(self) -> bool:
        """Whether somebody pressed Ctrl-C: another signal comes from a program, or of a terminal that is closed."""
        return self.number in (None, signal.SIGINT)

    def raise_if_told(self) -> None:
        """Raise KeyboardInterrupt where a signal came, for it may have been dropped when it was raised at first."""
        if self.number is not None:
            raise KeyboardInterrupt


@contextmanager
def unwound_by_signals() -> Iterator[Stop]:
    """Have SIGNALS raise within this block as Ctrl-C does, once; the command then ends with 128 and the signal."""
    told = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield told  # signals are for the main thread
        return
    watched = (signal.SIGINT, *SIGNALS)
    before = {one: signal.getsignal(one) for one in watched if signal.getsignal(one) != signal.SIG_IGN}

    def stop(number: int, frame: FrameType | None) -> None:
        told.number = number
        for one in before:
            if one != signal.SIGINT:
                signal.signal(one, signal.SIG_IGN)  # a second one is not to break off the cleaning up
        raise KeyboardInterrupt

    for one in before:
        signal.signal(one, stop)
    try:
        yield told
    except KeyboardInterrupt:
        if told.number in (None, signal.SIGINT):
            raise
        say("trigpoint: stopped.")
        raise typer.Exit(128 + told.number) from None
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
