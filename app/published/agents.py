"""Figures of runs with tools over their episodes on public questions. Reads as the api role.

They are written when a run is scored (app.scores.agents); a run that goes on, or has no tools, has none.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection, Row, TextClause

from app.predictions.costs import Prices
from app.published import queries_agents as queries
from app.published.exploration import Exploration, read_exploration
from app.published.graph_figures import GraphFigures, read_graphs
from app.published.models import Licensed
from app.scores.agents.errors import CLASSES

CAPS = ("step_limit", "token_limit", "money_limit", "time_limit", "loop")
"""What ends an episode without an answer, in the order in which it is listed."""
MOST_RUNS = 100
_PARTS = (queries.BY_CALLS, queries.BY_TOOL, queries.ENDS, queries.ERRORS, queries.EXPLORED, queries.GRAPHS)


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class CallsTaken(_Model):
    """Episodes with the same number of tool calls."""

    tool_calls: int
    episodes: int
    right_answers: int


class ToolUse(_Model):
    """The calls of one tool."""

    tool: str = Field(description="as the model called it")
    calls: int
    failed_calls: int
    repeated_calls: int


class AgentFigures(_Model):
    """What the episodes of a run on public questions took, and what went wrong in them."""

    run: int
    name: str
    solver: str
    agent: dict[str, Any] | None = Field(
        description="tools, manner and caps; null for an agent that runs elsewhere"
    )
    sampling: dict[str, Any]
    episodes: int = Field(description="scored ones; each repeat and rotation has its own")
    right_answers: int
    chat_calls: int
    tool_calls: int
    failed_calls: int = Field(description="tool calls that were answered by an error")
    repeated_calls: int = Field(description="tool calls that the same episode had made before")
    format_faults: int = Field(description="replies whose action could not be read, or only leniently")
    prompt_tokens: int
    completion_tokens: int
    cost: float | None = Field(description="null for a run without prices")
    cost_per_right: float | None = Field(description="null without prices or without a right answer")
    currency: str | None
    by_calls: list[CallsTaken]
    by_tool: list[ToolUse] = Field(description="the tool with most calls first")
    ended_by: dict[str, int] = Field(description="episodes that a cap ended, by the cap")
    errors: dict[str, int] = Field(
        description="episodes without a right answer, by what went wrong: gold_not_used, wrong_place,"
        " invented_argument, result_contradicted, unreadable; an episode may be counted in several, or in none"
    )
    exploration: Exploration | None = Field(
        description="of an agent that looks for stations around points; its episodes are in no class of `errors`"
    )
    graphs: GraphFigures | None = Field(description="of the solver `geoflow`: what became of its graphs")


class AgentComparison(Licensed):
    """The runs with tools of a data set version, the newest first."""

    model_config = ConfigDict(frozen=True)

    dataset: str = Field(examples=["demo_gsqa@1"])
    runs: list[AgentFigures]


def read_figures(connection: Connection, runs: Sequence[int]) -> list[AgentFigures]:
    """The figures of those of the runs that have some, in the order of `runs`."""
    key = {"runs": list(runs)}

    def by_run(statement: TextClause) -> dict[int, list[Row[Any]]]:
        found: dict[int, list[Row[Any]]] = defaultdict(list)
        for row in connection.execute(statement, key):
            found[row.run].append(row)
        return found

    sums = {row.run: row for row in connection.execute(queries.SUMS, key)}
    parts = [by_run(one) for one in _PARTS]
    return [_figures(sums[run], *(part[run] for part in parts)) for run in runs if run in sums]


def read_figures_of_version(connection: Connection, version_id: int) -> list[AgentFigures]:
    """The figures of the version's runs with tools, the newest first."""
    binds = {"version_id": version_id, "most": MOST_RUNS}
    return read_figures(connection, connection.execute(queries.RUNS_OF_VERSION, binds).scalars().all())


def _figures(
    sums: Row[Any],
    calls: Sequence[Row[Any]],
    tools: Sequence[Row[Any]],
    ends: Sequence[Row[Any]],
    errors: Sequence[Row[Any]],
    explored: Sequence[Row[Any]],
    graphs: Sequence[Row[Any]],
) -> AgentFigures:
    told = dict(sums._mapping)
    prices = Prices.of(told.pop("prices"))
    cost = (
        None if prices is None else float(prices.amount(int(sums.prompt_tokens), int(sums.completion_tokens)))
    )
    ended = {row.name: row.episodes for row in ends}
    wrong = {row.name: row.episodes for row in errors}
    return AgentFigures(
        **told,
        cost=cost,
        cost_per_right=None if cost is None or not sums.right_answers else cost / sums.right_answers,
        currency=prices and prices.currency,
        by_calls=[
            CallsTaken(**{name: row._mapping[name] for name in CallsTaken.model_fields}) for row in calls
        ],
        by_tool=[ToolUse(**{name: row._mapping[name] for name in ToolUse.model_fields}) for row in tools],
        ended_by={cap: ended.pop(cap, 0) for cap in CAPS} | ended,
        errors={name: wrong.get(name, 0) for name in CLASSES},
        exploration=read_exploration(explored),
        graphs=read_graphs(graphs),
    )
