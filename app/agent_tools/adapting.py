"""Tools of ours under the names, with the arguments and in the words that agents of others know.

What such a tool takes becomes arguments of the tool that it calls, whose function answers. Nothing is answered here.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal, Self

from jinja2 import Environment, StrictUndefined
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, create_model, model_validator

from app.agent_tools.arguments import LONGEST_TEXT
from app.agent_tools.errors import ToolError, ToolErrorKind
from app.agent_tools.faults import describe_fault
from app.agent_tools.instructions import find_longest_road
from app.agent_tools.registry import Arguments, Result, Tool
from app.agent_tools.saying import say_minutes, say_words
from app.agent_tools.scope import Scope

_ADVICE = re.compile(r"; place_search finds ([^.;]*)")
Given = str | float | dict[str, Any]


class _FilePart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AdaptedArgument(_FilePart):
    """An argument: what it is for, and which argument of ours it becomes.

    Texts of several arguments that become one are joined by commas. `values` say what the words that are known become:
    a value, or several arguments; another word is refused, or becomes the argument `otherwise`.
    """

    to: str
    description: str
    type: Literal["string", "number"] = "string"
    required: bool = True
    default: str | None = None
    values: dict[str, Given] = {}
    otherwise: str | None = None

    def read(self, given: str | float) -> dict[str, Any]:
        """The arguments of ours that a value becomes."""
        if not self.values or not isinstance(given, str):
            return {self.to: given}
        word = given.strip() if self.otherwise is None else given.strip().lower().replace(" ", "_")
        if word not in self.values:
            return {self.otherwise or self.to: given.replace("_", " ")}
        found = self.values[word]
        return dict(found) if isinstance(found, dict) else {self.to: found}

    def annotation(self) -> Any:
        """The type of the argument, for models of arguments."""
        if self.values and self.otherwise is None:
            kind: Any = Literal[tuple(self.values)]
        else:
            kind = Annotated[str, Field(max_length=LONGEST_TEXT)] if self.type == "string" else float
        return kind if self.required else kind | None


class ArgumentRule(_FilePart):
    """With some values of arguments, another one must be given, or must not be."""

    when: dict[str, str]
    needs: str | None = None
    forbids: str | None = None
    say: str

    def is_broken(self, given: dict[str, Any]) -> bool:
        """Whether arguments break the rule."""
        if any(given.get(name) != value for name, value in self.when.items()):
            return False
        needs, forbids = self.needs, self.forbids
        return (needs is not None and given.get(needs) is None) or (
            forbids is not None and given.get(forbids) is not None
        )


class AdaptedTool(_FilePart):
    """A tool of a set: which tool of ours it calls, and how it is told and answered.

    `sentence` and `errors` are templates of Jinja. They see `asked`, the arguments, and `sentence` also sees `result`.
    """

    name: str
    calls: str
    description: str
    sentence: str
    arguments: dict[str, AdaptedArgument]
    fixed: dict[str, Any] = {}
    rules: list[ArgumentRule] = []
    errors: dict[ToolErrorKind, str] = {}

    def read(self, given: dict[str, Any]) -> dict[str, Any]:
        """The arguments of ours that arguments of the set become. Raises ValueError where a rule is broken."""
        for rule in self.rules:
            if rule.is_broken(given):
                raise ValueError(rule.say)
        ours: dict[str, Any] = dict(self.fixed)
        for name, argument in self.arguments.items():
            if given.get(name) is None:
                continue
            for key, value in argument.read(given[name]).items():
                ours[key] = f"{ours[key]}, {value}" if key in ours else value
        return ours

    def names_of(self, given: dict[str, Any]) -> dict[str, str]:
        """By each argument of ours the one of the set that it came from."""
        return {
            key: name
            for name, argument in reversed(self.arguments.items())
            if given.get(name) is not None
            for key in argument.read(given[name])
        }


class AdaptedArguments(Arguments):
    """The arguments of a tool of a set. The tool that is called has checked what they become."""

    entry: ClassVar[AdaptedTool]
    called: ClassVar[Tool]
    names: ClassVar[Mapping[str, str]]
    _ours: Arguments = PrivateAttr()

    @model_validator(mode="after")
    def _read(self) -> Self:
        given = self.model_dump()
        try:
            self._ours = self.called.arguments.model_validate(self.entry.read(given))
        except ValidationError as error:
            said = describe_fault(error, type(self).model_fields, self.entry.names_of(given))
            raise ValueError(say_in_set(said.removesuffix("."), self.names)) from None
        return self

    @property
    def ours(self) -> Arguments:
        """The arguments of the tool that is called."""
        return self._ours

    def cost(self) -> int:
        """As much as the tool that is called."""
        return self._ours.cost()


def adapt(entry: AdaptedTool, called: Tool, names: Mapping[str, str]) -> Tool:
    """The tool that an entry of a set describes, which calls a tool of ours.

    `names` are those of the tools of the set, by the names of the tools of ours that they call.
    """
    fields: dict[str, Any] = {
        name: (
            one.annotation(),
            Field(... if one.required and one.default is None else one.default, description=one.description),
        )
        for name, one in entry.arguments.items()
    }
    arguments = create_model(f"{entry.name}Arguments", __base__=AdaptedArguments, **fields)
    arguments.entry, arguments.called, arguments.names = entry, called, names
    answer = told_in_set(called, names).run

    def run(scope: Scope, wanted: AdaptedArguments) -> Result:
        try:
            return answer(scope, wanted.ours)
        except ToolError as error:
            if error.kind not in entry.errors:
                raise
            raise ToolError(_render(entry.errors[error.kind], asked=wanted), error.kind) from error

    def say(result: Result, wanted: AdaptedArguments) -> str:
        return _render(entry.sentence, asked=wanted, result=result)

    return Tool(entry.name, entry.description, arguments, called.result, run, say)


def told_in_set(tool: Tool, names: Mapping[str, str]) -> Tool:
    """A tool of ours whose errors name the tools of a set."""

    def run(scope: Scope, wanted: Arguments) -> Result:
        try:
            return tool.run(scope, wanted)
        except ToolError as error:
            raise ToolError(say_in_set(str(error), names), error.kind) from error

    return replace(tool, run=run)


def say_in_set(said: str, names: Mapping[str, str]) -> str:
    """What a tool of ours says, with the set's name for the tool that finds places; without its advice to use that
    tool where the set has none."""
    found = names.get("place_search")
    return _ADVICE.sub(f"; {found} finds \\1" if found else "", said)


def _render(template: str, **seen: Any) -> str:
    return _JINJA.from_string(template).render(**seen).strip()


_JINJA = Environment(undefined=StrictUndefined, autoescape=False)  # noqa: S701 - sentences are no HTML
_JINJA.filters["words"] = say_words
_JINJA.filters["minutes"] = say_minutes
_JINJA.filters["longest_road"] = find_longest_road
