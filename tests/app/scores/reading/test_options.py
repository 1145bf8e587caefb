"""Reading options: what real answers look like, and what must not be guessed."""

import random
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.scores.reading.options import read_option

NAMES = ["Café Ursula", "A21 Bar", "Hotel Kämp", "Rock'n'Roll"]
CASES = Path(__file__).with_name("option_cases.toml")
GROUPS: list[dict[str, Any]] = tomllib.loads(CASES.read_text(encoding="utf-8"))["group"]
LETTERS = "ABCDEF"
BITS = """A B c d ( ) . : , ; ? ! * ** _ ` " ' { } [ ] < > / \\ | = -> → ✅ ❌ 🅱 Ｂ Answer: answer is the not or and no wait
I\\ choose \\boxed{ {"answer": null } <think> </think> <answer> </answer> option correct 答案 是 选 正解 です الجواب ب उत्तर ख Ответ
Б Café Ursula A21\\ Bar Hotel Kämp Rock'n'Roll 2.5 km ١ \u0301 \u200b \ufe0f \ud800 \ufdfa 1 -1 e 1e400 NaN Antwort""".split(
    " "
)


def _read(answer: str, options: list[str]) -> str:
    index = read_option(answer, options).value
    return "unparseable" if index is None else LETTERS[index]


@pytest.mark.parametrize("group", GROUPS, ids=[group["title"].replace(" ", "-") for group in GROUPS])
def test_reads_every_case(group: dict[str, Any]) -> None:
    wrong = [
        f"{answer!r}: read as {read}, is {letter}: {why}"
        for answer, letter, why in group["cases"]
        if (read := _read(answer, group["options"])) != letter
    ]
    assert not wrong, "\n".join(wrong)


def test_the_cases_are_many_and_each_is_there_once() -> None:
    cases = [(tuple(group["options"]), answer) for group in GROUPS for answer, _, _ in group["cases"]]
    assert len(cases) == len(set(cases)) >= 300
    letters = [letter for group in GROUPS for _, letter, _ in group["cases"]]
    assert set(letters) == {*LETTERS, "unparseable"}
    assert letters.count("unparseable") > len(letters) / 4


def test_what_is_unread_has_a_reason() -> None:
    for group in GROUPS:
        for answer, letter, _ in group["cases"]:
            if letter == "unparseable":
                assert read_option(answer, group["options"]).reason


@pytest.mark.parametrize("letter", "ABCD")
@pytest.mark.parametrize("group", GROUPS[:2], ids=["alone", "explicit"])
def test_no_letter_is_read_more_easily_than_another(group: dict[str, Any], letter: str) -> None:
    """What is read for B or C alone must be read for each letter, except where the letter is a word ("a", "A")."""
    own = "B" if group is GROUPS[0] else "C"
    for answer, expected, _ in group["cases"]:
        if expected == own and answer.isascii() and NAMES[LETTERS.index(own)] not in answer:
            other = re.sub(rf"(?<![a-zA-Z]){own}(?![a-zA-Z])", letter, answer)
            other = re.sub(rf"(?<![a-zA-Z]){own.lower()}(?![a-zA-Z])", letter.lower(), other)
            if "option a" not in other and "near A" not in other:
                assert _read(other, NAMES) == letter, other


NAMES_THAT_MISLEAD = """1. FC Köln Shop|★ Bar|#1 Cafe|"Quoted" Bar|24 h Shop|Option One|The Best|Wait & See|Not a Hotel|No Name
Park or Ride|Hotel B|Bar (old)|(old) Bar|Elm Street and Oak Street|Elm Street|5 Main Street, 10115 Berlin|15 Main Street, 10115 Berlin
None|Unknown|All Saints|A. Müller|B & B|C&A|D'Angelo|St. John's|answer: B|A/B|Foo: Bar|Bar?|Bar!|Is it?|Café|Cafe|12|1.2|12 km|1.2 km
-1.2|(1.2, 3.4)|(1.2, -3.4)|東京|東京駅|答案|مقهى|चाय|Wait, B.|Therefore|B is correct|Yes|No|Bar - Grill|A-Bar|A Bar|Letter C|½""".replace(
    "\n", "|"
).split("|")


@given(st.lists(st.sampled_from(NAMES_THAT_MISLEAD), min_size=4, max_size=4, unique=True), st.integers(0, 3))
@settings(max_examples=200, deadline=None)
def test_names_that_mislead_are_never_read_as_another_option(options: list[str], place: int) -> None:
    letter, text = LETTERS[place], options[place]
    assert _read(letter, options) == letter
    for answer in (
        f"{letter}. {text}",
        f"{letter}) {text}",
        f"Answer: {letter}. {text}",
        text,
        f"Answer: {text}",
    ):
        assert _read(answer, options) in (letter, "unparseable"), answer


def test_two_things_after_one_another_are_read_as_the_last() -> None:
    for first, last in ("AB", "BA", "CD", "DC"):
        assert _read(f"Answer: {first}\n\nNo, that was wrong.\n\nAnswer: {last}", NAMES) == last


@given(st.text(), st.lists(st.text(min_size=1), min_size=1, max_size=26))
@settings(max_examples=200, deadline=None)
def test_never_raises(answer: str, options: list[str]) -> None:
    reading = read_option(answer, options)
    assert (reading.value is None) == bool(reading.reason)
    assert reading.value is None or 0 <= reading.value < len(options)


@pytest.mark.long
def test_ten_thousand_random_answers_never_raise() -> None:
    """Pieces of real answers and any characters, by a fixed seed; each is read twice alike."""
    chance = random.Random(20261121)
    for number in range(10_000):
        pieces = [_random_piece(chance) for _ in range(chance.randrange(14))]
        answer = chance.choice(["", " ", "\n"]).join(pieces)
        reading = read_option(answer, NAMES)
        assert (reading.value is None) == bool(reading.reason), (number, answer)
        if number % 100 == 0:
            assert read_option(answer, NAMES) == reading


def _random_piece(chance: random.Random) -> str:
    if chance.random() < 0.8:
        return chance.choice(BITS)
    return "".join(chr(chance.randrange(0x110000)) for _ in range(chance.randrange(6)))


HEAVY = [
    "a",
    "A\n",
    "Answer: ",
    "it is A ",
    "(A) ",
    "\u0301\u0323",
    "1 111 ",
    "\ufdfa",
    "\ud800",
    '{"a":',
    "**",
    "</think>",
]


@pytest.mark.parametrize("piece", HEAVY, ids=str.__repr__)
def test_an_answer_after_much_else_is_read(piece: str) -> None:
    assert read_option(piece * (100_000 // len(piece)) + "\nAnswer: B", NAMES).value == 1


@pytest.mark.long
def test_an_answer_after_a_megabyte_is_read() -> None:
    for piece in HEAVY:
        assert read_option(piece * (1_000_000 // len(piece)) + "\nAnswer: B", NAMES).value == 1, piece


def test_an_answer_after_a_megabyte_of_thinking_is_read() -> None:
    thinking = "Perhaps the answer is A. " * 40_000
    assert _read(f"<think>{thinking}</think>\nB", NAMES) == "B"
    assert _read(f"<think>{thinking}", NAMES) == "unparseable"


@given(st.permutations(range(4)), st.integers(0, 3))
@settings(deadline=None)
def test_the_letter_of_an_option_is_its_place(order: list[int], place: int) -> None:
    options = [NAMES[i] for i in order]
    assert read_option("ABCD"[place], options).value == place
    assert read_option(f"{'ABCD'[place]}. {options[place]}", options).value == place
    assert read_option(options[place], options).value == place
