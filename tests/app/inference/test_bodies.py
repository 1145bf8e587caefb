"""Fields of a chat call that are set or left away: what may be, and what a call then is."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import UsageError
from app.inference.bodies import check_body, longest_answer, read_body, shaped

CALL = {"model": "m", "messages": [], "temperature": 0.0, "seed": 3}


@pytest.mark.parametrize(
    ("body", "made"),
    [
        ({}, CALL),
        ({"seed": None, "temperature": None}, {"model": "m", "messages": []}),
        ({"temperature": 1, "top_p": 0.5}, CALL | {"temperature": 1, "top_p": 0.5}),
        ({"max_completion_tokens": 9}, CALL | {"max_completion_tokens": 9}),
        ({"nothing": None}, CALL),
        (
            {"stop": ["\n"], "reasoning": {"effort": "low"}},
            CALL | {"stop": ["\n"], "reasoning": {"effort": "low"}},
        ),
    ],
)
def test_fields_are_set_and_left_away(body: dict[str, Any], made: dict[str, Any]) -> None:
    assert shaped(CALL, check_body(body)) == made


def test_the_longest_answer_of_a_call_goes_by_its_newer_name() -> None:
    """Its own number where it names one, else the body's; both names never leave together."""
    body = {"max_completion_tokens": 900}
    assert shaped({"max_tokens": 7}, body) == {"max_completion_tokens": 7}
    assert shaped({"max_tokens": 7}, body | {"max_tokens": None}) == {"max_completion_tokens": 7}
    assert shaped({}, body) == {"max_completion_tokens": 900}
    assert shaped({"max_tokens": 7}, {"max_tokens": None}) == {}
    assert [longest_answer(shaped(call, body)) for call in ({"max_tokens": 7}, {})] == [7, 900]
    assert longest_answer({"max_tokens": True}) is None


def test_parallel_calls_are_named_only_where_there_are_tools() -> None:
    """OpenAI refuses the field in calls without tools."""
    body = {"parallel_tool_calls": False}
    offering = CALL | {"tools": [{"type": "function", "function": {"name": "find"}}]}
    assert shaped(CALL, body) == CALL
    assert shaped(offering, body) == offering | body


BODIES = st.dictionaries(
    st.sampled_from(["temperature", "top_p", "max_tokens", "max_completion_tokens", "seed"]),
    st.none() | st.integers(1, 9),
)


@given(BODIES, BODIES)
def test_shaping_twice_is_shaping_once(call: dict[str, Any], body: dict[str, Any]) -> None:
    call = {name: value for name, value in call.items() if value is not None}
    once = shaped(call, body)
    assert shaped(once, body) == once
    assert None not in once.values()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"seed": null, "seed": 1}', "it names 'seed' twice"),
        ('{"reasoning": {"effort": 1, "effort": 2}}', "it names 'effort' twice"),
        ("{seed: null}", "cannot be read"),
        ('{"top_p": NaN}', "NaN is not a number of JSON"),
        ("[" * 50_000, "cannot be read"),
        ("[1]", "is no JSON object"),
        ("null", "is no JSON object"),
        ('{"messages": []}', "it is the question"),
        ('{"messages": null}', "it is the question"),
        ('{"model": "other"}', "by --model"),
        ('{"seed": 7}', "give --seed"),
        ('{"stream": true}', "answers are read whole"),
        ('{"n": 2}', "--repeats asks more often"),
        ('{"n": true}', "--repeats asks more often"),
        ('{"response_format": {"type": "json_object"}}', "--guided sets the form"),
        ('{"guided_regex": "[AB]"}', "--guided sets the form"),
        ('{"max_tokens": 0}', "a number of tokens"),
        ('{"max_tokens": 5, "max_completion_tokens": 5}', "servers take one of them"),
        ('{"max_completion_tokens": "many"}', "a number of tokens"),
        ('{"api_key": "sk-1"}', "A key is named by --key-variable"),
        ('{"extra": {"Authorization": "Bearer x"}}', "A key is named by --key-variable"),
        ('{"tools": []}', "a run's tools are those of its solver"),
        ('{"functions": null}', "a run's tools are those of its solver"),
        ('{"tool_choice": "required"}', "the solver decides when a tool is to be called"),
        ('{"parallel_tool_calls": "no"}', "it is true or false"),
        ('{"stop": "\\u0000"}', "cannot be stored"),
        ('{"stop": "\\ud800"}', "cannot be stored"),
        (json.dumps({"stop": "x" * 9000}), "characters"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_a_body_cannot_hold_is_one_sentence(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as raised:
        read_body(text)
    assert len(str(raised.value)) < 250
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "text",
    [
        '{"stream": false}',
        '{"n": 1}',
        '{"seed": null}',
        '{"response_format": null}',
        '{"max_tokens": 5}',
        '{"logit_bias": {"1": -100}}',
        '{"prompt_cache_key": "a"}',
        '{"tool_choice": null}',
        '{"parallel_tool_calls": false}',
        "{}",
    ],
)
def test_what_a_body_may_hold(text: str) -> None:
    assert read_body(text) == json.loads(text)
