"""How many tokens a call takes: as reckoned before it leaves, and as its answer counts them."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from app.inference.bodies import longest_answer
from app.inference.limits import CHARACTERS_A_TOKEN, UNKNOWN_ANSWER, prompt_tokens
from app.inference.outcomes import Failure, Reply

MOST_TOKENS = 2**31 - 1
COUNTED_AT_MOST = 1e9
"""Tokens that one call is believed to have taken."""


class Tokens(NamedTuple):
    """Tokens of prompts and of answers."""

    prompt: int = 0
    completion: int = 0


def reckoned(body: Mapping[str, Any]) -> Tokens:
    """What a call is reckoned to take before it leaves: its prompt, and the longest answer that it allows.

    One that names none is reckoned with 256.
    """
    longest = longest_answer(body)
    completion = round(UNKNOWN_ANSWER) if longest is None else longest
    return Tokens(math.ceil(prompt_tokens(body)), min(completion, MOST_TOKENS))


def taken(outcome: Reply | Failure, before: Tokens) -> Tokens:
    """What a call took: as its answer counts it, else as reckoned `before` and by the answer's length.

    A call that failed is taken to cost what the endpoint counted all the same, else nothing.
    """
    usage = outcome.usage or {}
    prompt, completion = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    if isinstance(outcome, Failure):
        return Tokens(prompt or 0, completion or 0)
    if prompt is None and completion is None:
        return Tokens(before.prompt, math.ceil(len(outcome.content or "") / CHARACTERS_A_TOKEN))
    return Tokens(prompt or 0, completion or 0)


def _count(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return round(max(0.0, min(COUNTED_AT_MOST, value)))
