"""What an agent is given and how far it may go: tools, the manner of calling them, caps of an episode."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from typing import Any, Final, Literal, NamedTuple, Self, get_args

from app.agent_tools.sets import ALL, SPATIAL_AGENT
from app.core.errors import UsageError

AGENT: Final = "agent"
"""The name among what a run's presentation says."""
Manner = Literal["native", "json"]
"""`native`: tools and calls stand in fields of the protocol. `json`: a JSON object in the text of an answer."""
MANNERS: Final[tuple[Manner, ...]] = get_args(Manner)
MOST_STEPS: Final = 400
MOST_SHOTS: Final = 3
GEOROVER_CALLS: Final = 20
"""Calls of tools in an episode of `georover`, as in EVGeoQA's paper."""


class Usual(NamedTuple):
    """What a solver has where a run says nothing: how it calls tools, and how many calls an episode may have.

    `only` are the sets of tools that it can work with, the usual one first; empty where any will do. `tool_calls`: with
    so many calls of tools an episode ends, whatever a run says; None where it does not.
    """

    manner: Manner
    steps: int
    only: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    """What a run may leave out of it, to see what that is worth; then its replies are in text, whatever the manner."""
    tool_calls: int | None = None


GEOFLOW_PARTS: Final = ("checks", "repair", "templates", "retrieval")
USUAL: Final[Mapping[str, Usual]] = {
    "tools": Usual("native", 40),
    "react": Usual("json", 30),
    "plan_and_solve": Usual("json", 32),
    "reflexion": Usual("json", 66),
    "chameleon": Usual("json", 40),
    "georover": Usual("json", 100, ("georover", "georover_10km"), tool_calls=GEOROVER_CALLS),
    "geoflow": Usual("json", 70, (SPATIAL_AGENT,), GEOFLOW_PARTS),
}
"""`react` has 15 turns as MapEval-API's agent had (LangChain's limit); the others come from shared/specs, since the
Spatial-Agent paper names no limits for its baselines."""


@dataclass(frozen=True)
class AgentTerms:
    """How an agent's episodes go. `tokens`, `money` and `seconds` are caps of one episode; None is no cap.

    `manner` and `steps` (calls of an episode, of the model and of tools together) are the solver's usual ones where
    they are None. `lenient`: JSON in text is also read from a fenced block or among other words, and counted as a fault
    of form. `shots`: worked examples that the model is shown first. `context`: the tokens that a call and its answer
    may have together; None where nobody knows what the model can hold. `prompts` names the version and the hash of the
    prompts that the run was made with. `without` names parts of the solver that are left out, in their order.
    """

    tools: str = ALL
    manner: Manner | None = None
    lenient: bool = True
    steps: int | None = None
    shots: int = 0
    tokens: int | None = None
    money: str | None = None
    seconds: int | None = None
    context: int | None = None
    prompts: str | None = None
    without: Sequence[str] | None = None

    @classmethod
    def of(cls, presentation: Mapping[str, Any]) -> Self | None:
        """The terms that a run's presentation holds; None for a run without tools."""
        told = presentation.get(AGENT)
        return None if told is None or told.get("manner") == "session" else cls(**told)

    def of_solver(self, name: str) -> Self:
        """The same, with the usual manner, steps and tools of a solver where nothing is said of them.

        Raises UsageError for a set of tools that the solver cannot work with.
        """
        usual = USUAL[name]
        tools = usual.only[0] if usual.only and self.tools == ALL else self.tools
        if usual.only and tools not in usual.only:
            raise UsageError(
                f"The solver `{name}` works with the tools {' or '.join(usual.only)}, not with {tools}."
            )
        if usual.parts and self.shots:
            raise UsageError(f"The solver `{name}` finds its examples itself; remove --shots.")
        if self.without and not set(self.without) <= {*usual.parts}:
            parts = (
                f"the parts of `{name}` are {', '.join(usual.parts)}"
                if usual.parts
                else "it has no such parts"
            )
            raise UsageError(f"The solver `{name}` cannot go without {', '.join(self.without)}: {parts}.")
        without = [one for one in usual.parts if one in (self.without or ())] or None
        manner = usual.manner if usual.parts else self.manner or usual.manner
        return replace(self, tools=tools, manner=manner, steps=self.steps or usual.steps, without=without)

    def as_json(self) -> dict[str, Any]:
        """As the presentation holds them: what is not limited is left away."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def check_terms(terms: AgentTerms) -> None:
    """Raise UsageError for caps that no episode can keep; the terms are those of a solver."""
    assert terms.steps is not None
    if terms.manner not in MANNERS:
        raise UsageError(
            f"There is no manner {terms.manner!r} of calling tools; there are: {', '.join(MANNERS)}."
        )
    if not 1 <= terms.steps <= MOST_STEPS:
        raise UsageError(f"An episode has 1 to {MOST_STEPS} steps, not {terms.steps}.")
    if not 0 <= terms.shots <= MOST_SHOTS:
        raise UsageError(f"There are {MOST_SHOTS} worked examples, not {terms.shots}.")
    for name in ("tokens", "seconds", "context"):
        value = getattr(terms, name)
        if value is not None and value < 1:
            raise UsageError(f"A cap of {value} {name} is none: give a number of at least 1.")
    if terms.money is not None:
        _check_money(terms.money)


def _check_money(text: str) -> None:
    try:
        amount = Decimal(text)
    except ArithmeticError as error:
        raise UsageError(f"{text!r} is not an amount of money: give a number such as 0.05.") from error
    if not amount.is_finite() or amount <= 0:
        raise UsageError(f"A cap of {text} is none: give a number above 0, such as 0.05.")
