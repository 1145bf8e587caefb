"""Numbers drawn as keys are: apart, distinct, the same again, and silent about which of them was asked for."""

import math
import random
from collections import Counter
from collections.abc import Callable
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.benchmarks.urban_knowledge.derivations.numerals import kilometres_text, metres_text
from app.benchmarks.urban_knowledge.distractors.alike_numbers import AlikeNumbers, Scale, _Chains
from app.core.names import bare_form
from app.solvers.guessing import ATTACKS
from tests.support.town import template_of

LENGTH = template_of("Query_Length").header.margins
DISTANCE = template_of("Calculate_Distance").header.margins
CHANCE_BEYOND = 0.001


def some_lengths(number: int, seed: int = 1) -> list[float]:
    """Lengths as a country's roads have them: most are short."""
    drawn = random.Random(seed)
    return [300 + drawn.lognormvariate(6, 1) for _ in range(number)]


def some_distances(number: int, seed: int = 1) -> list[float]:
    """Distances between places of a town four kilometres wide."""
    drawn = random.Random(seed)
    places = [complex(drawn.gauss(0, 1200), drawn.gauss(0, 1200)) for _ in range(2 * number)]
    apart = [abs(one - other) for one, other in zip(places[:number], places[number:], strict=True)]
    return [metres if metres >= 500 else 1500 + metres for metres in apart]


def chance_of(counts: Counter[int], classes: int = 4) -> float:
    """The chance of counts as uneven as these were all of four equally probable (chi-square, three degrees)."""
    assert classes == 4
    wanted = counts.total() / classes
    squared = sum((counts[i] - wanted) ** 2 / wanted for i in range(classes))
    return math.erfc(math.sqrt(squared / 2)) + math.sqrt(2 * squared / math.pi) * math.exp(-squared / 2)


@given(st.floats(1, 1000), st.floats(0.05, 0.5), st.floats(0, 100_000), st.floats(0, 100_000))
def test_a_unit_is_metres_or_a_share(metres: float, share: float, one: float, other: float) -> None:
    scale = Scale(metres, share)
    assert scale.value(scale.place(one)) == pytest.approx(one, abs=1e-6)
    low, high = sorted((one, other))
    if scale.place(high) - scale.place(low) >= 1:
        assert high - low >= metres * (1 - 1e-9)
        assert low < metres / share or high >= (1 + share) * low


@given(st.lists(st.integers(0, 60), max_size=9), st.integers(0, 80), st.integers(1, 4))
def test_sets_are_weighed_and_taken_as_often(eighths: list[int], until: int, size: int) -> None:
    places = np.array(sorted(eighths)) / 8
    before = until / 8
    fitting = [
        chosen
        for chosen in combinations(places.tolist(), size)
        if all(other - one >= 1 for one, other in pairwise(chosen)) and chosen[-1] <= before - 1
    ]
    alike = _Chains(places, np.ones(len(places)), 4)
    assert alike.weigh(size, np.array([before])) == [len(fitting)]
    shares = [(number + 0.5) / len(fitting) for number in range(len(fitting))]
    assert sorted(tuple(alike.take(size, before, share)) for share in shares) == sorted(fitting)
    weighed = _Chains(places, 1 + places, 4)
    weights = sum(math.prod(1 + place for place in chosen) for chosen in fitting)
    assert weighed.weigh(size, np.array([before])) == pytest.approx([weights])


LENGTHS = AlikeNumbers(some_lengths(400), LENGTH, 0)
DISTANCES = AlikeNumbers(some_distances(400), DISTANCE, 0)


def test_the_same_again() -> None:
    for known in (some_lengths(400), some_lengths(400)[::-1]):
        again = AlikeNumbers(known, LENGTH, 0)
        assert [again.draw(500, 3, f"q{i}") for i in range(9)] == [
            LENGTHS.draw(500, 3, f"q{i}") for i in range(9)
        ]
    other = AlikeNumbers(some_lengths(400), LENGTH, 1)
    assert [other.draw(500, 3, f"q{i}") for i in range(9)] != [
        LENGTHS.draw(500, 3, f"q{i}") for i in range(9)
    ]


@pytest.mark.parametrize("count", [3, 4])
@given(st.text(max_size=8), st.floats(300, 30_000))
@settings(deadline=None)  # weights are made at the first draw
def test_drawn_lengths(count: int, question_id: str, key: float) -> None:
    drawn = LENGTHS.draw(key, count, question_id)
    if isinstance(drawn, str):
        assert drawn in ("too_few_distractors", "common_key")
        return
    texts = [metres_text(metres) for metres in (key, *drawn)]
    assert len({bare_form(text) for text in texts}) == count + 1
    numbers = [int(text.removesuffix(" m")) for text in texts]
    assert min(numbers) >= 300
    for one, other in combinations(numbers, 2):
        assert abs(one - other) >= 0.25 * max(one, other), "each is wrong, whichever is the key"


@pytest.mark.parametrize("count", [3, 4])
@given(st.text(max_size=8), st.floats(500, 25_000))
@settings(deadline=None)
def test_drawn_distances(count: int, question_id: str, key: float) -> None:
    drawn = DISTANCES.draw(key, count, question_id)
    if isinstance(drawn, str):
        return
    numbers = [float(kilometres_text(metres).removesuffix(" km")) for metres in (key, *drawn)]
    assert all(0.5 <= number <= 25 for number in numbers)
    assert all(round(abs(number - numbers[0]), 2) > 0.3 for number in numbers[1:])
    for one, other in combinations(numbers, 2):
        assert round(abs(one - other), 2) > max(0.29, 0.13 * min(one, other))


@pytest.mark.parametrize(
    ("made", "margins", "written"),
    [(some_lengths, LENGTH, metres_text), (some_distances, DISTANCE, kilometres_text)],
    ids=["lengths", "distances"],
)
@pytest.mark.parametrize("count", [3, 4])
def test_no_attack_finds_the_key(
    made: Callable[..., list[float]], margins: dict[str, float], written: Callable[[float], str], count: int
) -> None:
    """Ranks are even; nor does what the numbers are like in the whole map tell which was asked for."""
    known = made(1000, 3)
    keys, middle = 5 * known, sorted(known)[500]
    numbers = AlikeNumbers(known, margins, 0)
    ranks: Counter[int] = Counter()
    hits: Counter[str] = Counter()
    for i, key in enumerate(keys):
        drawn = numbers.draw(key, count, f"question {i}")
        if isinstance(drawn, str):
            continue
        shown = sorted([key, *drawn])
        ranks[shown.index(key)] += 1
        hits["typical"] += min(shown, key=lambda one: abs(math.log(one / middle))) == key
        hits["rare"] += max(shown, key=lambda one: abs(math.log(one / middle))) == key
        hits["round"] += min(shown, key=lambda one: written(one).split()[0][::-1]) == key
        texts = [written(one) for one in sorted(shown, key=lambda one: (i * one) % 7)]
        for name in ("min", "max", "second", "nearest_to_mean", "longest", "shortest"):
            guess = ATTACKS[name](texts)
            hits[name] += guess is not None and texts[guess] == written(key)
    total = ranks.total()
    assert total > 0.7 * len(keys), "few questions are given up"
    if count == 3:
        assert chance_of(ranks) > CHANCE_BEYOND, ranks
    wanted = 1 / (count + 1)
    slack = 3.3 * math.sqrt(wanted * (1 - wanted) / total)
    assert all(found / total < wanted + slack for found in hits.values()), (hits, total)


def test_too_few_numbers() -> None:
    assert AlikeNumbers([], LENGTH, 0).draw(400, 3, "q") == "too_few_distractors"
    assert AlikeNumbers([400], LENGTH, 0).draw(400, 3, "q") == "too_few_distractors"
    assert AlikeNumbers([300, 310, 320, 5000], LENGTH, 0).draw(400, 3, "q") == "too_few_distractors"
    only = AlikeNumbers([310, 600, 900, 1500], LENGTH, 0)
    drawn = {
        tuple(round(one, -2) for one in found)
        for found in (only.draw(1500, 3, f"q{i}") for i in range(40))
        if not isinstance(found, str)
    }
    assert drawn == {(300, 600, 900)}


def test_how_many_known_numbers_can_stand_together() -> None:
    """From 500 m on, 330 m apart: three of these can, four cannot."""
    margins = {"apart_metres": 330, "apart_share": 0.15, "blur": 0.0, "least": 500, "most": 25_000}
    numbers = AlikeNumbers([100, 500, 600, 830, 1000, 1160, 1400], margins, 0)
    assert numbers.can_stand_together(3)
    assert not numbers.can_stand_together(4)
