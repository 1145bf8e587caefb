"""The options of `evaluate` that say what an agent is given, and how far an episode of it may go."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

import typer

from app.solvers.agents.terms import GEOFLOW_PARTS, MANNERS, MOST_SHOTS, MOST_STEPS, AgentTerms

ToolSet = Annotated[
    str | None,
    typer.Option(
        "--tools",
        metavar="SET",
        help="agents: the set: all, mapeval, mapeval_calculator, georover, georover_10km, spatial_agent or calculator",
    ),
]
Manner = Annotated[
    str | None,
    typer.Option(
        "--manner",
        help=f"agents: how the model calls tools, {' or '.join(MANNERS)}: in fields of the protocol, or in its text",
    ),
]
Strict = Annotated[
    bool, typer.Option("--strict", help="agents, json: read no action in a fenced block or among other words")
]
Steps = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=MOST_STEPS,
        help="agents: calls of the model and of tools that an episode may have",
    ),
]
Shots = Annotated[
    int | None,
    typer.Option(min=0, max=MOST_SHOTS, help="agents: worked examples that the model is shown first"),
]
Without = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PART",
        help=f"geoflow: leave a part out: {', '.join(GEOFLOW_PARTS)}; several times for several parts",
    ),
]
EpisodeTokens = Annotated[
    int | None, typer.Option(min=1, help="agents: end an episode before its calls use more tokens than this")
]
EpisodeMoney = Annotated[
    str | None, typer.Option(help="agents: end an episode before its calls cost more than this")
]
EpisodeSeconds = Annotated[
    int | None, typer.Option(min=1, help="agents: end an episode whose calls took longer than this")
]
Context = Annotated[
    int | None,
    typer.Option(
        min=1, help="agents: tokens that a call and its answer may have; older results are left out"
    ),
]


def agent_terms(given: Mapping[str, Any], *, strict: bool) -> AgentTerms | None:
    """The terms that options say, by their names in `AgentTerms`; None where no option says anything."""
    said = {name: value for name, value in given.items() if value not in (None, [])}
    said |= {"lenient": False} if strict else {}
    return replace(AgentTerms(), **said) if said else None
