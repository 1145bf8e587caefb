"""Submitted answers, as anybody may send them: well formed in any cut of the stream, or refused by line."""

import gzip
import json
import time
import tracemalloc
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import BadSubmission, UsageError
from app.predictions.submissions.bytes_of import BOMB, MOST_BYTES, TOO_LARGE, bounded, chunks_of
from app.predictions.submissions.checking import NOT_JSON, Checker, SubmittedAnswer, merged_card
from app.predictions.submissions.faults import Unreadable
from app.predictions.submissions.pieces import pieces_of

IDS = [f"{number:032x}" for number in range(5)]
WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=40)


def check(data: bytes, ids: list[str] = IDS) -> tuple[list[SubmittedAnswer], Checker]:
    checker = Checker("toy@1", ids)
    answers = list(checker.answers_of(pieces_of(chunks_of(BytesIO(data)))))
    checker.finish()
    return answers, checker


def refused(data: bytes, ids: list[str] = IDS) -> list[tuple[int | None, str]]:
    with pytest.raises(BadSubmission) as caught:
        check(data, ids)
    assert caught.value.count >= len(caught.value.faults) > 0
    return list(caught.value.faults)


def as_lines(answers: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(answer).encode() + b"\n" for answer in answers)


def whole(**changed: Any) -> list[dict[str, Any]]:
    return [{"id": name, "answer": "A", "repeat": 0} | changed for name in IDS]


def first_fault(line: str) -> str:
    """What is said of one line among good ones, which is the second."""
    lines = as_lines(whole()).splitlines()
    data = b"\n".join([lines[0], line.encode("utf-8", "surrogatepass"), *lines[2:]])
    (number, said), *_ = refused(data)
    assert number == 2
    return said


# --- what is taken ------------------------------------------------------------------------------------------------


@given(
    answers=st.lists(st.one_of(st.none(), WORDS), min_size=5, max_size=5),
    order=st.permutations(range(5)),
    cuts=st.lists(st.integers(1, 30), min_size=1, max_size=5),
    is_document=st.booleans(),
    ascii_only=st.booleans(),
    indent=st.sampled_from([None, 1]),
)
def test_answers_come_out_as_they_went_in(
    answers: list[str | None],
    order: list[int],
    cuts: list[int],
    is_document: bool,
    ascii_only: bool,
    indent: int | None,
) -> None:
    sent = [{"id": IDS[place], "answer": answers[place]} for place in order]
    text = (
        json.dumps(sent, ensure_ascii=ascii_only, indent=indent)
        if is_document
        else "\n".join(json.dumps(one, ensure_ascii=ascii_only) for one in sent)
    )

    def in_cuts(data: bytes) -> Iterator[bytes]:
        at = turn = 0
        while at < len(data):
            yield data[at : at + cuts[turn % len(cuts)]]
            at, turn = at + cuts[turn % len(cuts)], turn + 1

    checker = Checker("toy@1", IDS)
    taken = list(checker.answers_of(pieces_of(in_cuts(text.encode()))))
    checker.finish()
    assert taken == [SubmittedAnswer(one["id"] or "", one["answer"], 0) for one in sent]


@given(st.binary(max_size=400))
def test_whatever_comes_is_refused_in_words(data: bytes) -> None:
    for number, said in refused(data):
        assert said
        assert number is None or number >= 1


@given(st.text(alphabet='[]{}",\\\n :0aé', max_size=80))
def test_brackets_and_quotes_in_any_order_are_refused_in_words(text: str) -> None:
    assert refused(("[" + text).encode())


def test_repeats_blank_lines_a_byte_order_mark_and_windows_line_ends_are_taken() -> None:
    sent = [{"id": name, "answer": "B", "repeat": repeat} for repeat in (1, 0) for name in IDS]
    data = b"\xef\xbb\xbf" + as_lines(sent).replace(b"\n", b"\r\n\r\n")
    answers, checker = check(data)
    assert (len(answers), checker.repeats, checker.answers) == (10, 2, 10)
    assert check(gzip.compress(data) + gzip.compress(b"\n"))[0] == answers


def test_the_card_comes_first_and_what_is_given_beside_it_counts_more() -> None:
    card = {"card": {"name": "mine", "model": "m", "contact": "me@example.org"}}
    _, checker = check(as_lines([card, *whole()]))
    assert checker.card == card["card"]
    merged = merged_card(checker.card, {"name": "other", "tools": [], "revision": None}, "toy@1")
    assert (merged.name, merged.model, merged.contact) == ("other", "m", "me@example.org")
    assert merged.public().model_dump(exclude_defaults=True) == {"name": "other", "model": "m"}
    _, checker = check(json.dumps([card, *whole()]).encode())
    assert checker.card == card["card"]


# --- what is not --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "it is not JSON: write"),
        ("nonsense", "it is not JSON: write"),
        ('{"id": "x', f"{NOT_JSON} (a text has no closing quote, character 8)"),
        (
            '{"id": "x"}{"id": "y"}',
            "it is not JSON: more follows on its line; write one answer a line, and send the file as it is",
        ),
        ("7", "it is not an object"),
        ('{"id": 7, "answer": "A"}', "its id is missing or no text"),
        ('{"answer": "A"}', "its id is missing"),
        ('{"id": "x"}', "it has no answer: write null"),
        ('{"id": "x", "answer": 3}', "its answer is not a text: write it in quotes"),
        ('{"id": "x", "answer": NaN}', "NaN is not a number of JSON"),
        ('{"id": "x", "answer": -Infinity}', "-Infinity is not a number of JSON"),
        ('{"id": "x", "answer": "A", "repeat": true}', "its repeat must be a whole number from 0 to 99"),
        ('{"id": "x", "answer": "A", "repeat": 1e999}', "a number in it is too large"),
        ('{"id": "x", "answer": "A", "repeat": 100}', "its repeat must be"),
        ('{"id": "x", "answer": "A", "repeat": ' + "9" * 5000 + "}", "a number in it has 5,000 digits"),
        ('{"id": "x", "answer": "A", "gold": 1}', "it has 'gold', which no answer has"),
        ('{"id": "x", "id": "y", "answer": "A"}', "'id' stands in it twice"),
        ('{"id": "x\\u0000", "answer": "A"}', "'x\\x00' is not a question of toy@1"),
        ('{"id": "x", "answer": "A\\u0000"}', "its answer holds a NUL"),
        ('{"id": "x", "answer": "\\ud800"}', "its answer holds half of a surrogate pair"),
        ('{"id": "x", "answer": "\ud800"}', "byte 24 of it is not UTF-8"),
        ('{"id": "x", "answer": "\x00"}', "it is not JSON"),
        ('{"id": "x", "answer": ' + "[" * 100_000, "it is nested too deep"),
        ('{"id": "x", "answer": "' + "a" * 100_001 + '"}', "its answer has 100,001 characters"),
        ('{"id": "x", "answer": "' + "a" * 1_000_001 + '"}', "it is too long: shorten"),
        ('{"id": "\u202e' + "x" * 100 + '", "answer": "A"}', "'\\u202e" + "x" * 59 + "…' is not a question"),
    ],
    ids=range(26),
)
def test_a_line_that_is_no_answer_is_told_with_what_to_do(line: str, said: str) -> None:
    assert first_fault(line).startswith(said)


def test_what_is_there_twice_names_both_lines() -> None:
    (number, said), *others = refused(as_lines([*whole(), whole()[1]]))
    assert (number, others) == (6, [])
    assert said.startswith(f"'{IDS[1]}' has an answer of repeat 0 on line 2 already")


def test_what_is_missing_is_counted_by_repeat() -> None:
    faults = refused(as_lines([*whole()[1:], {"id": IDS[0], "answer": "A", "repeat": 1}]))
    assert [number for number, _ in faults] == [None, None]
    assert faults[0][1].startswith(f"1 of 5 questions of toy@1 have no answer (repeat 0): {IDS[0]};")
    assert faults[1][1].startswith("4 of 5 questions of toy@1 have no answer (repeat 1): ")
    assert refused(b"\n \n")[0][1].startswith("there is no answer in it")
    assert refused(b"[]")[0][1].startswith("there is no answer in it")


def test_the_first_ten_faults_are_told_and_all_counted() -> None:
    with pytest.raises(BadSubmission) as caught:
        check(as_lines(whole()) + b"?\n" * 25)
    assert (caught.value.count, [line for line, _ in caught.value.faults]) == (25, [*range(6, 16)])
    assert str(caught.value).splitlines()[-1] == "and 15 more"


ENOUGH = "\nnothing after line "
NONSENSE = {
    "lines": b"x\n" * 5_000_000,
    "unknown ids": b'{"id": "nope", "answer": "A"}\n' * 500_000,
    "twice": (as_lines(whole()[:1]) * 200_000),
    "elements": b"[" + b"7," * 5_000_000,
    "long elements": b"[" + b",".join([b"{}" * 490_000] * 10),
    "escaped": b"[" + b",".join([b'"' + b"\\\\" * 490_000 + b'"'] * 10),
}


@pytest.mark.parametrize("data", NONSENSE.values(), ids=NONSENSE)
def test_reading_ends_where_enough_is_wrong(data: bytes) -> None:
    read = 0

    def counted() -> Iterator[bytes]:
        nonlocal read
        for at in range(0, len(data), 1 << 16):
            read += 1 << 16
            yield data[at : at + (1 << 16)]

    checker = Checker("toy@1", IDS)
    assert len(list(checker.answers_of(pieces_of(counted())))) <= 1
    with pytest.raises(BadSubmission) as caught:
        checker.finish()
    assert read < 3_500_000
    assert 0 < caught.value.count <= 100
    assert ENOUGH in str(caught.value)
    assert "have no answer" not in str(caught.value), "what was not read is not missing"


@pytest.mark.parametrize("around", [b"%s", b"[%s]"], ids=["lines", "array"])
def test_blank_lines_cost_nothing(around: bytes) -> None:
    started = time.process_time()
    assert refused(around % (b"\n" * 50_000_000))[0][1].startswith("there is no answer in it")
    assert time.process_time() - started < 5, "a step a line takes more than 10 s"


@pytest.mark.parametrize(
    "card", [7, {"model": 3}, {"name": "a\nb"}, {"secret": "x"}, {"training_cutoff": "2025-13"}]
)
@pytest.mark.parametrize("with_name", [True, False], ids=["named", "unnamed"])
def test_a_bad_card_is_the_first_fault(card: Any, with_name: bool) -> None:
    sent = {"name": "n"} | card if with_name and isinstance(card, dict) else card
    (number, said), *others = refused(as_lines([{"card": sent}, *whole()]))
    assert (number, others) == (1, [])
    assert said.startswith("The card")


@pytest.mark.parametrize("given_card", [{}, {"name": ""}, {"name": "n", "dataset": "toy@2"}])
def test_a_card_without_a_name_or_of_another_version_is_refused(given_card: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        merged_card(None, given_card, "toy@1")


@pytest.mark.parametrize(
    ("document", "said", "line"),
    [
        (b'[{"id": "x"', "the array is not closed", 1),
        (b"[\n\n]]", "something follows the array", 3),
        (b"[\n[\n]\n]\n7", "something follows the array", 5),
        (b'["' + b"a" * 1_000_001, "it is longer than 1,000,000 bytes", 1),
    ],
    ids=range(4),
)
def test_a_document_that_breaks_off_is_refused_where_it_does(document: bytes, said: str, line: int) -> None:
    assert any(number == line and what.startswith(said) for number, what in refused(document))


# --- what is too large, or claims to be small ---------------------------------------------------------------------


def test_a_packed_bomb_is_refused_long_before_it_is_unpacked() -> None:
    packer = zlib.compressobj(9, wbits=31)
    bomb = b"".join(packer.compress(bytes(1 << 20)) for _ in range(300)) + packer.flush()
    tracemalloc.start()
    assert refused(bomb) == [(None, BOMB)]
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


@pytest.mark.parametrize(
    "data", [gzip.compress(as_lines(whole()))[:-9], b"\x1f\x8b" + b"x" * 50], ids=["cut", "none"]
)
def test_a_damaged_gzip_is_refused(data: bytes) -> None:
    assert "gzip" in refused(data)[0][1]


def test_more_than_two_hundred_megabytes_are_refused() -> None:
    chunk = bytes(1 << 20)
    with pytest.raises(Unreadable, match=TOO_LARGE):
        for _ in bounded(chunk for _ in range(MOST_BYTES // len(chunk) + 1)):
            pass


def test_a_bad_line_among_27000_says_so_and_little_is_kept_of_them() -> None:
    ids = [f"{number:032x}" for number in range(27_000)]
    sent = as_lines([{"id": name, "answer": "the answer is B " * 20} for name in ids]).splitlines()
    sent[26_998] = b'{"id": "' + ids[26_998].encode() + b'", "answer": 5}'
    tracemalloc.start()
    checker = Checker("toy@1", ids)
    count = sum(1 for _ in checker.answers_of(pieces_of(line + b"\n" for line in sent)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    with pytest.raises(BadSubmission) as caught:
        checker.finish()
    assert count == 26_999
    assert "line 26,999: its answer is not a text" in str(caught.value)
    assert peak < 6_000_000
