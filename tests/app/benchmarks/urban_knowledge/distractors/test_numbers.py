"""Wrong options that are numbers: distinct, in the key's unit and decimals, and as far off as the header says."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from app.benchmarks.urban_knowledge.derivations.numerals import kilometres_text, metres_text, near_rounding
from app.benchmarks.urban_knowledge.distractors.numbers import distance_draws, length_multiples
from app.core.names import bare_form
from tests.support.town import template_of

LENGTH = template_of("Query_Length").header.margins
DISTANCE = template_of("Calculate_Distance").header.margins


def between(metres: float, end: str = "n2") -> dict[str, object]:
    """The key of a question about two places so far apart."""
    return {"distance": metres, "objects": ["n1", end]}


@given(st.floats(min_value=300, max_value=200_000))
def test_multiples_of_a_length(length: float) -> None:
    wrong = length_multiples(length, LENGTH)
    texts = [metres_text(length), *(one["text"] for one in wrong)]
    assert len({bare_form(text) for text in texts}) == 4
    numbers = [int(text.removesuffix(" m")) for text in texts]
    assert sorted(numbers)[1] == numbers[0], "as published: the key is always the second smallest"
    assert all(abs(number - length) / length >= 0.25 for number in numbers[1:])


def test_multiples_collide_below_the_least_length() -> None:
    """The paper's own rule gives one option twice for 100, 50 and 33.3 m; so 300 m are wanted."""
    for length in (100.0, 50.0, 100 / 3):
        texts = [metres_text(length), *(one["text"] for one in length_multiples(length, LENGTH))]
        assert len(set(texts)) < 4
    assert LENGTH["least"] == 300


@given(st.floats(min_value=0, max_value=100_000), st.sampled_from([1.0, 10.0]))
def test_what_is_not_near_rounding_is_written_the_same_by_whoever_measures(
    metres: float, step: float
) -> None:
    if not near_rounding(metres, step):
        slack = 1e-3 + 1e-7 * metres
        assert len({round(one / step) for one in (metres - slack, metres, metres + slack)}) == 1


@given(st.floats(min_value=500, max_value=25_000), st.integers(0, 2**32), st.text(max_size=8))
def test_draws_around_a_distance(distance: float, seed: int, question_id: str) -> None:
    wrong = distance_draws(between(distance), DISTANCE, 3, seed, question_id)
    assert wrong == distance_draws(between(distance), DISTANCE, 3, seed, question_id)
    assert wrong is not None
    key = float(kilometres_text(distance).removesuffix(" km"))
    numbers = [float(one["text"].removesuffix(" km")) for one in wrong]
    assert all(0.5 <= number <= 25 and 0.8 < round(abs(number - key), 2) <= 8 for number in numbers)
    assert all(round(abs(a - b), 2) >= 0.3 for a, b in combinations(numbers, 2))


def test_too_few_draws() -> None:
    crowded = {**DISTANCE, "most": 1500}
    assert distance_draws(between(1000), crowded, 3, 0, "q") is None


def test_draws_cannot_be_made_again_without_the_places() -> None:
    """Seed and id of a hidden question are public: from them alone the three wrong numbers must not follow."""
    one, other = (distance_draws(between(5000, end), DISTANCE, 3, 0, "q") for end in ("n2", "n3"))
    assert one != other
