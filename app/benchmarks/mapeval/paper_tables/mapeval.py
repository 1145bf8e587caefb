"""Tables 3 to 6 of MapEval: accuracy by class with a context, with tools and with a map; and with a calculator.

Overall is the share of all questions of the task, and no mean of classes, as the paper's figures are. Questions that
cannot be answered count. A run stands in the table of the way in which it was asked: with contexts (3), without them or
with tools (4), or about pictures (5). Table 6 has runs with tools, without and with those that calculate.
"""

from collections.abc import Callable, Sequence
from functools import partial

from app.benchmarks.mapeval.paper_tables.classes import (
    OVERALL,
    has_context,
    has_no_context,
    has_tools,
    is_of,
    is_of_kind,
    is_right,
    is_visual,
)
from app.benchmarks.mapeval.sub_kinds import KINDS
from app.papers.definitions import (
    PAPER_TABLES,
    PaperTables,
    TableColumn,
    TableQuestion,
    TableRules,
    TableRun,
)
from app.scores.profiles import default_profile

TEXTUAL_CLASSES = ("place info", "nearby", "routing", "trip", "unanswerable")
VISUAL_CLASSES = ("place info", "nearby", "routing", "counting", "unanswerable")
QUESTIONS = 700


def _by_class(
    table: int, classes: Sequence[str], visual: bool, takes: Callable[[TableRun], bool], *notes: str
) -> TableRules:
    columns = {name: TableColumn(partial(is_of, visual, name), is_right) for name in (OVERALL, *classes)}
    return TableRules(table, "accuracy", columns, unit="percent", takes=takes, notes=notes)


def _by_kind(measure: str, calculates: bool, *notes: str) -> TableRules:
    columns = {kind: TableColumn(partial(is_of_kind, kind), is_right) for kind in KINDS}
    takes = partial(has_tools, calculates)
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
            _by_class(3, TEXTUAL_CLASSES, False, has_context, "Runs that show the context of each question."),
            _by_class(
                4,
                TEXTUAL_CLASSES,
                False,
                has_no_context,
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
