"""Samples: as many of each template as its share, the same whatever the order."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from app.predictions.sampling import draw_sample

COUNTS = st.lists(st.integers(1, 30), min_size=1, max_size=6)


def questions_of(counts: list[int]) -> list[tuple[str, str]]:
    return [
        (f"q{template}-{place}", f"T{template}") for template, n in enumerate(counts) for place in range(n)
    ]


@given(COUNTS, st.data())
def test_a_sample_has_its_size_and_of_each_template_its_share(counts: list[int], data: st.DataObject) -> None:
    questions = questions_of(counts)
    size = data.draw(st.integers(1, len(questions)))
    seed = data.draw(st.integers(0, 2**31))
    drawn = draw_sample(questions, size, seed)
    assert len(set(drawn)) == len(drawn) == size
    template_of = dict(questions)
    found = Counter(template_of[question] for question in drawn)
    for template, n in Counter(template_of.values()).items():
        assert abs(found[template] - size * n / len(questions)) < 1
    assert draw_sample(data.draw(st.permutations(questions)), size, seed) == drawn


def test_the_seed_decides_and_more_than_all_is_all() -> None:
    questions = questions_of([50])
    assert draw_sample(questions, 10, 0) != draw_sample(questions, 10, 1)
    assert set(draw_sample(questions, 10, 0)) < set(draw_sample(questions, 20, 0))
    assert draw_sample(questions, 99, 0) == sorted(question for question, _ in questions)
