"""Replies as MapEval's programs read them, and as ours do: right where both can, apart where their patterns fail."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.benchmarks.mapeval.published.replies import READERS, read_api_reply, read_textual_reply
from app.benchmarks.mapeval.published.rules import published_scorer
from app.core.errors import UsageError
from app.questions.gold import NO_ANSWER
from app.scores.paper_rules import find_rules
from app.scores.reading.numbered_options import NO_OPTION, read_numbered_option

OPTIONS = ["North", "East", "South", "West"]
PLACES = st.integers(min_value=0, max_value=len(OPTIONS))


@given(PLACES, st.text(max_size=60))
def test_json_is_read_whatever_its_explanation_says(number: int, explanation: str) -> None:
    reply = f"```json\n{json.dumps({'option_no': number, 'explanation': explanation})}\n```"
    assert read_numbered_option(reply, OPTIONS).value == number - 1
    theirs = read_textual_reply(reply, OPTIONS).value
    assert theirs == (None if "}" in explanation else number - 1)


@given(PLACES, st.text(st.characters(exclude_characters="^{}"), max_size=60))
def test_marked_numbers_are_read(number: int, before: str) -> None:
    reply = f"{before} ^^{number}^^"
    assert read_api_reply(reply, OPTIONS).value == number - 1
    assert read_numbered_option(reply, OPTIONS).value == number - 1


@given(st.text(max_size=200))
def test_whatever_is_said_names_an_option_or_none(reply: str) -> None:
    for reader in (*READERS.values(), read_numbered_option):
        value = reader(reply, OPTIONS).value
        assert value is None or NO_OPTION <= value < len(OPTIONS)


@pytest.mark.parametrize(
    ("reply", "ours", "textual", "api"),
    [
        ('{"option_no": 3, "explanation": "a brace } in it"}', 2, None, None),
        ('{"option_no": "2"}', 1, 1, None),
        ('{"option_no": 5}', None, None, None),
        ('{"choice": 2}', None, None, None),
        ('I think {so}. {"option_no": 2}', 1, None, None),
        ("^^3^^", 2, None, 2),
        ("^^Option 3^^ and ^^4^^", 2, None, 2),
        ("^^12^^", None, None, 0),
        ("^^none^^", None, None, None),
        ("^^0^^", NO_OPTION, None, NO_OPTION),
        ("3", 2, None, None),
        ("Option3: South", 2, None, None),
        ("3) North", None, None, None),
        ("The answer is South.", 2, None, None),
        ("", None, None, None),
    ],
)
def test_replies_by_ours_and_by_theirs(
    reply: str, ours: int | None, textual: int | None, api: int | None
) -> None:
    assert read_numbered_option(reply, OPTIONS).value == ours
    assert read_textual_reply(reply, OPTIONS).value == textual
    assert read_api_reply(reply, OPTIONS).value == api


@pytest.mark.parametrize(
    ("gold", "reply", "value"),
    [
        ({"index": 2, "reply": "textual"}, '{"option_no": 3}', 1.0),
        ({"index": 2, "reply": "textual"}, "3", 0.0),
        ({"index": 2, "also": [3], "reply": "textual"}, "^^4^^", 1.0),
        ({"index": -1, "reply": "textual"}, "^^0^^", 1.0),
        ({"index": -1, "reply": "visual"}, "0", 1.0),
        ({"index": 1}, "^^2^^", 1.0),
        ({"index": 1}, '{"option_no": 2}', 1.0),
        ({"index": 0, "reply": "visual"}, "North", 1.0),
    ],
)
def test_the_profile_published_counts_right_numbers(gold: dict[str, Any], reply: str, value: float) -> None:
    scorer = published_scorer("option")
    assert scorer is not None
    assert scorer.judge(reply, gold, OPTIONS).value == value
    assert published_scorer("count") is None


def test_an_option_that_says_that_there_is_none_is_option_0() -> None:
    scorer = published_scorer("option")
    assert scorer is not None
    options = ["North", NO_ANSWER, "East"]
    assert scorer.judge("^^0^^", {"index": 1}, options).value == 1.0
    assert scorer.judge("^^2^^", {"index": 2}, options).value == 1.0
    assert scorer.judge("^^3^^", {"index": 2}, options).value == 0.0


def test_cases_count_as_the_authors_files_do() -> None:
    rules = find_rules("mapeval")
    assert rules is not None
    case = {"case": "a", "options": OPTIONS, "reply": '{"option_no": 3, "explanation": "}"}'}
    lines = [
        json.dumps({**case, "task": "textual", "correct": 2}).encode(),
        json.dumps({**case, "task": "visual", "correct": 3}).encode(),
    ]
    right = {"option": 3, "correct": True, "invalid": False}
    invalid = {"option": None, "correct": False, "invalid": True}
    assert list(rules.score_cases(lines, "x")) == [
        {"case": "a", "ours": right, "published": invalid},
        {"case": "a", "ours": right, "published": right},
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "x, line 1: it is not JSON"),
        (b"{}", "there is no field 'case'"),
        (b'{"case": 1, "task": "text", "options": [], "correct": 0, "reply": ""}', "task is 'text'"),
        (b'{"case": 1, "task": "api", "options": ["A"], "correct": 1, "reply": ""}', "there are 1 options"),
    ],
)
def test_a_fault_of_a_case_is_told_with_its_line(line: bytes, said: str) -> None:
    rules = find_rules("mapeval")
    assert rules is not None
    with pytest.raises(UsageError, match=said):
        list(rules.score_cases([line], "x"))
