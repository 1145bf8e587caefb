"""The two manners of calling tools: in fields of the protocol, or as a JSON object in the text of an answer. Pure.

Results of tools are data of a map that anybody edits: they stand in messages of their own, or between marks that they
cannot write, and nothing in them is carried out.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from app.agent_tools.registry import Tool
from app.agent_tools.schemas import describe_tools, schema_of
from app.core.identity import canonical_json
from app.core.strict_json import read_json, storable
from app.inference.assistant_messages import assistant_message
from app.inference.outcomes import Reply
from app.solvers.agents.actions import ANSWER, EXAMPLE, NoAction, answer_text, read_action
from app.solvers.agents.terms import AgentTerms

Message = dict[str, Any]
_RESULT_OF, _OPENS, _CLOSES = "Result of ", "<result>\n", "\n</result>"
LONGEST_SHOWN = 12_000
"""Characters of a result that the model is shown."""


@dataclass(frozen=True)
class Wish:
    """A call of a tool that the model asks for. `fault` says why it cannot be made; its arguments are empty then.

    `id` is how the protocol names the call; None where calls stand in the text.
    """

    name: str
    arguments: dict[str, Any]
    id: str | None = None
    fault: str | None = None


@dataclass(frozen=True)
class Turn:
    """What an answer of the model comes to: calls to make, an answer, or neither.

    `faults` counts faults of form; `unread` says, for the model, why nothing could be read.
    """

    wishes: Sequence[Wish] = field(default_factory=tuple)
    answer: str | None = None
    faults: int = 0
    unread: str | None = None

    @property
    def is_answer(self) -> bool:
        """Whether the episode is at its end, be the answer empty."""
        return not self.wishes and self.unread is None


class CallingManner(ABC):
    """How an agent is told of its tools, how its answers are read, and how results go back to it."""

    @abstractmethod
    def fields(self) -> dict[str, Any]:
        """What a chat request says of the tools beside its messages."""

    @abstractmethod
    def describe(self) -> str:
        """What the first message says of the tools, and of the form of calls."""

    @abstractmethod
    def read(self, reply: Reply) -> Turn:
        """What an answer comes to."""

    @abstractmethod
    def said(self, reply: Reply) -> Message:
        """The model's answer as the next requests hold it."""

    @abstractmethod
    def result(self, wish: Wish, text: str, *, whole: bool = False) -> Message:
        """The message that tells the model what came of a call: its beginning where it is long, but for `whole`."""

    @abstractmethod
    def shown_call(self, wish: Wish, thought: str) -> Message:
        """A call as a worked example shows it: as if the model had asked for it."""

    @abstractmethod
    def shown_answer(self, text: str) -> Message:
        """An answer as a worked example shows it."""

    @abstractmethod
    def ask_again(self, unread: str) -> Message:
        """The message that tells the model that nothing could be read in its answer."""


def shown_result(text: str) -> str:
    """A result as the model is shown it: its beginning, where it is long, and a word that it was cut."""
    if len(text) <= LONGEST_SHOWN:
        return text
    return f"{text[:LONGEST_SHOWN]}\n[cut: {len(text) - LONGEST_SHOWN:,} more characters; ask for less]"


def marked_result(text: str, *, whole: bool = False) -> str:
    """A result between marks that it cannot write itself."""
    inner = (text if whole else shown_result(text)).replace("<", "‹").replace(">", "›")
    return f"{_OPENS}{inner}{_CLOSES}"


def is_result(message: Message) -> bool:
    """Whether a message of a conversation is the result of a tool, in whichever manner."""
    content = message.get("content")
    if message["role"] != "user" or not isinstance(content, str):
        return bool(message["role"] == "tool")
    return content.startswith(_RESULT_OF) and f":\n{_OPENS}" in content and content.endswith(_CLOSES)


class NativeCalling(CallingManner):
    """Calls in the fields `tools` and `tool_calls`, several of them in one answer where the model wants that."""

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        self._fields = {"tools": describe_tools(tools), "tool_choice": "auto"}

    def fields(self) -> dict[str, Any]:
        """The tools' schemas; the model decides whether it calls one."""
        return self._fields

    def describe(self) -> str:
        """Nothing: the schemas say it."""
        return ""

    def read(self, reply: Reply) -> Turn:
        """The calls; without one, the text is the answer."""
        wishes = [_read_request(one.id, one.name, one.arguments_text) for one in reply.tool_calls]
        faults = sum(one.fault is not None for one in wishes)
        if reply.tool_fault is None:
            return Turn(wishes, None if wishes else reply.content, faults)
        return Turn(wishes, None, faults + 1, reply.tool_fault)

    def said(self, reply: Reply) -> Message:
        """The answer with its calls, and the thoughts that the server wants back."""
        return assistant_message(reply)

    def result(self, wish: Wish, text: str, *, whole: bool = False) -> Message:
        """A message of the role `tool`."""
        return {"role": "tool", "tool_call_id": wish.id, "content": text if whole else shown_result(text)}

    def shown_call(self, wish: Wish, thought: str) -> Message:
        """A message with the thought as its text and the call in its fields."""
        function = {"name": wish.name, "arguments": canonical_json(wish.arguments)}
        calls = [{"id": wish.id, "type": "function", "function": function}]
        return {"role": "assistant", "content": thought, "tool_calls": calls}

    def shown_answer(self, text: str) -> Message:
        """The answer alone."""
        return {"role": "assistant", "content": text}

    def ask_again(self, unread: str) -> Message:
        """A message of the user that says what of the calls was left out."""
        return {"role": "user", "content": unread}


def _read_request(call_id: str, name: str, arguments_text: str) -> Wish:
    try:
        arguments = storable(read_json(arguments_text))
    except (ValueError, RecursionError):
        return Wish(name, {}, call_id, "The arguments are not valid JSON.")
    if not isinstance(arguments, dict):
        return Wish(name, {}, call_id, "The arguments are no JSON object.")
    return Wish(name, arguments, call_id)


class TextCalling(CallingManner):
    """One JSON object an answer, in its text; for servers and models without native calls."""

    def __init__(self, tools: Mapping[str, Tool], *, lenient: bool, thinks: bool) -> None:
        self._tools = tools
        self._lenient = lenient
        self._thinks = thinks
        self._thought = '"thought": "what you know, and what you look for", ' if thinks else ""
        self._described = self._describe()  # once: each step of an episode is told it again

    def fields(self) -> dict[str, Any]:
        """Nothing: the first message describes the tools."""
        return {}

    def describe(self) -> str:
        """The tools with the schemas of their arguments, and the form of an action."""
        return self._described

    def _describe(self) -> str:
        lines = [
            f"- {one.name}: {one.description} Arguments: {canonical_json(schema_of(one))}"
            for one in self._tools.values()
        ]
        listed = "\n".join(lines)
        call = f'{{{self._thought}"action": "NAME", "arguments": {{}}}}'
        end = f'{{{self._thought}"action": "{ANSWER}", "arguments": {{"text": "your answer"}}}}'
        return (
            f"The tools are:\n\n{listed}\n\nEach of your messages is one JSON object and nothing else. To call a tool, "
            f"write its name and its arguments: {call}. To end, write: {end}."
        )

    def read(self, reply: Reply) -> Turn:
        """The one action; `answer` ends the episode."""
        try:
            action = read_action(reply.content or "", lenient=self._lenient)
            faults = int(not action.is_well_formed)
            if action.name == ANSWER:
                return Turn(answer=answer_text(action), faults=faults)
        except NoAction as error:
            return Turn(faults=1, unread=str(error))
        return Turn([Wish(action.name, action.arguments)], faults=faults)

    def said(self, reply: Reply) -> Message:
        """The text of the answer. Calls that nobody asked for are no part of it: servers want results for them."""
        return assistant_message(replace(reply, tool_calls=()))

    def result(self, wish: Wish, text: str, *, whole: bool = False) -> Message:
        """A message of the user, with the result between marks that no result can hold."""
        return {
            "role": "user",
            "content": f"{_RESULT_OF}{wish.name[:60]}:\n{marked_result(text, whole=whole)}",
        }

    def shown_call(self, wish: Wish, thought: str) -> Message:
        """The call as an action, with its thought where this run has thoughts."""
        return self._shown({"action": wish.name, "arguments": wish.arguments}, thought)

    def shown_answer(self, text: str) -> Message:
        """The action that ends an episode."""
        return self._shown({"action": ANSWER, "arguments": {"text": text}}, "I know the answer.")

    def _shown(self, action: dict[str, Any], thought: str) -> Message:
        said = {"thought": thought} | action if self._thinks else action
        return {"role": "assistant", "content": json.dumps(said, ensure_ascii=False)}

    def ask_again(self, unread: str) -> Message:
        """What was wrong, and the form once more."""
        return {
            "role": "user",
            "content": f"Your message could not be read as an action. {unread} Write one JSON object such as {EXAMPLE} "
            "and nothing else.",
        }


def open_manner(terms: AgentTerms, tools: Mapping[str, Tool], *, thinks: bool) -> CallingManner:
    """The manner in which a run calls tools. `thinks`: the solver asks for a thought before each call."""
    if terms.manner == "native":
        return NativeCalling(tools)
    return TextCalling(tools, lenient=terms.lenient, thinks=thinks)


def list_tools(tools: Mapping[str, Tool]) -> str:
    """The tools in words, a line each, for prompts that do not call them."""
    return "\n".join(f"- {one.name}: {one.description}" for one in tools.values())
