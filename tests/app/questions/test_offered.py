"""The options that a question offers, with and without the one that it cannot be answered."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.questions import gold
from app.questions.offered import Offered, offer
from app.questions.second_path import answering

WRONG = [{"text": text, "osm_key": f"n{number}"} for number, text in enumerate(("Krone", "Linde", "Post"))]


def offered(key: str, *, offers_no_answer: bool, wrong: list[dict[str, str]] | None = None) -> Offered:
    found = offer({"text": key}, WRONG if wrong is None else wrong, 1, "q", offers_no_answer=offers_no_answer)
    assert isinstance(found, Offered)
    return found


def test_it_stands_last_and_is_wrong_where_there_is_an_answer() -> None:
    found = offered("Adler", offers_no_answer=True)
    assert found.options[-1] == gold.NO_ANSWER
    assert found.options[found.index] == "Adler"
    assert [one["text"] for one in found.distractors] == [one for one in found.options if one != "Adler"]


def test_without_it_a_question_keeps_its_options() -> None:
    found = offered("Adler", offers_no_answer=False)
    assert sorted(found.options) == ["Adler", "Krone", "Linde", "Post"]


@pytest.mark.parametrize("offers_no_answer", [True, False])
def test_a_question_without_an_answer_always_offers_it(offers_no_answer: bool) -> None:
    found = offered(gold.NO_ANSWER, offers_no_answer=offers_no_answer)
    assert found.index == 3
    assert found.options[3] == gold.NO_ANSWER


def test_options_that_a_question_has_already_are_kept() -> None:
    first = offered("Adler", offers_no_answer=True)
    again = offered("Adler", offers_no_answer=True, wrong=[dict(one) for one in first.distractors])
    assert again == first


@given(st.permutations(["Adler", "Krone", "Linde", "Post"]))
def test_the_order_tells_nothing_of_the_key(texts: list[str]) -> None:
    key, *wrong = texts
    found = offered(key, offers_no_answer=True, wrong=[{"text": text} for text in wrong])
    assert found.options == offered("Adler", offers_no_answer=True).options


@pytest.mark.parametrize(
    ("key", "reason"),
    [("Krone", "options_alike"), ("Кроне", "options_unlike"), ("A" * 201, "options_unlike")],
)
def test_options_that_would_be_told_apart_are_refused(key: str, reason: str) -> None:
    assert offer({"text": key}, WRONG, 1, "q", offers_no_answer=True) == reason


def test_both_paths_mean_the_same_option() -> None:
    assert gold.NO_ANSWER == answering.NO_ANSWER
