"""What REST, pages and the terminal show of an episode: every call on the way to one answer. Of public questions alone.

Times are milliseconds, tokens as the endpoint counted them, money in the currency of the run's prices.
"""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from app.published.models import Licensed


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class WantedCall(_Model):
    """A tool call that a model asked for, word for word."""

    id: str | None = Field(
        description="the model's own name for the call; null for a call that is JSON in text"
    )
    tool: str
    arguments: str = Field(description="as the model wrote them: usually JSON")


class ShownStep(_Model):
    """One try of one call of an episode."""

    ordinal: int = Field(description="the call's place in the episode, from 0")
    attempt: int = Field(description="0 for the first try of the call")
    kind: str = Field(description="chat, tool, sql or facts")
    state: str = Field(description="done, failed, lost (its worker died), or sent (in flight)")
    model: str | None = Field(description="that was asked, for a chat call")
    thought: str | None = Field(description="what the model reasoned before it acted or answered")
    said: str | None = Field(description="the text of the model's reply, word for word")
    wanted: list[WantedCall] = Field(description="the tool calls that the model's reply asks for")
    tool: str | None = Field(description="the name of the tool that was called")
    arguments: dict[str, Any] | None = Field(
        description="of the tool, or the call itself if it is of another kind"
    )
    snapshot: str | None = Field(description="the map that the tool was called on")
    sentence: str | None = Field(description="the tool's answer in words, as the model reads it")
    result: Any = Field(description="the tool's typed answer; null if there is none or it was too large")
    withheld_bytes: int | None = Field(description="the size of an answer that was too large to be kept")
    fault: str | None = Field(
        description="the kind of the tool's error, such as bad_argument; an answer to the model"
    )
    failure: str | None = Field(description="why the call failed; the fault is not the model's")
    repeated: bool = Field(
        description="whether an earlier call of the episode was the same tool with the same arguments"
    )
    reused: bool = Field(description="whether the answer was copied from an earlier run")
    finish_reason: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None = Field(description="null if the run has no prices or no tokens were counted")
    milliseconds: int | None
    sent_at: datetime


class EpisodeSums(_Model):
    """What an episode came to: answered calls, and all that they took."""

    chat_calls: int
    tool_calls: int
    failed_calls: int = Field(description="tool calls whose answer is an error that the model reads")
    repeated_calls: int
    format_faults: int = Field(description="replies whose action could not be read, or was read leniently")
    failed_tries: int = Field(description="tries that failed or were lost; the fault is not the model's")
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    milliseconds: int


class ShownEpisode(Licensed):
    """All calls for one question, repeat and rotation, and the answer that they led to."""

    model_config = ConfigDict(frozen=True)

    run: int
    dataset: str = Field(examples=["demo_gsqa@1"])
    label: str
    solver: str
    solver_version: int
    model: str | None = Field(description="of the run's endpoint")
    agent: dict[str, Any] | None = Field(description="the options of a run with tools; null for one without")
    sampling: dict[str, Any]
    currency: str | None
    question: str = Field(description="its id")
    template: str
    repeat: int
    rotation: int
    text: str = Field(description="of the question")
    options: list[str] | None = Field(description="in the order of the data set; null if it has none")
    messages: list[Any] = Field(description="of the first chat call, as they were sent; empty without one")
    steps: list[ShownStep] = Field(description="in the order of the calls; all tries of each")
    sums: EpisodeSums
    state: str | None = Field(description="answered, no_answer or error; null while the episode goes on")
    ended_by: str | None = Field(
        description="the cap that ended it: step_limit, token_limit, money_limit, time_limit, loop, call_limit or "
        "unusable_replies; no_graph (geoflow); or another"
        " reason for which there is no answer"
    )
    answer: str | None = Field(description="word for word")
    failure: str | None = Field(description="why there is an error instead of an answer")
    read: dict[str, Any] | None = Field(description="the value that the reader found in the answer")
    gold: dict[str, Any] | None
    outcome: str | None = Field(description="correct, wrong or unparseable; null before it is scored")
    score: float | None
    errors: list[str] = Field(
        description="what went wrong on the way to an answer that is not right: gold_not_used, wrong_place,"
        " invented_argument, result_contradicted or unreadable; of an agent that looks for stations argument_error,"
        " calls_used_up_by_repeats, calls_used_up_inefficiently, factual_conflation or insufficient_exploration; empty"
        " before it is scored"
    )


class EpisodePage(Licensed):
    """Episodes of a run on public questions, in the order of its data set's questions."""

    episodes: list[ShownEpisode]
