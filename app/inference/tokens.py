"""How many tokens a call takes: as reckoned before it leaves, and as its answer counts them."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from app.inference.bodies import longest_answer
from app.inference.limits import CHARACTERS_A_TOKEN, UNKNOWN_ANSWER, prompt_tokens
from app.inference.outcomes import Failure, Reply
from app.inference.picture_tokens import SizeOf, unknown_size

MOST_TOKENS = 2**31 - 1
COUNTED_AT_MOST = 1e9
"""Tokens that one call is believed to have taken."""


class Tokens(NamedTuple):
    """Tokens of prompts and of answers."""

    prompt: int = 0
    completion: int = 0


def reckoned(body: Mapping[str, Any], size_of: SizeOf = unknown_size) -> Tokens:
    """What a call is reckoned to take before it leaves: its prompt, and the longest answer that it allows.

    One that names none is reckoned with 256. `size_of` knows the sizes of the pictures that the prompt shows.
    """
    longest = longest_answer(body)
    completion = round(UNKNOWN_ANSWER) if longest is None else longest
    return Tokens(math.ceil(prompt_tokens(body, size_of)), min(completion, MOST_TOKENS))


def taken(outcome: Reply | Failure, before: Tokens) -> Tokens:
    """What a call took: as its answer counts it, else as reckoned `before` and by the answer's length.

    A call that failed is taken to cost what the endpoint counted all the same, else nothing.
    """
    usage = outcome.usage or {}
    prompt, completion = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    if isinstance(outcome, Failure):
        return Tokens(prompt or 0, completion or 0)
    if prompt is None and completion is None:
        return Tokens(before.prompt, math.ceil(_written(outcome) / CHARACTERS_A_TOKEN))
    return Tokens(prompt or 0, completion or 0)


def _written(reply: Reply) -> int:
    """Characters that the model wrote: its answer, its thoughts, and the calls that it asks for."""
    asked = sum(len(one.name) + len(one.arguments_text) for one in reply.tool_calls)
    return len(reply.content or "") + len(reply.reasoning or "") + asked


def _count(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return round(max(0.0, min(COUNTED_AT_MOST, value)))
