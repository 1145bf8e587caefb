"""Tool calls in answers: every form in which they come is read, and what is sent back is well formed and the same again."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.identity import canonical_json
from app.inference.assistant_messages import assistant_message
from app.inference.completions import Fetched, read_answer, read_completion
from app.inference.outcomes import Reply
from app.inference.tool_requests import (
    LONGEST_ARGUMENTS,
    MOST_REQUESTS,
    NO_ARGUMENTS,
    UNNAMED,
    UNREADABLE,
    ToolRequest,
)


def replied(**message: Any) -> Reply:
    body = {
        "choices": [
            {"finish_reason": "tool_calls", "message": {"role": "assistant", "content": None, **message}}
        ]
    }
    outcome = read_answer(Fetched(200, "application/json", json.dumps(body)))
    assert isinstance(outcome, Reply), outcome
    return outcome


def call(name: Any, arguments: Any, **more: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "arguments": arguments}, **more}


FORMS = {
    "usual": (
        {"tool_calls": [call("find", '{"q": "park"}', id="a1")]},
        [ToolRequest("a1", "find", '{"q": "park"}')],
    ),
    "two": (
        {"tool_calls": [call("find", "{}", id="a"), call("route", "{}", id="b")]},
        [ToolRequest("a", "find", "{}"), ToolRequest("b", "route", "{}")],
    ),
    "object": (
        {"tool_calls": [call("find", {"q": "ä", "k": 1}, id="a")]},
        [ToolRequest("a", "find", '{"k":1,"q":"ä"}')],
    ),
    "no-id": ({"tool_calls": [call("find", "{}")]}, [ToolRequest("call_0", "find", "{}")]),
    "doubled-id": (
        {"tool_calls": [call("find", "{}", id="a"), call("find", "{}", id="a")]},
        [ToolRequest("a", "find", "{}"), ToolRequest("call_1", "find", "{}")],
    ),
    "id-that-is-taken": (
        {"tool_calls": [call("find", "{}", id=7), call("find", "{}", id="call_0")]},
        [ToolRequest("call_0_", "find", "{}"), ToolRequest("call_0", "find", "{}")],
    ),
    "former": (
        {"function_call": {"name": "find", "arguments": "{}"}},
        [ToolRequest("call_0", "find", "{}")],
    ),
    "without-a-function": (
        {"tool_calls": [{"id": "a", "name": "find", "arguments": {"q": 1}}]},
        [ToolRequest("a", "find", '{"q":1}')],
    ),
    "not-a-list": ({"tool_calls": call("find", "", id="a")}, [ToolRequest("a", "find", NO_ARGUMENTS)]),
    "null-arguments": ({"tool_calls": [call("find", None, id="a")]}, [ToolRequest("a", "find", "{}")]),
    "half-a-json": ({"tool_calls": [call("find", '{"q": ', id="a")]}, [ToolRequest("a", "find", '{"q": ')]),
    "no-name": ({"tool_calls": [call(None, "{}", id="a")]}, [ToolRequest("a", "", "{}")]),
    "no-object": ({"tool_calls": ["find"]}, [ToolRequest("call_0", "", "{}")]),
    "none": ({"content": "B", "tool_calls": []}, []),
}


@pytest.mark.parametrize(("message", "expected"), FORMS.values(), ids=FORMS)
def test_calls_are_read_in_every_form(message: dict[str, Any], expected: list[ToolRequest]) -> None:
    reply = replied(**message)
    assert (list(reply.tool_calls), reply.tool_fault) == (expected, None)
    assert read_completion(reply.raw) == reply, "a stored answer reads the same again"


def test_more_than_can_be_read_is_left_out_and_said() -> None:
    many = replied(tool_calls=[call("find", "{}", id=f"c{place}") for place in range(70)])
    assert [one.id for one in many.tool_calls] == [f"c{place}" for place in range(MOST_REQUESTS)]
    assert many.tool_fault == "The answer asks for 70 tool calls; only the first 64 are read."

    (long,) = replied(tool_calls=[call("find", '{"q": "' + "x" * 70_000 + '"}', id="a")]).tool_calls
    assert (len(long.arguments_text), long.is_cut) == (LONGEST_ARGUMENTS, True)


def test_the_message_goes_back_with_calls_ids_and_thoughts() -> None:
    details = [{"type": "reasoning.encrypted", "data": "abc", "index": 0}]
    reply = replied(
        content="I look.",
        reasoning="Where is it?",
        reasoning_details=details,
        tool_calls=[
            call(
                "find", '{"q":"park"}', id="a", extra_content={"google": {"thought_signature": "s"}}, index=0
            ),
            call("route", ""),
        ],
    )
    assert assistant_message(reply) == {
        "role": "assistant",
        "content": "I look.",
        "reasoning": "Where is it?",
        "reasoning_details": details,
        "tool_calls": [
            {
                "id": "a",
                "type": "function",
                "function": {"name": "find", "arguments": '{"q":"park"}'},
                "extra_content": {"google": {"thought_signature": "s"}},
            },
            {"id": "call_1", "type": "function", "function": {"name": "route", "arguments": "{}"}},
        ],
    }


def test_thoughts_stay_out_where_no_tool_is_asked_for() -> None:
    reply = replied(content="It is B.", reasoning_content="B, I think.")
    plain = {"role": "assistant", "content": "It is B."}
    assert assistant_message(reply) == plain
    assert assistant_message(replied(reasoning="Hm.")) == {"role": "assistant", "content": ""}


def test_thoughts_in_parts_go_back_with_the_calls_and_their_signatures() -> None:
    thought = {"type": "thinking", "thinking": "I look.", "signature": "s"}
    text = {"type": "text", "text": "One moment."}
    parts = [thought, text, {"type": "tool_use", "id": "a", "name": "find", "input": {}}]
    asks = assistant_message(replied(content=parts, tool_calls=[call("find", "{}", id="a")]))
    assert asks["content"] == [thought, text]
    assert assistant_message(replied(content=[thought, text]))["content"] == "One moment."


def test_what_a_server_would_refuse_is_put_right_before_it_goes_back() -> None:
    reply = replied(tool_calls=[call("find it!", '{"q": ', id="a"), call("", "[1]", id="b")])
    sent = [one["function"] for one in assistant_message(reply)["tool_calls"]]
    assert sent == [
        {"name": "find_it_", "arguments": canonical_json({UNREADABLE: '{"q": '})},
        {"name": UNNAMED, "arguments": canonical_json({UNREADABLE: "[1]"})},
    ]
    assert [one.name for one in reply.tool_calls] == ["find it!", ""], "what was asked for is told as it was"


def test_a_reply_that_was_made_without_a_message_can_be_sent_back() -> None:
    asked = ToolRequest("a", "find", "{}")
    sent = assistant_message(Reply(None, "tool_calls", None, {}, tool_calls=(asked,)))
    assert sent["tool_calls"] == [call("find", "{}", id="a")]


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(["{}", '{"a": 1}', "call_0"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["id", "function", "name", "arguments", "type", "extra_content"])
            | st.text(max_size=3),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@given(
    calls=st.lists(anything, min_size=1, max_size=70) | anything, former=anything, content=st.text(max_size=9)
)
def test_whatever_a_model_asks_for_can_be_read_and_sent_back(calls: Any, former: Any, content: str) -> None:
    reply = replied(content=content, tool_calls=calls, function_call=former)
    ids = [one.id for one in reply.tool_calls]
    assert len(ids) == len(set(ids)) <= MOST_REQUESTS
    assert all(ids)

    message = assistant_message(reply)
    sent = message.get("tool_calls", [])
    assert [one["id"] for one in sent] == ids
    assert all(isinstance(json.loads(one["function"]["arguments"]), dict) for one in sent)
    again = read_completion(json.loads(canonical_json(reply.raw)))
    assert again is not None
    assert canonical_json(assistant_message(again)) == canonical_json(message)
    # Read again, as a server would, it asks for the same calls.
    read_back = replied(**message)
    assert [one.id for one in read_back.tool_calls] == ids
    assert assistant_message(read_back).get("tool_calls", []) == sent
