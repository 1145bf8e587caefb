"""What Python's search for garbage looks at, and when."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from app.core.memory import SEARCH_AFTER, keep_for_good, uncollected, unsearched


class Loop:
    """Garbage that only a search finds."""

    def __init__(self) -> None:
        self.itself = self


def is_found(loop: weakref.ref[Loop]) -> bool:
    gc.collect()
    return loop() is None


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


def test_nothing_is_searched_within_and_everything_after() -> None:
    with uncollected():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_what_was_made_within_is_old_afterwards() -> None:
    with uncollected():
        made = Loop()
    assert any(one is made for one in gc.get_objects(generation=2))


def test_what_was_there_before_is_searched_afterwards_alone() -> None:
    before = weakref.ref(Loop())
    with unsearched():
        within = weakref.ref(Loop())
        assert (is_found(within), is_found(before)) == (True, False)
    assert is_found(before)


def test_what_is_kept_for_good_is_searched_never_and_the_rest_seldom() -> None:
    kept = Loop()
    keep_for_good()
    before = weakref.ref(kept)
    del kept
    with unsearched():
        within = weakref.ref(Loop())
    assert (is_found(within), is_found(before)) == (True, False)
    assert gc.get_threshold()[0] == SEARCH_AFTER
