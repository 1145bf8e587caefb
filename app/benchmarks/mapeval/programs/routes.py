"""The fastest route between two places, as the tool directions tells it. Seconds, metres."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.agent_tools.calling import read_call
from app.agent_tools.errors import ToolError
from app.agent_tools.tool_plans.running import Answering, answers_within
from app.questions.derivations.base import Row
from app.questions.programs import ProgramRun, Selected, program


@program("mapeval", "fastest_route", "car")
def find_fastest_route(run: ProgramRun) -> Sequence[Sequence[Row]]:
    """The steps of each question's fastest route by car, and how long the next best one takes, where there is one.

    The SELECT gives a row of both ends. There are no steps where no route leads.
    """
    answering = answers_within(run.connection, run.snapshot, run.routers)
    return [_tell_steps(answering, question) for question in run.questions]


def _tell_steps(answering: Answering, question: Selected) -> Sequence[Row]:
    (ends,) = question.rows
    asked = {"origin": ends["origin_key"], "destination": ends["destination_key"], "mode": "car"}
    try:
        told = answering(read_call("directions", {**asked, "alternatives": 1})).result.model_dump()
    except ToolError as error:
        if error.kind != "no_route":
            raise
        return ()
    fastest, *others = told["routes"]
    more = {"seconds": fastest["seconds"], "next_seconds": others[0]["seconds"] if others else None}
    return [_tell_step(number, step, {**ends, **more}) for number, step in enumerate(fastest["steps"])]


def _tell_step(number: int, step: Mapping[str, Any], route: Mapping[str, Any]) -> Row:
    told = {name: step.get(name) for name in ("kind", "degrees", "exit", "road")}
    return {**route, "number": number, "metres": step["distance_m"], **told}
