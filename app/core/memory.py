"""Python's search for garbage, spared what stays."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Within the block, memory is not searched for objects that hold each other and that nobody else holds.

    For blocks that make many objects, all of them needed: each search looks at all of these, and frees nothing.
    """
    was_searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_searching:
            gc.enable()


@contextmanager
def unsearched() -> Iterator[None]:
    """Within the block, only what is made there is searched for such garbage, not what is in memory before.

    For blocks that make little, and throw it away, beside much that stays.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
