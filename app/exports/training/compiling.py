"""The graph of a question, by the tool plan that is stored with its gold."""

from app.exports.exported import ExportedQuestion
from app.geoflow.compiling import CannotCompile, compile_plan
from app.geoflow.graphs import Graph
from app.questions.tool_plans import TOOL_PLAN


def graph_of_plan(question: ExportedQuestion) -> Graph | None:
    """The graph that says what the plan says; None without a plan, or where no operator makes one of its calls."""
    if TOOL_PLAN not in question.solutions:
        return None
    try:
        return compile_plan(question.solutions[TOOL_PLAN]).graph
    except CannotCompile:
        return None
