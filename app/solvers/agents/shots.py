"""Worked examples that an agent may be shown: questions about a town that there is not, never items of a benchmark."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from app.agent_tools.registry import Tool
from app.core.errors import UsageError
from app.solvers.agents.manners import CallingManner, Message, Wish
from app.solvers.agents.terms import MOST_SHOTS, AgentTerms

FILE = Path(__file__).with_name("shots.toml")


class ShotCall(BaseModel):
    """A call of a tool, the thought before it, and what the tool told."""

    model_config = ConfigDict(extra="forbid")

    thought: str
    tool: str
    arguments: dict[str, Any]
    result: str


class Shot(BaseModel):
    """A worked example: a question, the calls that lead to its answer, and the answer."""

    model_config = ConfigDict(extra="forbid")

    question: str
    calls: list[ShotCall]
    answer: str

    def messages(self, manner: CallingManner, number: int) -> list[Message]:
        """The example as a conversation; `number` tells the ids of its calls from those of others."""
        told: list[Message] = [{"role": "user", "content": self.question}]
        for place, call in enumerate(self.calls):
            wish = Wish(call.tool, call.arguments, f"example_{number}_{place}")
            told += [manner.shown_call(wish, call.thought), manner.result(wish, call.result)]
        return [*told, manner.shown_answer(self.answer)]


@cache
def load_shots() -> tuple[Shot, ...]:
    """All worked examples, in the order in which they are shown."""
    told = tomllib.loads(FILE.read_text(encoding="utf-8"))
    shots = tuple(Shot.model_validate(one) for one in told["shots"])
    assert len(shots) == MOST_SHOTS
    return shots


def shot_messages(terms: AgentTerms, manner: CallingManner) -> list[Message]:
    """The conversations of as many examples as the terms say, one after the other."""
    shown = load_shots()[: terms.shots]
    return [message for number, shot in enumerate(shown) for message in shot.messages(manner, number)]


def check_shots(terms: AgentTerms, tools: Mapping[str, Tool]) -> None:
    """Raise UsageError where the examples that are wanted call tools which the set does not have."""
    missing = {call.tool for shot in load_shots()[: terms.shots] for call in shot.calls} - tools.keys()
    if missing:
        raise UsageError(
            f"The worked examples call {', '.join(sorted(missing))}, which the set {terms.tools} does not have: "
            "remove --shots, or use --tools all."
        )
