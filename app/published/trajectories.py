"""Episodes as trajectories in ATIF, the Agent Trajectory Interchange Format of the project Harbor, version 1.7. Pure.

A turn of the model holds the tool calls that it asked for and their results; a call that no turn asked for is a turn
without a model call. Tries that failed are left out, and counted.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from app import __version__
from app.core.identity import canonical_json
from app.published.episode_models import ShownEpisode, ShownStep
from app.questions.prompts import words_of_content

SCHEMA = "ATIF-v1.7"
DOLLARS = "USD"
"""The currency in which the format knows costs."""
SOURCES = {"system": "system", "developer": "system", "user": "user"}
"""Roles of messages, and who they come from in the format."""


def as_trajectory(episode: ShownEpisode) -> dict[str, Any]:
    """The episode as one document."""
    steps = [*_messages(episode), *_turns(episode)]
    if not steps:
        steps = [{"source": "user", "message": episode.text}]
    agent = {
        "name": f"trigpoint:{episode.solver}",
        "version": str(episode.solver_version),
        "model_name": episode.model,
        "extra": {"label": episode.label, "options": episode.agent, "sampling": episode.sampling},
    }
    return {
        "schema_version": SCHEMA,
        "session_id": f"run-{episode.run}",
        "trajectory_id": f"{episode.question}-{episode.repeat}-{episode.rotation}",
        "agent": _without_nulls(agent),
        "steps": [{"step_id": number, **_without_nulls(step)} for number, step in enumerate(steps, 1)],
        "final_metrics": _without_nulls(_sums(episode, len(steps))),
        "extra": _about(episode),
    }


def _messages(episode: ShownEpisode) -> Iterator[dict[str, Any]]:
    """What the model was given before its first turn."""
    for message in episode.messages:
        role = message.get("role") if isinstance(message, dict) else None
        if role in SOURCES:
            content = message.get("content")
            said = words_of_content(content) if isinstance(content, str | list) else ""
            yield {"source": SOURCES[role], "message": said}


def _turns(episode: ShownEpisode) -> Iterator[dict[str, Any]]:
    """A turn for each reply of the model, with the calls that follow it and their results."""
    done = [one for one in episode.steps if one.state == "done"]
    if episode.answer is not None and not any(one.kind == "chat" for one in done):
        yield from (_alone(one) for one in done)
        yield {"source": "agent", "message": episode.answer, "llm_call_count": 0}
        return
    at = 0
    while at < len(done):
        if done[at].kind != "chat":
            yield _alone(done[at])
            at += 1
            continue
        end = at + 1
        while end < len(done) and done[end].kind != "chat" and end - at <= len(done[at].wanted):
            end += 1
        yield _turn(done[at], done[at + 1 : end], episode.currency)
        at = end


def _turn(reply: ShownStep, calls: Sequence[ShownStep], currency: str | None) -> dict[str, Any]:
    metrics = {
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.completion_tokens,
        "cost_usd": reply.cost if currency == DOLLARS else None,
    }
    return {
        "timestamp": reply.sent_at.isoformat(),
        "source": "agent",
        "model_name": reply.model,
        "message": reply.said or "",
        "reasoning_content": reply.thought if reply.thought != reply.said else None,
        "metrics": _without_nulls(metrics) or None,
        "llm_call_count": 1,
        "extra": {"milliseconds": reply.milliseconds},
        **_called(calls),
    }


def _alone(call: ShownStep) -> dict[str, Any]:
    """A call that no reply asked for."""
    timed = {"timestamp": call.sent_at.isoformat(), "source": "agent", "message": "", "llm_call_count": 0}
    return timed | _called([call])


def _called(calls: Sequence[ShownStep]) -> dict[str, Any]:
    if not calls:
        return {}
    made = [
        {
            "tool_call_id": f"call-{call.ordinal}",
            "function_name": call.tool or call.kind,
            "arguments": call.arguments or {},
            "extra": {"snapshot": call.snapshot, "milliseconds": call.milliseconds},
        }
        for call in calls
    ]
    results = [
        {
            "source_call_id": f"call-{call.ordinal}",
            "content": call.sentence if call.sentence is not None else canonical_json(call.result),
            "extra": {"result": call.result, "error": call.fault},
        }
        for call in calls
    ]
    return {"tool_calls": made, "observation": {"results": results}}


def _sums(episode: ShownEpisode, steps: int) -> dict[str, Any]:
    sums = episode.sums
    return {
        "total_prompt_tokens": sums.prompt_tokens,
        "total_completion_tokens": sums.completion_tokens,
        "total_cost_usd": sums.cost if episode.currency == DOLLARS else None,
        "total_steps": steps,
        "extra": {**sums.model_dump(), "currency": episode.currency},
    }


def _about(episode: ShownEpisode) -> dict[str, Any]:
    told = json.loads(episode.model_dump_json(include=ABOUT))
    return {**told, "trigpoint_version": __version__}


ABOUT = {
    *(
        "run",
        "dataset",
        "question",
        "template",
        "repeat",
        "rotation",
        "text",
        "options",
        "state",
        "ended_by",
        "answer",
    ),
    *("gold", "outcome", "score", "errors", "attribution", "licence_url"),
}
"""What of an episode has no place in the format, and stands in its `extra`."""


def _without_nulls(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
