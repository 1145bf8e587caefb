"""Proves a question's gold by its graph: the stored tool plan compiled, executed on the question's map, and compared.

A fourth way beside stored SQL, second path and tool plan: operators must agree with the tools that the plan calls.
"""

from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection

from app.agent_tools.sets import SPATIAL_AGENT, find_set
from app.agent_tools.tool_plans.running import answers_within
from app.geoflow.compiling import CannotCompile, compile_plan
from app.geoflow.executing import execute_on
from app.geoflow.graphs import Graph
from app.questions.gold import VALUE
from app.questions.programs import RouterSource
from app.questions.stored import StoredQuestion
from app.questions.tool_plans import TOOL_PLAN, is_answer, reason_without_plan, solutions_of

State = Literal["gold", "other", "failed", "no_graph", "no_plan"]


@dataclass(frozen=True)
class GoldGraph:
    """What became of a question's graph: its run gives gold, or another answer, or none; or there is no graph.

    `says` is why the run failed, or why there is no graph.
    """

    state: State
    says: str = ""
    graph: Graph | None = None


def graph_of_question(
    connection: Connection, question: StoredQuestion, routers: RouterSource | None = None
) -> GoldGraph:
    """Compile a question's plan and execute the graph on its map, within the transaction of the connection."""
    solutions = solutions_of(question)
    if TOOL_PLAN not in solutions:
        reason = reason_without_plan(solutions)
        of_kind = "" if question.gold_kind == VALUE else f"its gold is {question.gold_kind}"
        return GoldGraph("no_plan", reason or of_kind or "its benchmark stores no tool plans")
    try:
        compiled = compile_plan(solutions[TOOL_PLAN])
    except CannotCompile as fault:
        return GoldGraph("no_graph", str(fault))
    answering = answers_within(connection, question.snapshot, routers)
    done = execute_on(compiled.graph, answering, find_set(SPATIAL_AGENT).tools)
    if done.measure is None:
        return GoldGraph("failed", next(one.says for one in done.trace if one.says), compiled.graph)
    agrees = is_answer(compiled.answer(done.measure), question.gold)
    return GoldGraph("gold" if agrees else "other", graph=compiled.graph)
