"""The order of options, and grids of roads: seeded, and silent about which of them is right."""

from collections import Counter
from itertools import permutations

from app.benchmarks.urban_knowledge.distractors.roads import junction_grid
from app.questions.distractors import order_of_options

TEXTS = ("Gasthof Löwen", "Café Wolf", "Burg", "Torkel")


def _shown(texts: tuple[str, ...], seed: int, question_id: str) -> list[str]:
    return [texts[i] for i in order_of_options(texts, seed, question_id)]


def test_order_does_not_tell_which_text_was_the_key() -> None:
    """Seed and id of a hidden question are public: whichever text is right, the options look the same."""
    for seed in range(20):
        assert len({tuple(_shown(texts, seed, "q")) for texts in permutations(TEXTS)}) == 1


def test_every_text_comes_first_equally_often() -> None:
    firsts = Counter(_shown(TEXTS, 1, f"question {i}")[0] for i in range(4000))
    assert all(880 < firsts[text] < 1120 for text in TEXTS)


def test_order_depends_on_seed_and_question() -> None:
    assert len({tuple(_shown(TEXTS, seed, "q")) for seed in range(40)}) > 8
    assert len({tuple(_shown(TEXTS, 0, f"q{i}")) for i in range(40)}) > 8


def test_each_road_of_a_grid_is_in_two_pairs() -> None:
    wrong = junction_grid(
        ["A-Weg", "C-Weg"], [{"label": "Xweg", "osm_key": "w9"}, {"label": "B-Weg", "osm_key": "w1"}]
    )
    assert wrong == [
        {"text": "A-Weg and B-Weg", "osm_keys": ["w1"]},
        {"text": "C-Weg and Xweg", "osm_keys": ["w9"]},
        {"text": "B-Weg and Xweg", "osm_keys": ["w1", "w9"]},
    ]
