"""The ways in which a run shows a question, and their keys."""

from app.core.identity import digest
from app.predictions.presentations import (
    CONTEXT,
    LEFT_OUT,
    ROTATED,
    Presentation,
    is_rotated,
    leaves_out_contexts,
    presentations,
)
from app.questions.prompts import context_of, prompt_as_text, without_contexts, words_of


def test_a_plain_run_has_one_and_its_key_is_as_ever() -> None:
    for plain in ({}, {"prompt": "published"}):
        assert not is_rotated(plain)
        assert presentations(plain, 4) == presentations(plain, None) == [Presentation(digest(plain), 0)]


def test_a_rotated_run_has_one_a_rotation() -> None:
    of_run = {**ROTATED, "prompt": "published"}
    assert is_rotated(of_run)
    for options in (4, 5):
        found = presentations(of_run, options)
        assert [one.rotation for one in found] == list(range(options))
        assert len({one.key for one in found} | {digest(of_run), digest({})}) == options + 2
    assert presentations(of_run, None) == presentations(of_run, 4)[:1]
    assert not {one.key for one in presentations(ROTATED, 4)} & {one.key for one in presentations(of_run, 4)}


def test_a_run_may_leave_out_contexts() -> None:
    prompt = [
        {"type": "context", "title": "Context", "document": "Information of Krone:\n- Type: hotel."},
        {"type": "text", "text": "What is Krone?"},
    ]
    assert prompt_as_text(prompt) == "Context:\nInformation of Krone:\n- Type: hotel.\n\nWhat is Krone?"
    assert context_of(prompt) == "Information of Krone:\n- Type: hotel."
    assert words_of(prompt) == prompt_as_text(without_contexts(prompt)) == "What is Krone?"
    assert leaves_out_contexts({CONTEXT: LEFT_OUT})
    assert not leaves_out_contexts({"rotate": True})
