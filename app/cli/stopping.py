"""SIGTERM and SIGHUP for commands that must clean up: like Ctrl-C they unwind what runs; the exit status tells which.

SIGHUP comes when a terminal is closed; where it is ignored, as `nohup` has it, it stays so.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import typer

from app.cli.output import say

SIGNALS = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def unwound_by_signals() -> Iterator[None]:
    """Have SIGNALS raise within this block as Ctrl-C does, once; the command then ends with 128 and the signal."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are for the main thread
        return
    sent = 0

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal sent
        sent = number
        for one in before:
            signal.signal(one, signal.SIG_IGN)  # a second one is not to break off the cleaning up
        raise KeyboardInterrupt

    before = {one: signal.getsignal(one) for one in SIGNALS if signal.getsignal(one) != signal.SIG_IGN}
    for one in before:
        signal.signal(one, stop)
    try:
        yield
    except KeyboardInterrupt:
        if not sent:
            raise
        say("trigpoint: stopped.")
        raise typer.Exit(128 + sent) from None
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
