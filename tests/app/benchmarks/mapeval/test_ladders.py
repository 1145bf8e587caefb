"""Numbers around a key: whatever is frequent on a map, each of them is about as often the key."""

from collections import Counter
from itertools import pairwise

import pytest

from app.benchmarks.mapeval.distractors.ladders import SPAN, STEP, Frequencies, draw_ladder
from app.core.seeds import unit

SEED, COUNT = 5, 3
GROWING = [1000 * unit(SEED, "number", i) ** 0.5 for i in range(6000)]
"""As distances between places of a map: the longer, the more frequent."""


def ranks_of_keys(frequencies: Frequencies | None) -> Counter[int]:
    """How often the key has each rank among options of middle size; without frequencies no question is given up."""
    ranks: Counter[int] = Counter()
    for name, key in enumerate(GROWING):
        wrong = draw_ladder(SEED, str(name), key, COUNT)
        options = sorted([key, *wrong])
        is_shown = 300 < options[0] < options[-1] < 900
        if is_shown and not (frequencies and frequencies.is_common(SEED, str(name), key, wrong)):
            ranks[options.index(key)] += 1
    return ranks


def test_steps_are_wide_and_the_whole_is_narrow() -> None:
    for name in range(50):
        ladder = sorted([700.0, *draw_ladder(SEED, str(name), 700.0, COUNT)])
        assert all(later >= STEP * one * 0.999 for one, later in pairwise(ladder))
        assert ladder[-1] <= SPAN * ladder[0] * 1.001


def test_a_number_is_no_more_often_the_key_for_being_frequent() -> None:
    told, fair = ranks_of_keys(None), ranks_of_keys(Frequencies(GROWING))
    assert told[COUNT] > 1.5 * told[0]
    assert fair.total() > 500
    for rank in range(COUNT + 1):
        assert fair[rank] / fair.total() == pytest.approx(0.25, abs=0.04)


def test_an_option_that_a_map_never_gives_is_no_option() -> None:
    assert Frequencies([100.0, 101.0, 102.0]).is_common(SEED, "any", 100.0, [101.0, 160.0])
    assert not Frequencies([100.0, 120.0]).is_common(SEED, "any", 100.0, [120.0])
