"""Wrong options that are numbers: distinct, in the key's unit and decimals, and as far off as the header says."""

from hypothesis import given
from hypothesis import strategies as st

from app.core.names import bare_form
from app.questions.derivations.numerals import metres_text, near_rounding
from app.questions.distractors_numbers import length_multiples
from tests.town import template_of

LENGTH = template_of("Query_Length").header.margins


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
