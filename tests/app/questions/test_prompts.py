"""Prompts of several parts: what is a part, and how it reads as text, in a chat call, in an export and on a page."""

from typing import Any

import pytest

from app.core.errors import ProofError
from app.core.identity import digest
from app.questions.prompts import (
    chat_content,
    exported_parts,
    hash_prompt,
    images_of,
    is_text_alone,
    prompt_as_text,
    published_parts,
    read_parts,
    text_prompt,
)

SHA = "ab" * 32
IMAGE = {"type": "image", "sha256": SHA, "media_type": "image/png", "alt": "a map of the centre"}
CONTEXT = {"type": "context", "title": "Information of Krone", "document": {"b": [1, "Ä"], "a": None}}
RICH = [CONTEXT, IMAGE, *text_prompt("Which is nearer?")]


def test_text_alone_is_what_it_was() -> None:
    prompt = text_prompt("Where?")
    assert prompt == [{"type": "text", "text": "Where?"}]
    assert prompt_as_text(prompt) == chat_content(prompt, "Where?") == "Where?"
    assert hash_prompt(prompt, ["A", "B"]) == digest([{"type": "text", "text": "Where?"}], ["A", "B"])
    assert hash_prompt(prompt, None) == digest(prompt, None)
    assert is_text_alone(prompt)
    assert published_parts(prompt) is None


def test_every_part_has_words_in_order() -> None:
    assert prompt_as_text(RICH) == (
        "Information of Krone:\n"
        '{\n  "a": null,\n  "b": [\n    1,\n    "Ä"\n  ]\n}\n\n'
        "[Image: a map of the centre]\n\n"
        "Which is nearer?"
    )


def test_a_chat_call_holds_the_images_after_the_text() -> None:
    assert chat_content(RICH, "all words") == [
        {"type": "text", "text": "all words"},
        {"type": "image_url", "image_url": {"url": f"asset:{SHA}"}},
    ]
    assert chat_content([CONTEXT, *text_prompt("x")], "all words") == "all words"


def test_exports_and_pages_say_where_the_picture_is() -> None:
    assert exported_parts(RICH)[1] == IMAGE | {"file": f"assets/{SHA}.png"}
    assert exported_parts(RICH)[0] == CONTEXT
    shown = published_parts(RICH)
    assert shown is not None
    assert shown[1]["url"] == f"/v1/assets/{SHA}"
    assert shown[0]["text"].startswith('{\n  "a": null')


def test_the_hash_tells_pictures_documents_and_order_apart() -> None:
    other = IMAGE | {"sha256": "cd" * 32}
    prompts: list[list[Any]] = [
        RICH,
        RICH[::-1],
        [CONTEXT, other, RICH[2]],
        [CONTEXT | {"document": {}}, *RICH[1:]],
    ]
    assert len({hash_prompt(prompt, None) for prompt in prompts}) == 4


def test_images_are_named_once() -> None:
    assert [one.sha256 for one in images_of([RICH, RICH, text_prompt("x")])] == [SHA]


@pytest.mark.parametrize(
    "part",
    [
        {},
        {"type": "text"},
        {"type": "text", "text": 3},
        {"type": "text", "text": "a", "more": 1},
        {"type": "context", "title": "a"},
        IMAGE | {"sha256": SHA[:-1]},
        IMAGE | {"sha256": SHA.upper()},
        IMAGE | {"media_type": "image/svg+xml"},
        {"type": "video", "sha256": SHA},
    ],
)
def test_what_is_no_part_is_refused(part: dict[str, Any]) -> None:
    with pytest.raises(ProofError, match="no part of a prompt"):
        read_parts([part])


def test_a_prompt_without_parts_is_refused() -> None:
    with pytest.raises(ProofError, match="at least one part"):
        read_parts([])
