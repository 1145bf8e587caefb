"""Pictures in chat calls: the bytes of those that a call names are put in, and nothing else of it changes."""

import asyncio
import json
from socket import gethostname
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import ProofError
from app.inference.images import ImageBytes, LoadImage, is_on_this_host, with_images
from app.inference.limits import prompt_tokens
from app.inference.picture_tokens import Size, picture_tokens

SHA = "ab" * 32
NAMED = {"type": "image_url", "image_url": {"url": f"asset:{SHA}"}}
OTHER = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}


async def load(sha256: str) -> ImageBytes:
    if sha256 != SHA:
        raise ProofError("there is none")
    return ImageBytes("image/png", b"A")


def sent(content: Any) -> Any:
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": content}]})
    return json.loads(asyncio.run(with_images(body, load)))["messages"][0]["content"]


def test_a_named_picture_is_put_in() -> None:
    words = {"type": "text", "text": '"asset:x" stays'}
    assert sent([words, NAMED, OTHER]) == [
        words,
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,QQ=="}},
        OTHER,
    ]


@pytest.mark.parametrize("content", ["plain", '"asset:x" in words', [OTHER], None])
def test_other_calls_leave_as_they_are(content: Any) -> None:
    assert sent(content) == content


def test_a_picture_that_everybody_may_see_is_a_link_to_a_public_address() -> None:
    async def shown(sha256: str) -> ImageBytes:
        return (await load(sha256))._replace(is_shown=True)

    body = json.dumps({"messages": [{"role": "user", "content": [NAMED]}]})

    def address(load: LoadImage, public_url: str | None) -> str:
        sent = json.loads(asyncio.run(with_images(body, load, public_url)))
        url: str = sent["messages"][0]["content"][0]["image_url"]["url"]
        return url

    assert address(shown, "https://maps.example.org") == f"https://maps.example.org/v1/assets/{SHA}"
    assert address(shown, None) == address(load, "https://maps.example.org") == "data:image/png;base64,QQ=="


@pytest.mark.parametrize(
    ("url", "is_here"),
    [
        ("http://127.0.0.1:8000/v1", True),
        ("http://127.8.9.1/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://0.0.0.0:8000/v1", True),
        ("http://LocalHost:8000/v1", True),
        ("http://vllm.localhost/v1", True),
        (f"http://{gethostname()}:8000/v1", True),
        ("https://api.example.org/v1", False),
        ("http://192.168.1.7:8000/v1", False),
        ("http://localhost.example.org/v1", False),
    ],
)
def test_which_endpoints_are_on_this_host(url: str, is_here: bool) -> None:
    assert is_on_this_host(url) == is_here


def test_a_picture_that_is_not_there_is_told() -> None:
    with pytest.raises(ProofError, match="there is none"):
        sent([{"type": "image_url", "image_url": {"url": "asset:none"}}])


@pytest.mark.parametrize(
    ("size", "detail", "tokens"),
    [
        # The examples of OpenAI's documentation.
        (Size(1024, 1024), "high", 765),
        (Size(2048, 4096), "high", 1105),
        (Size(4096, 8192), "low", 85),
        # One tile, two tiles, and what is not scaled up.
        (Size(512, 512), "high", 255),
        (Size(513, 512), None, 425),
        (Size(1, 1), "auto", 255),
        # Nothing comes to more than what a picture of unknown size is reckoned with.
        (Size(100_000, 768), "high", 85 + 4 * 170),
        (Size(2048, 768), "high", 1445),
        (None, "high", 1445),
        (None, "low", 85),
    ],
)
def test_a_picture_counts_by_its_tiles(size: Size | None, detail: str | None, tokens: int) -> None:
    assert picture_tokens(size, detail) == tokens


@given(width=st.integers(1, 20_000), height=st.integers(1, 20_000))
def test_no_picture_counts_more_than_an_unknown_one(width: int, height: int) -> None:
    assert 255 <= picture_tokens(Size(width, height), "auto") <= picture_tokens(None, None)
    assert picture_tokens(Size(width, height), "auto") == picture_tokens(Size(height, width), "high")


def test_a_prompt_counts_pictures_by_size_and_detail() -> None:
    words = {"type": "text", "text": "abcd" * 10}
    small = {"type": "image_url", "image_url": {"url": f"asset:{SHA}", "detail": "low"}}
    body = {"messages": [{"role": "user", "content": [words, NAMED, small, OTHER]}]}
    assert prompt_tokens(body, {SHA: Size(1024, 1024)}.get) == 10 + 765 + 85 + 1445
    assert prompt_tokens(body) == 10 + 1445 + 85 + 1445
    assert prompt_tokens({"messages": [{"role": "user", "content": "abcd" * 10}]}) == 10


def test_a_prompt_counts_tools_calls_results_and_thoughts() -> None:
    function = {"name": "find", "arguments": '{"q":"park"}'}
    messages = [
        {"role": "system", "content": "abcd"},
        {
            "role": "assistant",
            "content": None,
            "reasoning_content": "abcdabcd",
            "tool_calls": [{"id": "call_0", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "call_0", "content": "abcdabcdabcd"},
    ]
    without = prompt_tokens({"messages": messages})
    assert without == (4 + 8 + len("find") + len(function["arguments"]) + 12) / 4
    tools = [{"type": "function", "function": {"name": "find", "parameters": {"type": "object"}}}]
    told = '[{"function":{"name":"find","parameters":{"type":"object"}},"type":"function"}]'
    assert prompt_tokens({"messages": messages, "tools": tools}) == without + len(told) / 4
