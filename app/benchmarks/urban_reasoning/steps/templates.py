"""The tasks of the templates whose responses are recomputed."""

from app.benchmarks.urban_reasoning.steps.checking import can_check, check_response
from app.scores.reasoning import Reasoning, checks_reasoning

TASKS = {
    "Distance": "DS",
    "Direction": "DR",
    "Relation_Of_Roads": "RE",
    "Relation_Of_Road_And_Area": "RE",
    "Relation_Of_Areas": "RE",
    "Visiting_Order": "PN",
    "Destination": "PR",
    "Shortest_Way": "NV",
    "Recommendation_Near": "RC",
    "Recommendation_On_Walk": "RC",
}
"""Of each template its task in the paper."""

VERSION = 2
"""Of what the checks find; raised with any change of it, so that stored figures are computed anew beside the old."""


@checks_reasoning("urban_reasoning", VERSION)
def check(template: str, prompt: str, response: str) -> Reasoning | None:
    """The steps of a response; None for a template without a task."""
    task = TASKS.get(template, "")
    return check_response(task, prompt, prompt, response) if can_check(task) else None
