"""What HTTP answers mean: failures within HTTP 200 in every form that servers write them, and answers in parts."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.inference.completions import Fetched, read_answer, read_completion, read_retry_after
from app.inference.outcomes import Failure, Reply

JSON = "application/json"


def read(body: Any, status: int = 200, content_type: str = JSON, **more: Any) -> Reply | Failure:
    text = body if isinstance(body, str) else json.dumps(body)
    return read_answer(Fetched(status, content_type, text, **more))


def chat(content: Any = "A", finish: str | None = "stop", **choice: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": content}
    return {"choices": [{"index": 0, "message": message, "finish_reason": finish, **choice}]}


BROKEN_OFF = {"code": 502, "message": "the upstream was idle for too long"}
WITHIN_SUCCESS = {
    "number": (
        {"error": {"message": "the provider failed", "code": 502}},
        True,
        False,
        "the provider failed",
    ),
    "digits": ({"error": {"message": "the provider failed", "code": "502"}}, True, False, "code 502"),
    "word": ({"error": {"message": "slower", "code": "rate_limit_exceeded"}}, True, True, "code 429"),
    "type": ({"type": "error", "error": {"type": "overloaded_error", "message": "full"}}, True, True, "full"),
    "class": ({"object": "error", "message": "no", "type": "BadRequestError"}, False, False, "code 400"),
    "class-and-code": (
        {"object": "error", "message": "no", "type": "NotFoundError", "code": 404},
        False,
        False,
        "no",
    ),
    "refused": ({"error": {"message": "no such field", "code": 400}}, False, False, "code 400"),
    "limited": ({"error": {"message": "slower", "code": 429}}, True, True, "slower"),
    "limited-status": ({"error": {"message": "slower", "status": "RESOURCE_EXHAUSTED"}}, True, True, "429"),
    "text": ({"error": "the provider failed"}, True, False, "“the provider failed”"),
    "text-of-a-limit": ({"error": "Rate limit reached"}, True, True, "code 429"),
    "text-of-a-model": ({"error": "model 'm' not found"}, False, False, "code 404"),
    "text-with-code": ({"error": "503 Service Unavailable"}, True, True, "code 503"),
    "a-number-alone": ({"error": 503}, True, True, "code 503"),
    "true-and-message": ({"error": True, "message": "it broke", "code": 500}, True, False, "it broke"),
    "code-beside": ({"error": {"message": "it broke"}, "status": 400}, False, False, "code 400"),
    "list": ([{"error": {"code": 503, "message": "full", "status": "UNAVAILABLE"}}], True, True, "full"),
    "errors": ({"success": False, "errors": [{"code": 429, "message": "slower"}]}, True, True, "slower"),
    "detail": ({"detail": "Internal Server Error"}, True, False, "Internal Server Error"),
    "details": (
        {"detail": [{"loc": ["body", "seed"], "msg": "extra field", "type": "extra_forbidden"}]},
        True,
        False,
        "body.seed: extra field",
    ),
    "message": ({"message": "it broke"}, True, False, "it broke"),
    "message-and-choices": ({"message": "it broke", "choices": []}, True, False, "it broke"),
    "base-resp": (
        {"choices": None, "base_resp": {"status_code": 1002, "status_msg": "rate limit"}},
        True,
        True,
        "rate limit",
    ),
    "raw": (
        {"error": {"message": "provider error", "code": 502, "metadata": {"raw": "upstream: full"}}},
        True,
        False,
        "upstream: full",
    ),
    "beside-an-answer": (chat() | {"error": {"message": "it broke", "code": 500}}, True, False, "it broke"),
    "no-choices": ({"id": "x", "choices": []}, True, False, "without choices"),
    "null-choices": ({"id": "x", "choices": None, "usage": None}, True, False, "without choices"),
    "absent-choices": ({"id": "x", "object": "chat.completion"}, True, False, "without choices"),
    "nothing": ({}, True, False, "without choices"),
    "null": ("null", True, False, "without choices"),
    "empty-choice": ({"choices": [{}]}, True, False, "without a message"),
    "null-choice": ({"choices": [None]}, True, False, "without a choice"),
    "null-message": (
        {"choices": [{"message": None, "finish_reason": "stop"}]},
        True,
        False,
        "without a message",
    ),
    "finish": (chat("", "error"), True, False, "finish_reason error"),
    "finish-partial": (chat("I think it is A, but let me", "error"), True, False, "broke its answer off"),
    "finish-letter": (chat("A", "error", error=BROKEN_OFF), True, False, "code 502"),
    "finish-refused": (chat("A", "error", error={"code": 400, "message": "no"}), False, False, "code 400"),
    "finish-abort": (chat("A", "abort"), True, False, "finish_reason abort"),
    "finish-network": (chat("A", "network_error"), True, False, "broke its answer off"),
    "error-in-choice": (chat("A", "stop", error=BROKEN_OFF), True, False, "idle for too long"),
    "unended": (chat(None, None), True, False, "neither an answer nor a reason"),
    "number-as-content": (chat(7), True, False, "content that is not a text"),
    "an-object-without-text": (chat({"answer": "B"}), True, False, "none of which is text"),
    "objects-without-text": (chat([{"answer": "B"}, {}]), True, False, "none of which is text"),
    "parts-without-text": (
        chat([{"type": "image_url", "image_url": "x"}]),
        True,
        False,
        "none of which is text",
    ),
}


@pytest.mark.parametrize(("body", "heals", "limited", "words"), WITHIN_SUCCESS.values(), ids=WITHIN_SUCCESS)
def test_a_failure_within_success_is_read_by_its_code(
    body: Any, heals: bool, limited: bool, words: str
) -> None:
    failure = read(body)
    assert isinstance(failure, Failure)
    assert (failure.heals, failure.limited, failure.exhausted) == (heals, limited, False), failure.reason
    assert words in failure.reason
    assert failure.http_status == 200
    assert read_completion(json.loads(json.dumps(body)) if not isinstance(body, str) else None) is None


@pytest.mark.parametrize(
    ("text", "content_type", "heals", "words"),
    [
        ("<html><title>502 Bad Gateway</title></html>", "text/html", True, "(code 502): “502 Bad Gateway”"),
        ("<html><head><title>Just a moment</title>", "text/html", True, "a web page, not JSON"),
        ("<h1>404 page not found</h1>", "text/html", False, "code 404"),
        ("<?xml version='1.0'?><Error/>", "application/xml", True, "a web page"),
        ("error code: 524", "text/plain", True, "code 524"),
        ("upstream connect error", "text/plain", True, "not JSON"),
        ("no such model", "text/plain", False, "code 404"),
        ('{"choices": [{"message": {"content": "404', JSON, True, "not JSON"),
        ("", JSON, True, "not JSON"),
        ('data: {"choices": []}\n\ndata: [DONE]\n', "text/event-stream", False, "a stream of events"),
    ],
)
def test_what_is_no_json_is_the_endpoints(text: str, content_type: str, heals: bool, words: str) -> None:
    failure = read(text, content_type=content_type)
    assert isinstance(failure, Failure)
    assert (failure.heals, words in failure.reason) == (heals, True), failure.reason


EXHAUSTED = {
    "quota-words": {"message": "You exceeded your current quota, check your plan and billing details."},
    "quota-type": {"message": "no", "type": "insufficient_quota"},
    "quota-code": {"message": "no", "code": "insufficient_quota"},
    "hard-limit": {"message": "no", "code": "billing_hard_limit_reached"},
    "balance": {"message": "Insufficient Balance"},
    "credits": {"message": "Your credit balance is too low to use this API."},
    "more-credits": {"message": "This request requires more credits, or fewer tokens."},
    "text": "insufficient credits; top up to go on",
}
PACE = {
    "limit-with-billing": "Rate limit reached for m on requests per min. Limit: 3. Please try again in 20s. Add a "
    "payment method under account/billing.",
    "quota-a-minute": "Quota exceeded for requests per minute per project.",
    "retry-in": "You exceeded your current quota, please check your plan and billing. Please retry in 34.07s.",
    "plain": "Too many requests",
}


@pytest.mark.parametrize("error", EXHAUSTED.values(), ids=EXHAUSTED)
@pytest.mark.parametrize("status", [200, 429])
def test_an_exhausted_quota_is_final(error: Any, status: int) -> None:
    failure = read({"error": error}, status)
    assert isinstance(failure, Failure)
    assert (failure.exhausted, failure.heals, failure.limited, failure.retry_after) == (
        True,
        False,
        False,
        None,
    )
    assert "its quota is exhausted" in failure.reason


@pytest.mark.parametrize("words", PACE.values(), ids=PACE)
def test_a_limit_of_pace_is_no_exhausted_quota(words: str) -> None:
    failure = read({"error": {"message": words}}, 429)
    assert isinstance(failure, Failure)
    assert (failure.exhausted, failure.heals, failure.limited) == (False, True, True)


def test_a_wait_that_is_named_beats_words_of_billing_but_no_code() -> None:
    for error, exhausted in (({"message": "see billing"}, False), ({"code": "insufficient_quota"}, True)):
        failure = read({"error": error}, 429, retry_after=5.0)
        assert isinstance(failure, Failure)
        assert (failure.exhausted, failure.retry_after) == (exhausted, None if exhausted else 5.0)


@pytest.mark.parametrize("status", [402, 400, 403])
def test_money_that_is_lacking_is_told_by_status_and_words(status: int) -> None:
    failure = read({"error": {"message": "Payment Required" if status == 402 else "add credits"}}, status)
    assert isinstance(failure, Failure)
    assert failure.exhausted


@pytest.mark.parametrize(
    ("location", "told"),
    [
        ("https://h.example/v1/chat/completions/", "it leads to https://h.example/v1/chat/completions/,"),
        ("https://me:secret@h.example:8443/v1?key=secret#secret", "it leads to https://h.example:8443/v1,"),
        ("http://[::1]:80/v1", "it leads to http://[::1]:80/v1,"),
        ("http://[broken", "it does not say where to"),
        (None, "it does not say where to"),
    ],
)
def test_a_redirect_says_where_to_and_keeps_secrets(location: str | None, told: str) -> None:
    failure = read("", 308, "text/plain", location=location)
    assert isinstance(failure, Failure)
    assert (failure.heals, told in failure.reason) == (False, True), failure.reason
    assert "secret" not in failure.reason


def test_what_looks_like_a_key_is_not_told() -> None:
    failure = read({"error": {"message": "bad key sk-abcdef123456 in Bearer abc.def-123456"}}, 401)
    assert isinstance(failure, Failure)
    assert "abcdef" not in failure.reason
    assert "abc.def" not in failure.reason
    assert "[key]" in failure.reason


def test_words_of_a_server_do_nothing_to_a_terminal() -> None:
    failure = read({"error": {"message": "no \x1b[31mred\x07 \u202eoracle", "code": 400}}, 400)
    assert isinstance(failure, Failure)
    assert failure.reason.isprintable()


THOUGHT = {"type": "thinking", "thinking": [{"type": "text", "text": "Perhaps B."}]}


@pytest.mark.parametrize(
    ("content", "said", "thought"),
    [
        ([{"type": "text", "text": "A"}], "A", None),
        ([{"type": "text", "text": "It is "}, {"type": "text", "text": "A"}], "It is A", None),
        ([THOUGHT, {"type": "text", "text": "A"}], "A", "Perhaps B."),
        (
            [{"type": "reasoning", "text": "Perhaps B."}, {"type": "output_text", "text": "A"}],
            "A",
            "Perhaps B.",
        ),
        ([{"type": "thinking", "thinking": "Perhaps B."}, "A"], "A", "Perhaps B."),
        ([{"type": "text", "text": {"value": "A", "annotations": []}}], "A", None),
        ({"type": "text", "text": "A"}, "A", None),
        ([{"type": "text", "text": "A"}, {"type": "reference", "reference_ids": [1]}], "A", None),
        ([THOUGHT], None, "Perhaps B."),
        ([{"type": "refusal", "refusal": "I will not."}], None, None),
        ([{"type": "text", "text": ""}], "", None),
        ([], None, None),
    ],
)
def test_content_in_parts_is_read_and_thoughts_are_kept_apart(
    content: Any, said: str | None, thought: str | None
) -> None:
    reply = read(chat(content))
    assert isinstance(reply, Reply)
    assert (reply.content, reply.reasoning) == (said, thought)
    assert read_completion(reply.raw) == reply


def test_thoughts_in_a_field_of_their_own_are_no_answer() -> None:
    for name in ("reasoning_content", "reasoning"):
        raw = chat(None)
        raw["choices"][0]["message"][name] = "It is A."
        reply = read(raw)
        assert isinstance(reply, Reply)
        assert (reply.content, reply.reasoning) == (None, "It is A.")


def test_what_a_failed_call_took_is_kept() -> None:
    failure = read(chat("A", "error") | {"usage": {"prompt_tokens": 9, "completion_tokens": 4}})
    assert isinstance(failure, Failure)
    assert failure.usage == {"prompt_tokens": 9, "completion_tokens": 4}


@pytest.mark.parametrize(
    "body",
    [
        chat() | {"errors": [{"message": "it broke"}]},
        chat() | {"error_code": 7, "error_msg": "it broke"},
        chat() | {"object": "error", "code": 500},
        chat() | {"code": 503},
        chat() | {"success": False},
        chat() | {"status": "error"},
        chat() | {"base_resp": {"status_code": 1002, "status_msg": "slower"}},
        {
            "choices": [
                {"message": {"content": "A", "error": {"message": "it broke"}}, "finish_reason": "stop"}
            ]
        },
        chat([{"type": "text", "text": "A"}, {"type": "error", "message": "it broke"}]),
        chat({"error": "it broke"}),
        chat(finish="model_error"),
        chat(finish=" Error "),
        chat(finish="engine_error"),
        chat(native_finish_reason="error"),
        chat(finish={"reason": "error"}),  # type: ignore[arg-type]
        chat("", finish="OTHER"),
        chat("", finish="MALFORMED_FUNCTION_CALL"),
        chat("", finish=""),
        chat("") | {"detail": "Internal Server Error"},
    ],
)
def test_a_failure_beside_an_answer_is_no_answer(body: Any) -> None:
    assert isinstance(read(body), Failure)


@pytest.mark.parametrize(("status", "said"), [(202, ""), (206, "A")])
def test_a_status_of_no_whole_answer(status: int, said: str) -> None:
    assert isinstance(read(chat(said), status), Failure)


@pytest.mark.parametrize(
    "more",
    [
        {"object": "chat.completion", "status": "completed", "success": True, "code": 0, "errors": []},
        {"base_resp": {"status_code": 0, "status_msg": "success"}, "error_code": 0, "error_msg": ""},
        {"code": 200, "message": "Success", "fault": None},
    ],
)
def test_words_of_success_are_no_failure(more: dict[str, Any]) -> None:
    reply = read(chat() | more)
    assert isinstance(reply, Reply)
    assert reply.content == "A"


@pytest.mark.parametrize("finish", ["stop", "length", "STOP", "content_filter", "eos"])
def test_silence_is_the_models_where_its_end_is_known(finish: str) -> None:
    assert isinstance(read(chat("", finish=finish)), Reply)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("\n   \n\n" + json.dumps(chat()), 200),
        (": PROCESSING\n\n: PROCESSING\n\n" + json.dumps(chat()), 200),
        (chat(), 201),
        (chat() | {"error": None}, 200),
        (chat() | {"error": {"code": 0, "message": ""}}, 200),
        (chat(error=None), 200),
        (chat() | {"message": "ok", "detail": None}, 200),
    ],
)
def test_answers_that_are_good_all_the_same(body: Any, status: int) -> None:
    reply = read(body, status)
    assert isinstance(reply, Reply)
    assert reply.content == "A"


def test_json_that_is_called_a_page_is_read() -> None:
    assert isinstance(read(chat(), content_type="text/html"), Reply)


@pytest.mark.parametrize(("said", "seconds"), [("300", 0.3), ("1e9", 300.0), ("soon", 7.0), ("nan", 7.0)])
def test_a_wait_in_milliseconds(said: str, seconds: float) -> None:
    assert read_retry_after("7", None, said) == seconds


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda of: (
        st.lists(of, max_size=3)
        | st.dictionaries(
            st.sampled_from(["error", "code", "message", "choices", "type", "detail", "loc"]), of
        )
    ),
    max_leaves=10,
)


@given(VALUES, st.sampled_from([200, 201, 400, 429, 500]))
@example([{"error": None, "choices": [None]}], 200)
def test_whatever_a_server_says_is_a_value(body: Any, status: int) -> None:
    """Never an exception; never an answer without a text, a thought or an end."""
    outcome = read(body, status)
    assert isinstance(outcome, Failure)
    assert len(outcome.reason) < 300
