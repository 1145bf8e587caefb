"""Which questions and runs of MapEval stand where in tables of papers: by class, by kind, and by the way of asking."""

from collections.abc import Mapping

from app.benchmarks.mapeval.sub_kinds import sub_kind_of
from app.papers.definitions import TableAnswer, TableQuestion, TableRun
from app.predictions.presentations import leaves_out_contexts
from app.solvers.agents.terms import AGENT
from app.templates.catalogue import find_dimensions

OVERALL = "overall"
CLASSES: Mapping[str, str] = {
    "place info": "poi",
    "nearby": "nearby",
    "routing": "routing",
    "trip": "trip",
    "counting": "counting",
    "unanswerable": "unanswerable",
}
"""The paper's name of a class, and its label in data."""
CALCULATORS = ("mapeval_calculator", "calculator")
"""The sets of tools that calculate: with the tools of the paper, and alone."""
VISUAL = "visual"
PUBLISHED = ("textual", VISUAL, "written")
"""The tasks, as templates of the published questions begin; and of those that people write on the workbench."""


def class_of(template: str) -> str:
    """The label of a template's class; that of a template which is not known is empty."""
    task, _, label = template.partition("_")
    return label if task in PUBLISHED else find_dimensions("mapeval").get(template, "")


def is_visual(template: str) -> bool:
    """Whether questions of the template are about pictures."""
    return template.lower().startswith(VISUAL)


def kind_of(question: TableQuestion) -> str | None:
    """The kind by which Table 6 counts a question; that of a published one was found by its words."""
    return sub_kind_of(question.template, question.parameters.get("kind"))


def is_of(visual: bool, name: str, question: TableQuestion) -> bool:
    """Whether a question is about pictures or not, as wanted, and of the class; each is of `OVERALL`."""
    is_of_task = is_visual(question.template) == visual
    return is_of_task and (name == OVERALL or class_of(question.template) == CLASSES[name])


def is_of_kind(kind: str, question: TableQuestion) -> bool:
    """Whether a question without a picture is of the kind."""
    return not is_visual(question.template) and kind_of(question) == kind


def is_right(answer: TableAnswer) -> float:
    """1 for a right answer."""
    return answer.value


def tools_of(run: TableRun) -> str | None:
    """The name of the set of tools that a run gives its agent; None of a run without tools."""
    terms = run.presentation.get(AGENT)
    return None if terms is None else str(terms.get("tools"))


def has_context(run: TableRun) -> bool:
    """Whether a run shows the context of each question."""
    return tools_of(run) is None and not leaves_out_contexts(run.presentation)


def has_no_context(run: TableRun) -> bool:
    """Whether a run asks questions alone, or with tools."""
    return not has_context(run)


def has_tools(calculates: bool, run: TableRun) -> bool:
    """Whether a run has tools, and those calculate or not, as wanted."""
    return tools_of(run) is not None and (tools_of(run) in CALCULATORS) == calculates
