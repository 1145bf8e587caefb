"""Python's search for garbage, put off while much is made that stays."""

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
