"""Tables 3 to 6 of MapEval: accuracy by class with a context, with tools and with a map; and with a calculator.

Overall is the share of all questions of the task, and no mean of classes, as the paper's figures are. Questions that
cannot be answered count. A run stands in the table of the way in which it was asked: with contexts (3), without them or
with tools (4), or about pictures (5). Table 6 has runs with tools, without and with those that calculate.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from app.benchmarks.mapeval.sub_kinds import KINDS, sub_kind_of
from app.papers.definitions import (
    PAPER_TABLES,
    PaperTables,
    TableAnswer,
    TableColumn,
    TableQuestion,
    TableRules,
    TableRun,
)
from app.predictions.presentations import leaves_out_contexts
from app.scores.profiles import default_profile
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
TEXTUAL_CLASSES = ("place info", "nearby", "routing", "trip", "unanswerable")
VISUAL_CLASSES = ("place info", "nearby", "routing", "counting", "unanswerable")
CALCULATORS = ("mapeval_calculator", "calculator")
"""The sets of tools that calculate: with the tools of the paper, and alone."""
VISUAL = "visual"
PUBLISHED = ("textual", VISUAL, "written")
"""The tasks, as templates of the published questions begin; and of those that people write on the workbench."""
QUESTIONS = 700


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


def _is_of(visual: bool, name: str, question: TableQuestion) -> bool:
    is_of_task = is_visual(question.template) == visual
    return is_of_task and (name == OVERALL or class_of(question.template) == CLASSES[name])


def _is_of_kind(kind: str, question: TableQuestion) -> bool:
    return not is_visual(question.template) and kind_of(question) == kind


def _is_right(answer: TableAnswer) -> float:
    return answer.value


def tools_of(run: TableRun) -> str | None:
    """The name of the set of tools that a run gives its agent; None of a run without tools."""
    terms = run.presentation.get(AGENT)
    return None if terms is None else str(terms.get("tools"))


def _has_context(run: TableRun) -> bool:
    return tools_of(run) is None and not leaves_out_contexts(run.presentation)


def _has_no_context(run: TableRun) -> bool:
    return not _has_context(run)


def _has_tools(calculates: bool, run: TableRun) -> bool:
    return tools_of(run) is not None and (tools_of(run) in CALCULATORS) == calculates


def _by_class(
    table: int, classes: Sequence[str], visual: bool, takes: Callable[[TableRun], bool], *notes: str
) -> TableRules:
    columns = {name: TableColumn(partial(_is_of, visual, name), _is_right) for name in (OVERALL, *classes)}
    return TableRules(table, "accuracy", columns, unit="percent", takes=takes, notes=notes)


def _by_kind(measure: str, calculates: bool, *notes: str) -> TableRules:
    columns = {kind: TableColumn(partial(_is_of_kind, kind), _is_right) for kind in KINDS}
    takes = partial(_has_tools, calculates)
    return TableRules(6, measure, columns, unit="percent", takes=takes, notes=notes)


def _differences(questions: Sequence[TableQuestion]) -> list[str]:
    visual = sum(is_visual(one.template) for one in questions)
    return [f"Of these about pictures: {visual:,} (in the paper: 400)."] if visual else []


PAPER_TABLES.add(
    "mapeval",
    "mapeval",
    PaperTables(
        "mapeval",
        default_profile().name,
        QUESTIONS,
        (
            _by_class(
                3, TEXTUAL_CLASSES, False, _has_context, "Runs that show the context of each question."
            ),
            _by_class(
                4,
                TEXTUAL_CLASSES,
                False,
                _has_no_context,
                "Runs without contexts: agents with tools, and models that are asked without either.",
                "Table 7 of the paper, with Chameleon's 50.27, is left out: its figures fit 187 questions and not the "
                "300 of Table 4.",
            ),
            _by_class(5, VISUAL_CLASSES, True, lambda run: True, "Runs on questions about pictures."),
            _by_kind(
                "accuracy",
                False,
                "The paper counts 47 questions for a straight-line distance and 24 for a direction, and does not say "
                "which. Of published questions, those count here whose words ask for either. It names 23 "
                "questions that count, and prints no accuracy of them.",
            ),
            _by_kind(
                "accuracy with a calculator",
                True,
                "Runs whose agents have the set of tools mapeval_calculator, which has the paper's tools and two that "
                "calculate distances and directions; or calculator, which searches nothing.",
            ),
        ),
        (
            "Overall is the share of all questions of a task. Questions that cannot be answered count: whoever says so "
            "is right.",
            "Replies are read by our own rules, which also take the forms that the paper asks for. A reply that names "
            "no option is wrong.",
        ),
        _differences,
        counts_unanswerable=True,
    ),
)
