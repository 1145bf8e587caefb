"""Pictures in chat calls: the bytes of those that a call names are put in, and nothing else of it changes."""

import asyncio
import json
from typing import Any

import pytest

from app.core.errors import ProofError
from app.inference.images import ImageBytes, with_images
from app.inference.limits import TOKENS_A_PICTURE, prompt_tokens

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


def test_a_picture_that_is_not_there_is_told() -> None:
    with pytest.raises(ProofError, match="there is none"):
        sent([{"type": "image_url", "image_url": {"url": "asset:none"}}])


def test_a_picture_counts_as_many_tokens() -> None:
    words = {"type": "text", "text": "abcd" * 10}
    in_parts = prompt_tokens({"messages": [{"role": "user", "content": [words, NAMED, NAMED]}]})
    assert in_parts == 10 + 2 * TOKENS_A_PICTURE
    assert prompt_tokens({"messages": [{"role": "user", "content": "abcd" * 10}]}) == 10
