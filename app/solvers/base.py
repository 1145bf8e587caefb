"""What a solver is: a pure function from a question and the replies so far to the next call or the answer.

A run that was interrupted replays stored replies through the same function, and so never asks for them again.
Solvers register by decorator, one file each, and are loaded when they are asked for: some load a great deal.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Literal

from sqlalchemy import Connection

from app.core.errors import NotFound
from app.inference.outcomes import Reply
from app.questions.prompts import StoredPrompt, prompt_as_text
from app.solvers.names import SOLVERS
from app.solvers.run_kinds import ANSWERS, RunKind


@dataclass(frozen=True)
class Asked:
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
class ChatCall:
    """A chat call to make: the body of the request, as it leaves and as it is stored."""

    body: dict[str, Any]


@dataclass(frozen=True)
class SqlCall:
    """SQL of a model to run over the reference views of one snapshot; its Reply holds an SqlOutcome as `raw`."""

    schema: str
    relations: tuple[str, ...]
    sql: str

    @property
    def body(self) -> dict[str, Any]:
        """The call as it is stored."""
        return {"tool": "sql", "schema": self.schema, "relations": list(self.relations), "sql": self.sql}


@dataclass(frozen=True)
class Answer:
    """The end of an episode. `text` is what the solver said, word for word."""

    state: Literal["answered", "no_answer"]
    text: str | None
    detail: dict[str, Any] = field(default_factory=dict)


Prompt = Literal["trigpoint", "published"]
Mover = Callable[[Asked, Sequence[Reply]], ChatCall | SqlCall | Answer]
"""The next call of an episode, or its answer. Pure: the same replies give the same move."""


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


Opener = Callable[[Connection, RunView], Mover]
Check = Callable[[Connection, int], None]


@dataclass(frozen=True)
class Solver:
    """A registered solver. `reads` names what it looks at beside the prompt: snapshot, gold."""

    name: str
    version: int
    open: Opener
    calls_endpoint: bool
    runs_sql: bool
    reads: frozenset[str]
    check: Check | None
    makes: RunKind


_REGISTERED: dict[str, Solver] = {}


def solver(
    name: str,
    version: int,
    *,
    calls_endpoint: bool = False,
    runs_sql: bool = False,
    reads: Sequence[str] = (),
    check: Check | None = None,
    makes: RunKind = ANSWERS,
) -> Callable[[Opener], Opener]:
    """Register the decorated function as the opener of a solver.

    It is called once a run and worker, with a connection and the run; `check` raises UsageError where the solver
    does not suit a version. Raises ValueError where the name is taken.
    """

    def register(opener: Opener) -> Opener:
        if name in _REGISTERED:
            raise ValueError(f"two solvers are named {name}")
        _REGISTERED[name] = Solver(
            name, version, opener, calls_endpoint, runs_sql, frozenset(reads), check, makes
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
