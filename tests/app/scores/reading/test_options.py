"""Reading options: what real answers look like, and what must not be guessed."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.scores.reading.options import read_option

NAMES = ["Café Ursula", "A21 Bar", "Hotel Kämp", "Rock'n'Roll"]
PLACES = ["(24.94120, 60.17012)", "(24.96120, 60.17012)", "(24.94120, 60.19012)", "(-24.94120, 60.17012)"]


@pytest.mark.parametrize(
    ("answer", "index"),
    [
        ("B", 1),
        ("B.", 1),
        ("(b)", 1),
        ("**C**", 2),
        ("Answer: C", 2),
        ("The answer is **A**.", 0),
        ("Answer: A\n\nOn second thoughts:\nAnswer: B", 1),
        ("Answer:\n\nC", 2),
        ("café  URSULA", 0),
        ('"Café Ursula."', 0),
        ("A. Café Ursula", 0),
        ("C: Hotel Kämp", 2),
        ("Answer: D) Rock’n’Roll", 3),
        ("rocknroll", 3),
        ("I think (C) is right", 2),
        ("It must be option B, I believe.", 1),
        ("A because it is near", 0),
        ('{"answer": "C"}', 2),
        ("\\boxed{C}", 2),
        ("<answer>C</answer>", 2),
        ("<think>Answer: A</think>\nC", 2),
        ("The correct option is C, since it is near.", 2),
        ("Ｂ", 1),
    ],
)
def test_reads(answer: str, index: int) -> None:
    assert read_option(answer, NAMES).value == index


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I do not know.",
        "A or C",
        "A, C",
        "Answer: A and B",
        "A\nB",
        "A. Hotel Kämp",
        "Answer: B (Café Ursula)\nAnswer: C. Café Ursula",
        "A) x\nB) y\nC) z\nD) w",
        "Answer: E",
        "A restaurant in the old town",
        "Hotel Kamp",
        "(A) or (B)",
    ],
)
def test_leaves_unread(answer: str) -> None:
    reading = read_option(answer, NAMES)
    assert reading.value is None
    assert reading.reason


@pytest.mark.parametrize(
    ("answer", "index"),
    [(place, i) for i, place in enumerate(PLACES)]
    + [("24.96120,60.17012", 1), ("A. (24.94120, 60.17012)", 0), ("Answer: (-24.94120, 60.17012)", 3)],
)
def test_signs_and_points_of_coordinates_matter(answer: str, index: int) -> None:
    assert read_option(answer, PLACES).value == index


def test_coordinates_of_no_option_are_unread() -> None:
    assert read_option("(24.9412, 60.1701)", PLACES).value is None


@given(st.text(), st.lists(st.text(min_size=1), min_size=1, max_size=26))
def test_never_raises(answer: str, options: list[str]) -> None:
    reading = read_option(answer, options)
    assert reading.value is None or 0 <= reading.value < len(options)


@pytest.mark.parametrize(
    "piece",
    ["a", "A\n", "Answer: ", "answer", "(A) ", "\u0301\u0323", "1 111 ", "\ufdfa", " ", "\ud800", "{", "**"],
)
def test_a_megabyte_is_read_in_linear_time(piece: str) -> None:
    answer = piece * (1_000_000 // len(piece)) + "\nAnswer: B"
    started = time.process_time()
    assert read_option(answer, NAMES).value == 1
    assert time.process_time() - started < 5


@given(st.permutations(range(4)), st.integers(0, 3))
def test_the_letter_of_an_option_is_its_place(order: list[int], place: int) -> None:
    options = [NAMES[i] for i in order]
    assert read_option("ABCD"[place], options).value == place
    assert read_option(f"{'ABCD'[place]}. {options[place]}", options).value == place
    assert read_option(options[place], options).value == place
