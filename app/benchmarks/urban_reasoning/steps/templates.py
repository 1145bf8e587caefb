"""The tasks of the templates whose responses are recomputed."""

from app.benchmarks.urban_reasoning.steps.checking import can_check, check_response
from app.scores.reasoning import Reasoning, checks_reasoning

TASKS = {"Distance": "DS", "Direction": "DR", "Visiting_Order": "PN", "Destination": "PR"}


@checks_reasoning("urban_reasoning")
def check(template: str, prompt: str, response: str) -> Reasoning | None:
    """The steps of a response; None for a template whose task has no rules."""
    task = TASKS.get(template, "")
    return check_response(task, prompt, prompt, response) if can_check(task) else None
