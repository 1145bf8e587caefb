"""Whether a model can continue the canary of a data set: then it has seen its files. Asks an endpoint only."""

import asyncio
from collections.abc import Callable, Iterable
from typing import NamedTuple

from app.core.errors import EndpointUnavailable
from app.inference.bodies import MAX_TOKENS
from app.inference.chat import ChatClient, Endpoint
from app.inference.needs import ask_for
from app.inference.outcomes import Failure, Reply
from app.inference.trials import ROOM

TOLD = 13
"""Characters of a canary that the model is told: its first 12 of 32 hexadecimal digits."""
LAST = 12
"""Digits of its last group: whoever says them has not guessed, since one guess in 16^12 is right."""
PROMPT = (
    "The text below is the beginning of the description of a data set. Continue it: write the rest of the canary, and "
    "nothing else.\n\n"
    "These data are for evaluation, not for training. Canary: `{told}"
)


class CanaryAnswer(NamedTuple):
    """What a model said, and whether it knew the rest of the canary."""

    said: str
    knows: bool


def ask_canaries(
    endpoint: Endpoint,
    canaries: Iterable[str],
    timeout_seconds: float,
    keep: Callable[[str, CanaryAnswer], None],
) -> None:
    """Ask for the rest of each canary, one call each; `keep` is given each answer before the next call.

    Raises EndpointUnavailable where a call has no answer.
    """
    asyncio.run(_ask(endpoint, canaries, timeout_seconds, keep))


async def _ask(
    endpoint: Endpoint,
    canaries: Iterable[str],
    timeout_seconds: float,
    keep: Callable[[str, CanaryAnswer], None],
) -> None:
    client = ChatClient(timeout_seconds)
    try:
        for canary in canaries:
            call = ask_for(endpoint, PROMPT.format(told=canary[:TOLD]), **{MAX_TOKENS: ROOM})
            outcome = await client.complete(endpoint, call)
            if isinstance(outcome, Failure):
                raise EndpointUnavailable(
                    f"The endpoint did not continue the canary {canary[:TOLD]}…: {outcome.reason}. What it answered "
                    "before is stored; give the command again."
                )
            keep(canary, judge(canary, outcome))
    finally:
        await client.close()


def judge(canary: str, reply: Reply) -> CanaryAnswer:
    """Whether an answer, or the thoughts before it, has the last digits of the canary. Pure."""
    said = reply.content or ""
    words = "".join(f"{reply.reasoning or ''} {said}".lower().split())
    return CanaryAnswer(said, canary[-LAST:] in words)
