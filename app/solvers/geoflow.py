"""`geoflow`: the question becomes a GeoFlow graph that is checked, mended and carried out (Spatial-Agent).

One call of the model writes the graph; where it breaks a constraint, one more call mends it, and where that fails,
templates make a graph of what the reply names. The graph is carried out by tools. Rules match what it comes to with
an answer; only where none decides, the model answers from what the steps gave. What was wrong with the graph before
and after the repair, how the answer was found, and which stage failed are stored with the episode.
"""

from collections.abc import Generator
from typing import Any, Final, Literal

from sqlalchemy import Connection

from app.agent_tools.outcomes import ToolOutcome
from app.geoflow.executing import Execution, Limits, execute
from app.geoflow.graphs import Graph, write_graph
from app.geoflow.matching import Match, match_form, match_option
from app.solvers.agents.desk import Episode, agent, open_desk
from app.solvers.agents.playing import Play
from app.solvers.base import Answer, NextStep, QuestionView, RunView, letter
from app.solvers.calls import Call, CallResult
from app.solvers.flows.describing import trace_in_lines
from app.solvers.flows.planning import plan_graph

ErrorStage = Literal["graph", "tool", "data", "answer"]
NO_GRAPH: Final = "no_graph"
"""What an episode came to in which there is no graph to carry out."""
BY_MODEL: Final = "model"
LIMITS: Final = Limits()


@agent("geoflow", version=2)
def open_geoflow(connection: Connection, run: RunView) -> NextStep:
    """The tools are those that operators call."""
    return open_desk(connection, run, "geoflow").next_step(_play)


def _play(episode: Episode) -> Play:
    noted: dict[str, Any] = {"source": None}
    episode.noted["geoflow"] = noted
    planned = yield from plan_graph(episode)
    noted |= {"source": planned.source, "before": planned.before, "after": planned.after}
    if planned.graph is None:
        noted |= {"stage": "graph", "fallback": planned.fallback}
        return Answer(
            "no_answer", None, {"outcome": NO_GRAPH, "agent": episode.meter.as_json()} | episode.noted
        )
    noted["graph"] = write_graph(planned.graph)
    done = yield from _carry_out(episode, planned.graph)
    noted |= {
        "stage": done.stage_of_fault(),
        "steps": [{"step": one.step, "op": one.op, "state": one.state} for one in done.trace],
    }
    match = _match(done, episode.question)
    if match is not None:
        noted["rule"] = match.rule
        text = match.text if match.option is None else letter(match.option)
        return Answer("answered", text, {"agent": episode.meter.as_json()} | episode.noted)
    noted["rule"] = BY_MODEL
    prompt = episode.told("answer", trace=trace_in_lines(done))
    reply = yield from episode.ask([{"role": "system", "content": prompt}, episode.asked()], with_tools=False)
    answer = episode.answer(reply)
    if answer.state == "no_answer" and noted["stage"] is None:
        noted["stage"] = "answer"
    return answer


def _carry_out(episode: Episode, graph: Graph) -> Generator[Call, CallResult, Execution]:
    """Carry a graph out by calls of the episode. Raises CapReached where no call may be made any more."""
    executing = execute(graph, LIMITS)
    try:
        asked = next(executing)
        while True:
            outcome: ToolOutcome = yield from episode.call(asked.tool, asked.arguments)
            asked = executing.send(outcome)
    except StopIteration as end:
        done: Execution = end.value
        return done


def _match(done: Execution, question: QuestionView) -> Match | None:
    if done.measure is None:
        return None
    if question.options is not None:
        return match_option(done.measure, question.options)
    return match_form(done.measure, question.answer_type)
