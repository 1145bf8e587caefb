"""The order of options, and squares of them: seeded, and silent about which of them is right."""

from collections import Counter
from itertools import permutations

from hypothesis import example, given
from hypothesis import strategies as st

from app.questions.derivations.options import coordinates_text
from app.questions.distractors import coordinate_grid, order_of_options
from app.questions.distractors_roads import junction_grid

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


@given(st.floats(-179.9, 179.9), st.floats(-85, 85), st.integers(0, 2**32), st.text(max_size=8))
@example(0.0078125, 0.0078125, 0, "0")
def test_a_square_is_the_same_from_each_of_its_corners(lon: float, lat: float, seed: int, name: str) -> None:
    """Seed and id of a hidden question are public: whoever draws the square again learns nothing of its key."""
    wrong = coordinate_grid(lon, lat, 0.01, seed, name)
    assert wrong is not None
    square = {coordinates_text(lon, lat), *(one["text"] for one in wrong)}
    assert len(square) == 4
    for numbers in zip(*(text.strip("()").split(", ") for text in square), strict=True):
        astride = len({number.startswith("-") for number in numbers}) > 1  # of the equator or of Greenwich
        assert astride or len({number[-3:] for number in numbers}) == 1, "digits"
    for corner in wrong:
        others = coordinate_grid(corner["lon"], corner["lat"], 0.01, seed, name)
        assert others is not None
        assert {coordinates_text(corner["lon"], corner["lat"]), *(one["text"] for one in others)} == square


def test_the_key_is_each_corner_of_its_square_equally_often() -> None:
    corners: Counter[tuple[bool, bool]] = Counter()
    for number in range(4000):
        wrong = coordinate_grid(9.5 + number / 1e5, 47.1, 0.01, 1, f"question {number}")
        assert wrong is not None
        east, north = (min(one[axis] for one in wrong) for axis in ("lon", "lat"))
        corners[east < 9.5 + number / 1e5 - 0.005, north < 47.1 - 0.005] += 1
    assert len(corners) == 4
    assert all(880 < count < 1120 for count in corners.values()), corners


def test_no_square_beyond_the_map() -> None:
    assert any(coordinate_grid(179.999, 0, 0.01, 0, f"q{i}") is None for i in range(40))
    assert any(coordinate_grid(0, 89.999, 0.01, 0, f"q{i}") is None for i in range(40))


def test_each_road_of_a_grid_is_in_two_pairs() -> None:
    wrong = junction_grid(
        ["A-Weg", "C-Weg"], [{"label": "Xweg", "osm_key": "w9"}, {"label": "B-Weg", "osm_key": "w1"}]
    )
    assert wrong == [
        {"text": "A-Weg and B-Weg", "osm_keys": ["w1"]},
        {"text": "C-Weg and Xweg", "osm_keys": ["w9"]},
        {"text": "B-Weg and Xweg", "osm_keys": ["w1", "w9"]},
    ]
