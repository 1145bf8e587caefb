"""How runs were set up, where this decides what their scores say: model, tools, sampling, budget. Pure.

Runs with tools are ranked apart from runs without: they may look things up.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from app.core.identity import canonical_json
from app.leaderboard.comparing import Compared, ranks
from app.solvers.agents.terms import AGENT

TOOLS = ("tools", "manner", "lenient", "shots", "prompts", "without")
BUDGET = ("steps", "tokens", "money", "seconds", "context")
"""What of an agent's terms says how it calls which tools, and how far it may go."""


class Setup(NamedTuple):
    """What must be equal if scores are to tell one thing alone; each part as canonical JSON."""

    model: str
    tools: str
    sampling: str
    budget: str


def tools_of(presentation: Mapping[str, Any]) -> str | None:
    """The set of tools of a run; None for a run without tools."""
    agent = presentation.get(AGENT)
    return None if agent is None else str(agent.get("tools", "all"))


def setup_of(model: str | None, sampling: Mapping[str, Any], presentation: Mapping[str, Any]) -> Setup:
    """The setup of a run."""
    agent = presentation.get(AGENT) or {}
    tools, budget = ({name: agent.get(name) for name in names} for names in (TOOLS, BUDGET))
    return Setup(*map(canonical_json, (model, tools, sampling, budget)))


def differing(setups: Iterable[Setup]) -> list[str]:
    """The parts in which setups differ."""
    found = list(setups)
    return [name for name in Setup._fields if len({getattr(one, name) for one in found}) > 1]


def ranks_apart(
    rows: Sequence[int], with_tools: frozenset[int], compared: Sequence[Compared]
) -> dict[int, int | None]:
    """The rank of each of `rows`, as `ranks` gives them, among the runs that have tools, or have none, like it."""
    parts = ([run for run in rows if (run in with_tools) == has_tools] for has_tools in (False, True))
    return {run: rank for part in parts for run, rank in ranks(part, compared).items()}
