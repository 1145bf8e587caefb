"""Signals that tell a command to end: none is lost, whatever Python does at that moment."""

import os
import signal
import time
from collections.abc import Iterator

import pytest
import typer

from app.cli.stopping import unwound_by_signals


class ToldWhileFinalized:
    """A signal comes while this object is finalized: what is raised then, Python drops."""

    def __init__(self, number: signal.Signals) -> None:
        self._number = number

    def __del__(self) -> None:
        os.kill(os.getpid(), self._number)
        time.sleep(0)  # the interpreter looks for signals here at the latest


@pytest.fixture(autouse=True)
def not_under_nohup() -> Iterator[None]:
    """Under nohup a command rightly goes on: these tests may have been started so."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    ("number", "ends_with"),
    [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, typer.Exit), (signal.SIGHUP, typer.Exit)],
)
def test_a_signal_that_was_dropped_is_raised_at_the_next_turn(
    number: signal.Signals, ends_with: type[BaseException]
) -> None:
    before = signal.getsignal(number)
    turns = 0

    def wait() -> None:
        nonlocal turns
        with unwound_by_signals() as stop:
            ToldWhileFinalized(number)
            turns += 1
            stop.raise_if_told()

    with pytest.raises(ends_with):
        wait()
    assert turns == 1
    assert signal.getsignal(number) == before


def test_a_command_that_nobody_stops_goes_on() -> None:
    with unwound_by_signals() as stop:
        stop.raise_if_told()
