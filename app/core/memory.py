"""Python's search for garbage, spared what stays."""

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager

SEARCH_AFTER = 20_000
"""Objects made, and still there, after which the newest are searched; Python's own figure is 700."""


@contextmanager
def uncollected() -> Iterator[None]:
    """Within the block, memory is not searched for objects that hold each other and that nobody else holds.

    For blocks that make many objects, all of them needed: each search looks at all of these, and frees nothing. Nor are
    they searched soon afterwards, as what is new would be.
    """
    was_searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if gc.get_freeze_count() == 0:
            gc.freeze()
            gc.unfreeze()  # into the oldest generation
        if was_searching:
            gc.enable()


@contextmanager
def unsearched() -> Iterator[None]:
    """Within the block, only what is made there is searched for such garbage, not what is in memory before.

    For blocks that make little, and throw it away, beside much that stays. Where `keep_for_good` was called, what came
    before that call is spared alone.
    """
    is_kept = gc.get_freeze_count() > 0
    if not is_kept:
        gc.freeze()
    try:
        yield
    finally:
        if not is_kept:
            gc.unfreeze()


def keep_for_good() -> None:
    """Never search again what was made so far, and seldom what is made from now on; for a process that has started.

    A search of all modules takes 0.1 s, in which no thread does anything; one of a run's questions 50 ms. What loading
    modules left behind is kept, too: it is little, and to find it takes such a search.
    """
    gc.freeze()
    search_seldom()


def search_seldom() -> None:
    """Search what is made from now on after SEARCH_AFTER objects."""
    gc.set_threshold(SEARCH_AFTER)


def end_unsearched() -> None:
    """Have this process end without a search of all that it holds, which takes 0.3 s and frees what ends anyway."""
    atexit.register(gc.freeze)
