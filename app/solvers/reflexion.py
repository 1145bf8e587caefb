"""`reflexion`: up to three trials; a trial that does not stand up is reflected upon (Shinn et al., 2023).

What a trial is worth is judged without gold: it gave no answer, it went in circles or on for too long, a call failed
that nothing replaced, or the model itself finds its answer unsupported. Limits as shared/specs has them for the
baseline of Spatial-Agent: three trials of ten calls.
"""

import re
from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection

from app.inference.outcomes import Reply
from app.solvers.agents.caps import CapReached
from app.solvers.agents.desk import Episode, agent, open_desk
from app.solvers.agents.manners import Message
from app.solvers.agents.playing import Play
from app.solvers.base import NextStep, RunView
from app.solvers.calls import Call, CallResult
from app.solvers.not_knowing import gives_none

TRIALS: Final = 3
TRIAL_CALLS: Final = 10
"""Calls of tools in a trial."""
LONGEST_REFLECTION: Final = 1_000
_UNSUPPORTED = re.compile(r"\bun-?supported\b|\bnot supported\b", re.IGNORECASE)


@dataclass(frozen=True)
class _Trial:
    """How a trial went: its last reply, what was said, and why it does not stand up; `why` is None where it does."""

    reply: Reply | None
    messages: list[Message]
    why: str | None
    cap: CapReached | None = None


@agent("reflexion", version=1)
def open_reflexion(connection: Connection, run: RunView) -> NextStep:
    """As `react`, in trials."""
    return open_desk(connection, run, "reflexion", thinks=True).next_step(_play)


def _play(episode: Episode) -> Play:
    reflections: list[str] = []
    for number in range(TRIALS):
        trial = yield from _try(episode, reflections)
        if trial.why is None or number == TRIALS - 1:
            break
        wanted = [*trial.messages, {"role": "user", "content": episode.told("reflect", why=trial.why)}]
        said = yield from episode.ask(wanted, with_tools=False)
        reflections.append((said.content or "").strip()[:LONGEST_REFLECTION])
        episode.meter.begin_again()
    if trial.cap is not None:
        raise trial.cap
    assert trial.reply is not None
    return episode.answer(trial.reply)


def _try(episode: Episode, reflections: list[str]) -> Generator[Call, CallResult, _Trial]:
    messages = episode.first_messages(reflections=reflections)
    try:
        reply = yield from episode.converse(messages, most_calls=TRIAL_CALLS)
    except CapReached as reached:
        if reached.outcome != "loop" and not reached.of_trial:
            raise
        why = (
            "the same call was made, or nothing could be read, again and again."
            if reached.outcome == "loop"
            else "it took too many calls."
        )
        return _Trial(None, messages, why, reached)
    messages.append({"role": "assistant", "content": reply.content or ""})
    if gives_none(reply.content or ""):
        return _Trial(reply, messages, "it gave no answer.")
    judged = yield from episode.ask(
        [*messages, {"role": "user", "content": episode.told("judge")}], with_tools=False
    )
    unsupported = _UNSUPPORTED.search(judged.content or "")
    return _Trial(
        reply, messages, "the results of the tools do not support its answer." if unsupported else None
    )
