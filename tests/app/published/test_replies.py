"""What readers see of the calls that a model asks for."""

import json
import time

import pytest

from app.core.strict_json import DEEPER
from app.published.replies import readable_arguments, take_apart


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ('{"query": "Universit\\u00e4t"}', '{"query": "Universität"}'),
        ('{"query":  "Adler"}', '{"query":  "Adler"}'),
        ('{"query": "\\u00e4', '{"query": "\\u00e4'),
        ('{"query": "\\ud800"}', '{"query": "?"}'),
    ],
)
def test_letters_are_shown_as_letters(written: str, shown: str) -> None:
    assert readable_arguments(written) == shown


def test_an_action_that_no_page_could_hold_is_shown_as_far_as_it_can_be() -> None:
    text = '{"action": "a\\ud800", "arguments": {"b": "\\udfff", "c": ' + "[" * 400 + "]" * 400 + "}}"
    (call,) = take_apart({"choices": [{"message": {"content": text}}]}).wanted
    call.model_dump_json().encode()
    assert call.tool == "a?"
    assert json.loads(call.arguments)["b"] == "?"
    assert DEEPER in call.arguments


@pytest.mark.parametrize("piece", ['{"a":', "{", '{"a":' * 900 + "\n"])
def test_braces_without_end_are_looked_through_quickly(piece: str) -> None:
    began = time.process_time()
    for _ in range(20):
        assert take_apart({"choices": [{"message": {"content": piece * 10_000}}]}).wanted == ()
    assert time.process_time() - began < 1
