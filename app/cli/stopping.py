"""SIGTERM for commands that must clean up: like Ctrl-C it unwinds what runs, and the exit status tells it apart."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import typer

from app.cli.output import say

TERMINATED = 128 + signal.SIGTERM


@contextmanager
def unwound_by_sigterm() -> Iterator[None]:
    """Have SIGTERM raise within this block as Ctrl-C does, once; the command then ends with TERMINATED."""
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are for the main thread
        return
    was_sent = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal was_sent
        was_sent = True
        signal.signal(number, signal.SIG_IGN)  # a second one is not to break off the cleaning up
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except KeyboardInterrupt:
        if not was_sent:
            raise
        say("trigpoint: stopped.")
        raise typer.Exit(TERMINATED) from None
    finally:
        signal.signal(signal.SIGTERM, before)
