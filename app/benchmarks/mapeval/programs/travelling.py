"""Travel times between all places of a question, as the tool distance_matrix tells them. Seconds."""

from collections.abc import Sequence

from app.agent_tools.calling import read_call
from app.agent_tools.errors import ToolError
from app.agent_tools.tool_plans.running import Answering, answers_within
from app.questions.derivations.base import Row
from app.questions.programs import ProgramRun, Selected, program


@program("mapeval", "travel_matrix", "bicycle", "car", "foot")
def find_travel_times(run: ProgramRun) -> Sequence[Sequence[Row]]:
    """The rows of each question with `seconds`: how long it takes from the row's place to that of each row.

    There are none where a place is too far from every road.
    """
    answering = answers_within(run.connection, run.snapshot, run.routers)
    return [_with_seconds(answering, question) for question in run.questions]


def _with_seconds(answering: Answering, question: Selected) -> Sequence[Row]:
    keys = [row["osm_key"] for row in question.rows]
    asked = {"origins": keys, "destinations": keys, "mode": question.binds["mode"]}
    try:
        told = answering(read_call("distance_matrix", asked)).result.model_dump()
    except ToolError as error:
        if error.kind != "no_route":
            raise
        return ()
    return [{**row, "seconds": seconds} for row, seconds in zip(question.rows, told["seconds"], strict=True)]
