"""Reading what models really write: thinking, tokens, made-up questions, remarks behind the answer, figures and units."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.scores.reading.angles import read_azimuth
from app.scores.reading.areas import read_area
from app.scores.reading.counts import read_count
from app.scores.reading.lengths import read_length
from app.scores.reading.locations import read_location
from app.scores.reading.names import read_name
from app.scores.reading.options import read_option
from app.scores.reading.reading import Reading
from app.scores.reading.spoken import spoken
from tests.support.reading_time import assert_linear

NAMES = ["Café Ursula", "A21 Bar", "Hotel Kämp", "Rock'n'Roll"]
CASES: list[dict[str, Any]] = [
    json.loads(line)
    for line in Path(__file__).with_name("answer_cases.jsonl").read_text(encoding="utf-8").split("\n")
    if line
]
"""Lines of {kind, reader, answer, expected}: null where the answer cannot be read, longitude and latitude of a place."""
KINDS = list(dict.fromkeys(case["kind"] for case in CASES))
READERS: dict[str, Callable[[str], Reading[Any]]] = {
    "option": lambda answer: read_option(answer, NAMES),
    "length": read_length,
    "area": read_area,
    "azimuth": read_azimuth,
    "count": read_count,
    "location": read_location,
    "name": read_name,
}


def read(reader: str, answer: str) -> Any:
    value = READERS[reader](answer).value
    if reader == "option":
        return None if value is None else "ABCD"[value]
    if reader == "location":
        return value.point if value else None
    return value


def is_as_expected(found: Any, expected: Any) -> bool:
    if found is None or expected is None or isinstance(expected, str):
        return found == expected
    return bool(found == pytest.approx(tuple(expected) if isinstance(expected, list) else expected))


@pytest.mark.parametrize("kind", KINDS, ids=[kind.replace(" ", "-") for kind in KINDS])
def test_every_case_is_read_as_told(kind: str) -> None:
    wrong = [
        f"{case['reader']} {case['answer']!r}: read as {found!r}, is {case['expected']!r}"
        for case in CASES
        if case["kind"] == kind
        and not is_as_expected(found := read(case["reader"], case["answer"]), case["expected"])
    ]
    assert not wrong, "\n".join(wrong)


def test_each_kind_has_many_cases_and_each_case_is_there_once() -> None:
    counts = Counter(case["kind"] for case in CASES)
    assert all(count >= 10 for kind, count in counts.items() if kind != "names"), counts
    assert len({(case["reader"], case["answer"]) for case in CASES}) == len(CASES)


@pytest.mark.parametrize("letter", "ABCD")
def test_no_letter_is_read_more_easily_than_another(letter: str) -> None:
    for form in (
        "<|channel>thought\nAnswer: {other}\n<channel|>{letter}",
        "analysisIt is {other}.assistantfinal{letter}",
        "{letter}\n\nQuestion: Which is it?\nAnswer: {other}",
        "The answer is {letter}. {other} is wrong.",
        "Answer: {letter}. If it were shut, the answer would be {other}.",
        "Answer: {letter}\n(In 2016 the answer was {other}.)",
        "{letter}: 90 m\n{other}: 900 m\n\n{letter} is the closest.",
    ):
        for other in set("ABCD") - {letter}:
            answer = form.format(letter=letter, other=other)
            assert read("option", answer) == letter, answer


@given(
    st.integers(1, 999),
    st.integers(0, 999),
    st.sampled_from(
        ["{,}", "\\,", "\\ ", "\\;", "_", ",", " ", "'", "\u202f", "\u2009", "\u00a0", "\\!,\\!"]
    ),
    st.sampled_from(
        ["{} m", "$ {} $ m", "\\boxed{{{}\\ \\text{{m}}}}", "Answer: {} metres.", "{}\\,\\mathrm{{m}}"]
    ),
)
def test_a_separator_never_cuts_a_number(first: int, second: int, separator: str, form: str) -> None:
    written = form.format(f"{first}{separator}{second:03d}")
    assert read_length(written).value == 1000 * first + second, written


@given(st.lists(st.integers(0, 9999), min_size=2, max_size=4), st.sampled_from(",.'_:/ "))
def test_what_stands_together_is_one_number_or_none(parts: list[int], mark: str) -> None:
    """No piece of it is read: the value has all its digits, or there is none."""
    written = mark.join(map(str, parts))
    for value in (read_length(f"{written} m").value, read_count(f"Answer: {written}").value):
        digits = "".join(map(str, parts)).lstrip("0")
        assert value is None or mark == "/" or f"{value:f}".replace(".", "").strip("0") == digits.strip("0")


@given(st.text())
@settings(max_examples=200)
def test_any_text_is_read_or_has_a_reason(text: str) -> None:
    for reader in READERS.values():
        reading = reader(text)
        assert (reading.value is None) == bool(reading.reason)


@given(
    st.lists(st.sampled_from([case["answer"] for case in CASES]), min_size=2, max_size=4),
    st.sampled_from(["", " ", "\n\n"]),
)
@settings(max_examples=200, deadline=None)
def test_answers_put_together_never_raise(answers: list[str], joint: str) -> None:
    text = joint.join(answers)
    assert spoken(text) == spoken(text)
    for reader in READERS.values():
        reader(text)


HEAVY = [
    "<|channel>thought\n", "assistantfinal", "analysis", "<|im_end|>", "[INST]", "<|", "Question: a?\nA) b\nB) c\n", "user:",
    "A is 3, ", "B is the closest. ", "so B\n", "if ", "\\text{", "\\frac{1}{", "{,}", "1\\,111", "1~111", "½", "two hundred ",
    "quatre-vingt-", "einund", "一千", "30 degrees from ", "N 1 ", "to the ", "l'", "π/", "lat ", "47,1415,", "N 47 ", "北偏", "$",
]  # fmt: skip


@pytest.mark.parametrize("piece", HEAVY, ids=str.__repr__)
def test_longer_answers_are_read_in_linear_time(piece: str) -> None:
    for reader in READERS.values():
        assert_linear(reader, piece, 10_000, 12_500)


@pytest.mark.long
def test_long_answers_are_read_in_linear_time() -> None:
    for piece in HEAVY:
        for reader in READERS.values():
            assert_linear(reader, piece, 50_000, 12_500)
