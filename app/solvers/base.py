"""What a solver is: a pure function from a question and the results so far to the next call or the answer.

A run that was interrupted replays stored results through the same function, and so never makes their calls again.
Solvers register by decorator, one file each, and are loaded when they are asked for: some load a great deal.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal

from sqlalchemy import Connection

from app.core.errors import NotFound
from app.questions.prompts import ImageDetail, StoredPrompt, prompt_as_text
from app.solvers.agents.terms import AgentTerms
from app.solvers.calls import CHAT, TOOL, Call, CallResult
from app.solvers.names import SOLVERS
from app.solvers.run_kinds import ANSWERS, RunKind


@dataclass(frozen=True)
class QuestionView:
    """One question as a solver sees it; what is gold stays out of it.

    `options` are as they are shown: turned by `rotation` places.
    """

    id: str
    template: str
    prompt: StoredPrompt
    options: list[str] | None
    answer_type: str
    repeat: int = 0
    rotation: int = 0

    def text(self) -> str:
        """The prompt as one text."""
        return prompt_as_text(self.prompt)


@dataclass(frozen=True)
class Answer:
    """The end of an episode. `text` is what the solver said, word for word."""

    state: Literal["answered", "no_answer"]
    text: str | None
    detail: dict[str, Any] = field(default_factory=dict)


Prompt = Literal["trigpoint", "published"]
NextStep = Callable[[QuestionView, Sequence[CallResult]], Call | Answer]
"""The next call of an episode, or its answer. Pure: the same results give the same step. All results hold values."""
MOST_STEPS = 100
"""Calls that an episode may have, unless its solver says otherwise."""
PARSE_ORDINAL = 1000
"""The place among a question's steps of calls that parse its answer: behind all that a solver may make."""


class Unusable(Exception):
    """What came back cannot be used, and the model that is evaluated is not to blame: the episode ends in an error."""


@dataclass(frozen=True)
class RunView:
    """What a solver may know of the run it works for."""

    version_id: int
    benchmark: str
    seed: int
    model: str | None = None
    sampling: dict[str, Any] = field(default_factory=dict)
    prompt: Prompt = "trigpoint"
    embeddings: str | None = None
    """The name of the endpoint by whose embeddings `rag` retrieves; None for its words."""
    run_id: int | None = None
    solver_version: int | None = None
    """The version of the solver that the run was made with, whose prompts it keeps; None for the newest."""
    agent: AgentTerms | None = None
    """What a run with tools gives its agent, and how far an episode may go."""
    prices: Mapping[str, Any] | None = None
    """{prompt, completion, currency}: money for a million tokens, as text; None where nobody knows it."""
    image_detail: ImageDetail | None = None
    """How closely the model is to look at pictures; None leaves it to the endpoint."""


Opener = Callable[[Connection, RunView], NextStep]
Check = Callable[[Connection, int], None]


@dataclass(frozen=True)
class Solver:
    """A registered solver.

    `calls` names the kinds of its calls. `reads` names what it looks at beside the prompt: snapshot, gold. `makes` is
    the kind of its runs. An episode that has `most_steps` results and no answer yet ends as `no_answer`.
    """

    name: str
    version: int
    open: Opener
    calls: frozenset[str]
    reads: frozenset[str]
    check: Check | None
    makes: RunKind
    most_steps: int
    takes_imported: bool = False
    """Whether what it reads is there of data sets that others published, too, though it reads gold."""

    @property
    def calls_tools(self) -> bool:
        """Whether it gives a model tools."""
        return TOOL in self.calls and CHAT in self.calls

    @property
    def calls_endpoint(self) -> bool:
        """Whether it needs a chat endpoint."""
        return CHAT in self.calls


_REGISTERED: dict[str, Solver] = {}


def solver(
    name: str,
    version: int,
    *,
    calls: Collection[str] = (),
    reads: Sequence[str] = (),
    check: Check | None = None,
    makes: RunKind = ANSWERS,
    most_steps: int = MOST_STEPS,
    takes_imported: bool = False,
) -> Callable[[Opener], Opener]:
    """Register the decorated function as the opener of a solver.

    It is called once a run and worker, with a connection and the run; `check` raises UsageError where the solver
    does not suit a version. Raises ValueError where the name is taken, or for a limit of steps that cannot be kept.
    """
    if not 1 <= most_steps <= PARSE_ORDINAL:
        raise ValueError(f"an episode has 1 to {PARSE_ORDINAL} steps, not {most_steps}")

    def register(opener: Opener) -> Opener:
        if name in _REGISTERED:
            raise ValueError(f"two solvers are named {name}")
        _REGISTERED[name] = Solver(
            name,
            version,
            opener,
            frozenset(calls),
            frozenset(reads),
            check,
            makes,
            most_steps,
            takes_imported,
        )
        return opener

    return register


def find_solver(name: str) -> Solver:
    """The solver of that name; raises NotFound naming those there are."""
    if name in SOLVERS:
        import_module(f"app.solvers.{name}")
    if name not in _REGISTERED:
        raise NotFound(
            f"There is no solver {name!r}; there are: {', '.join(sorted({*SOLVERS, *_REGISTERED}))}."
        )
    return _REGISTERED[name]


def letter(index: int) -> str:
    """The letter of an option: 0 is A."""
    return chr(ord("A") + index)
