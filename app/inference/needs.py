"""Which fields of a call a server does not take, found by leaving them away one after the other.

Reads an endpoint; writes nothing. A call that it takes as runs send it costs one call and finds nothing.
"""

from dataclasses import dataclass
from typing import Any

from app.inference.bodies import MAX_COMPLETION_TOKENS, MAX_TOKENS, shaped
from app.inference.chat import ChatClient, Endpoint
from app.inference.checking import REFUSES_FIELDS
from app.inference.outcomes import Failure, Reply

LONGEST_TRIAL = 32
ROOM_TO_THINK = 8_192
"""The longest answer that is suggested to a server that wants it by its newer name: its models think first."""
TRIED: dict[str, Any] = {MAX_TOKENS: LONGEST_TRIAL, "temperature": 0, "seed": 0}
"""What runs send beside model and messages."""


@dataclass(frozen=True)
class Needs:
    """A reply that the server gave, the fields that had to be set or left away for it, and why, in sentences."""

    reply: Reply
    body: dict[str, Any]
    sentences: tuple[str, ...] = ()


def ask_for(endpoint: Endpoint, content: str | list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """A call as runs make it, shaped by the endpoint's body; `more` are further fields of it."""
    messages = [{"role": "user", "content": content}]
    return shaped({"model": endpoint.model, "messages": messages, **TRIED, **more}, endpoint.body)


async def find_needs(client: ChatClient, endpoint: Endpoint) -> Needs | Failure:
    """What the server needs so that it answers; the failure of a call that names nothing but what it must."""
    whole = ask_for(endpoint, "Answer with the letter A.")
    outcome = await client.complete(endpoint, whole)
    if isinstance(outcome, Reply):
        return Needs(outcome, {})
    if not _may_refuse_fields(outcome):
        return outcome
    call = {
        name: value for name, value in whole.items() if name not in TRIED and name != MAX_COMPLETION_TOKENS
    }
    reply = await client.complete(endpoint, call)
    if isinstance(reply, Failure):
        return reply
    body: dict[str, Any] = {}
    sentences: list[str] = []
    for name in (*TRIED, MAX_COMPLETION_TOKENS):
        if name not in whole:
            continue
        tried = await client.complete(endpoint, call | {name: whole[name]})
        if isinstance(tried, Reply):
            reply, call = tried, call | {name: whole[name]}
        elif not _may_refuse_fields(tried):
            return tried
        else:
            renamed = name == MAX_TOKENS and await _is_taken(client, endpoint, call)
            body |= {name: None} | ({MAX_COMPLETION_TOKENS: ROOM_TO_THINK} if renamed else {})
            instead = f" and takes {MAX_COMPLETION_TOKENS} instead" if renamed else ""
            sentences.append(f"It refuses {name} = {whole[name]}{instead}: {tried.reason}.")
    return Needs(reply, body, tuple(sentences))


def _may_refuse_fields(failure: Failure) -> bool:
    return failure.http_status in REFUSES_FIELDS and not (failure.heals or failure.exhausted)


async def _is_taken(client: ChatClient, endpoint: Endpoint, call: dict[str, Any]) -> bool:
    """Whether the server takes the longest answer by its newer name."""
    outcome = await client.complete(endpoint, call | {MAX_COMPLETION_TOKENS: ROOM_TO_THINK})
    return isinstance(outcome, Reply)
