"""Answers of earlier runs in place of identical calls: the same endpoint record, the same request to the letter.

A request holds model, sampling and seed, so what is equal in its hash would be asked in the same way. Errors, empty
answers and those that were cut off are asked again. Reads steps; the copies name the step that was paid for.
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.core.identity import canonical_json
from app.inference.completions import read_completion
from app.inference.outcomes import Reply
from app.predictions.queries_reuse import ANSWERED_CALLS
from app.predictions.units import Kind, Write

NOTHING_PAID: Mapping[str, int] = {"prompt_tokens": 0, "completion_tokens": 0}


class Reusable(NamedTuple):
    """An answer that is there already, and the step that was paid for."""

    step: int
    reply: Reply
    engine: str | None


def is_reusable(reply: Reply | None) -> bool:
    """Whether a stored reply may stand for another call's: it says or asks for something, and came to its own end."""
    if reply is None or reply.finish_reason == "length":
        return False
    return bool((reply.content or "").strip() or reply.tool_calls)


def load_reusable(
    connection: Connection, run_id: int, question_ids: Sequence[str]
) -> dict[str, dict[str, Reusable]]:
    """What other runs were answered about those questions, by question and hash of the request; the newest of each."""
    found: dict[str, dict[str, Reusable]] = {}
    binds = {"run_id": run_id, "question_ids": list(question_ids)}
    for row in connection.execute(ANSWERED_CALLS, binds):
        reply = read_completion(row.response)
        if reply is not None and is_reusable(reply):
            found.setdefault(row.question_id, {})[row.request_hash] = Reusable(row.origin, reply, row.engine)
    return found


def reused_step(sent: Mapping[str, Any], found: Reusable) -> Write:
    """The step that holds an answer of an earlier run, from the values of one that would have been sent."""
    unpaid = {"reserved_prompt", "reserved_completion"}
    values = {name: value for name, value in sent.items() if name not in unpaid} | {
        "response": canonical_json(found.reply.raw),
        "http_status": HTTPStatus.OK,
        "usage": canonical_json(dict(NOTHING_PAID)),
        "finish_reason": found.reply.finish_reason,
        "engine": found.engine,
        "answered_at": sent["sent_at"],
        "reused_from": found.step,
    }
    return Write(Kind.WHOLE, values)
