"""What an agent's run gives it, and an episode, in which it asks the model and calls tools within caps."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection

from app.agent_tools.outcomes import ToolOutcome
from app.agent_tools.registry import Tool
from app.agent_tools.sets import find_set
from app.core.errors import SettingsError
from app.db.naming import snapshot_reference
from app.inference.bodies import longest_answer
from app.inference.outcomes import Reply
from app.inference.tokens import reckoned, taken
from app.questions.prompts import chat_content
from app.solvers.agents.caps import CapReached, Meter
from app.solvers.agents.context import fit_context
from app.solvers.agents.manners import CallingManner, Message, Turn, Wish, open_manner
from app.solvers.agents.playing import Play, next_step_of
from app.solvers.agents.prompts import Prompts, load_prompts
from app.solvers.agents.shots import shot_messages
from app.solvers.agents.terms import MOST_STEPS, AgentTerms
from app.solvers.base import Answer, Check, NextStep, Opener, QuestionView, RunView, solver
from app.solvers.calls import CHAT, TOOL, AskedSnapshot, Call, CallResult, tool_call
from app.solvers.direct import prompt_text, read_reply, request_body
from app.solvers.queries import SNAPSHOTS_OF_QUESTIONS
from app.solvers.several_maps import refuse_several_maps

Asking = Generator[Call, CallResult, Reply]


@dataclass(frozen=True)
class Desk:
    """What an agent's run gives it. `snapshots`: by question, the map that its tools look at."""

    run: RunView
    terms: AgentTerms
    tools: Mapping[str, Tool]
    manner: CallingManner
    prompts: Prompts
    snapshots: Mapping[str, AskedSnapshot]

    def next_step(self, play: Callable[["Episode"], Play]) -> NextStep:
        """What a run needs of an agent that plays its episodes so, each within its caps."""

        def begin(question: QuestionView) -> Play:
            episode = Episode(self, question)
            return _play_within_caps(episode, play(episode))

        return next_step_of(begin)


def open_desk(connection: Connection, run: RunView, solver: str, *, thinks: bool = False) -> Desk:
    """The desk of a run; `thinks`: the solver asks for a thought before each call.

    Raises SettingsError where the run lacks a model or terms, or has other prompts.
    """
    if run.model is None:
        raise SettingsError(f"the solver {solver} needs an endpoint")
    if run.agent is None:
        raise SettingsError(f"the run says nothing of the tools that the solver {solver} is given")
    prompts = load_prompts(solver)
    if run.agent.prompts not in (None, prompts.mark):
        raise SettingsError(
            f"the run has the prompts {run.agent.prompts}, and this version has {prompts.mark}"
        )
    tools = find_set(run.agent.tools).tools
    rows = connection.execute(SNAPSHOTS_OF_QUESTIONS, {"version_id": run.version_id})
    maps = {
        row.id: AskedSnapshot(snapshot_reference(row.name, row.data_timestamp), row.checksum) for row in rows
    }
    return Desk(run, run.agent, tools, open_manner(run.agent, tools, thinks=thinks), prompts, maps)


class Episode:
    """One question being worked: its counts, and the two kinds of calls. Its methods are parts of a `Play`."""

    def __init__(self, desk: Desk, question: QuestionView) -> None:
        self.desk = desk
        self.question = question
        self.meter = Meter(desk.terms, desk.run.prices)
        self.noted: dict[str, Any] = {}
        """What the detail of the episode's end says beside the counts."""

    def told(self, prompt: str, **seen: Any) -> str:
        """A prompt of the solver, filled in."""
        terms = self.desk.terms
        return self.desk.prompts.render(
            prompt, steps=terms.steps, calling=self.desk.manner.describe(), **seen
        )

    def asked(self) -> Message:
        """The question, with its options, the form of its answer, and its pictures."""
        text = prompt_text(self.question, self.desk.run.prompt, self.desk.run.benchmark)
        return {
            "role": "user",
            "content": chat_content(self.question.prompt, text, self.desk.run.image_detail),
        }

    def first_messages(self, prompt: str = "system", **seen: Any) -> list[Message]:
        """The agent's instructions, by the name of their prompt, worked examples, and the question."""
        shown = shot_messages(self.desk.terms, self.desk.manner)
        return [{"role": "system", "content": self.told(prompt, **seen)}, *shown, self.asked()]

    def ask(self, messages: Sequence[Message], *, with_tools: bool = True) -> Asking:
        """Ask the model; raises CapReached where it may not be asked any more."""
        body = self._body(messages, self.desk.manner.fields() if with_tools else {})
        before = reckoned(body)
        self.meter.admit_chat(before)
        result = yield Call(CHAT, body)
        reply = result.expect(Reply)
        self.meter.note_chat(taken(reply, before), result.latency_ms)
        return reply

    def use(self, wish: Wish) -> Generator[Call, CallResult, str]:
        """Call a tool; what the model is told of it. Raises CapReached where no call may be made any more.

        A wish with a fault is told, and no call is made: it counts as a fault of form alone.
        """
        if wish.fault is not None:
            return wish.fault
        outcome = yield from self.call(wish.name, wish.arguments)
        return outcome.sentence

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Generator[Call, CallResult, ToolOutcome]:
        """Call a tool; what came of it. Raises CapReached where no call may be made any more."""
        self.meter.admit_tool(tool, arguments)
        asked = self.desk.snapshots[self.question.id]
        result = yield tool_call(asked, self.desk.terms.tools, tool, arguments)
        outcome = result.expect(ToolOutcome)
        self.meter.note_tool(failed=outcome.kind is not None, milliseconds=result.latency_ms)
        return outcome

    def converse(
        self, messages: list[Message], most_calls: int | None = None
    ) -> Generator[Call, CallResult, Reply]:
        """Ask, and call the tools that the model asks for, until it answers. `messages` grow by what was said.

        The reply has the answer as its content. Raises CapReached; that of a trial after `most_calls` calls of tools.
        """
        manner = self.desk.manner
        before = self.meter.tool_calls
        while True:
            if most_calls is not None and self.meter.tool_calls - before >= most_calls:
                raise CapReached("step_limit", of_trial=True)
            reply = yield from self.ask(messages)
            turn = manner.read(reply)
            self.meter.note_form(turn.faults, is_read=bool(turn.wishes) or turn.is_answer)
            if turn.is_answer:
                return replace(reply, content=turn.answer)
            messages.append(manner.said(reply))
            yield from self._follow(messages, turn)

    def _follow(self, messages: list[Message], turn: Turn) -> Generator[Call, CallResult, None]:
        for wish in turn.wishes:
            text = yield from self.use(wish)
            messages.append(self.desk.manner.result(wish, text))
        if turn.unread is not None:
            messages.append(self.desk.manner.ask_again(turn.unread))

    def answer(self, reply: Reply) -> Answer:
        """The end of the episode: what the model said last."""
        answer = read_reply(reply)
        return Answer(answer.state, answer.text, answer.detail | {"agent": self.meter.as_json()} | self.noted)

    def capped(self, reached: CapReached) -> Answer:
        """The end of an episode that reached a cap."""
        return Answer(
            "no_answer", None, {"outcome": reached.outcome, "agent": self.meter.as_json()} | self.noted
        )

    def _body(self, messages: Sequence[Message], fields: Mapping[str, Any]) -> dict[str, Any]:
        """A chat request of the run; results that its context has no room for are left out, the oldest first."""
        made = request_body(self.desk.run, self.question, messages, fields)
        context = self.desk.terms.context
        if context is not None:
            made["messages"], left_out = fit_context(made, context - (longest_answer(made) or 0))
            self.meter.left_out = max(self.meter.left_out, left_out)
        return made


def agent(name: str, version: int, check: Check = refuse_several_maps) -> Callable[[Opener], Opener]:
    """Register the decorated function as the opener of a solver that calls tools; `check` as `solver` takes it."""
    return solver(
        name,
        version,
        calls=(CHAT, TOOL),
        reads=("snapshot",),
        check=check,
        most_steps=MOST_STEPS,
    )


def _play_within_caps(episode: Episode, play: Play) -> Play:
    """A play whose episode ends as the cap that it reaches."""
    try:
        return (yield from play)
    except CapReached as reached:
        return episode.capped(reached)
