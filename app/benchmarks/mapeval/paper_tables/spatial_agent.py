"""Tables 1 and 3 of the Spatial-Agent paper, its latency and its cost: MapEval-API without what cannot be answered.

Overall is the plain mean of four classes, as in most of the paper's rows. Beside it stand the share of all questions of
these classes, and the share with the questions that cannot be answered, which is what MapEval's own rows are.
"""

import math
from collections.abc import Mapping, Sequence
from functools import partial

from app.benchmarks.mapeval.paper_tables.classes import (
    OVERALL,
    has_no_context,
    is_of,
    is_right,
    is_visual,
)
from app.papers.definitions import (
    PAPER_TABLES,
    PaperTables,
    TableAnswer,
    TableColumn,
    TableQuestion,
    TableRules,
    TableRun,
)
from app.scores.profiles import default_profile
from app.solvers.agents.terms import AGENT

QUESTIONS: Mapping[str, int] = {"place info": 64, "nearby": 83, "routing": 66, "trip": 67}
"""By class: how many of MapEval's questions the paper asks; every printed figure is a share of so many."""
PLAIN_MEAN = "plain mean"
BY_QUESTIONS = "by questions"
WITH_UNANSWERABLE = "with unanswerable"
ABLATED = ("geoflow", "plan_and_solve")
"""The solvers of Table 3."""
INPUT_PRICE, OUTPUT_PRICE = 0.15e-6, 0.60e-6
"""US dollars a token, by section 4.3."""
NO_CLASS = "any"

Figures = Mapping[str, float | None]


def _is_counted(question: TableQuestion) -> bool:
    return any(is_of(False, name, question) for name in QUESTIONS)


def _right_of(figures: Figures) -> dict[str, int] | None:
    """How many right answers the printed shares stand for, by class; None where one is not printed."""
    known = {name: figure for name in QUESTIONS if (figure := figures.get(name)) is not None}
    if len(known) < len(QUESTIONS):
        return None
    return {name: round(figure * QUESTIONS[name]) for name, figure in known.items()}


def plain_mean(figures: Figures) -> float | None:
    """The mean of the four classes, each counting as one."""
    right = _right_of(figures)
    if right is None:
        return None
    return math.fsum(count / QUESTIONS[name] for name, count in right.items()) / len(QUESTIONS)


def mean_by_questions(figures: Figures) -> float | None:
    """The share of all questions of the four classes."""
    right = _right_of(figures)
    return None if right is None else sum(right.values()) / sum(QUESTIONS.values())


def price_of(input_tokens: float | None, output_tokens: float | None) -> float | None:
    """US dollars by the paper's prices; None where tokens are not known."""
    if input_tokens is None or output_tokens is None:
        return None
    return INPUT_PRICE * input_tokens + OUTPUT_PRICE * output_tokens


def _published_price(figures: Figures) -> float | None:
    return price_of(figures.get("input tokens"), figures.get("output tokens"))


def _seconds(answer: TableAnswer) -> float | None:
    return None if answer.effort is None else answer.effort.seconds


def _input_tokens(answer: TableAnswer) -> float | None:
    return None if answer.effort is None else answer.effort.input_tokens


def _output_tokens(answer: TableAnswer) -> float | None:
    return None if answer.effort is None else answer.effort.output_tokens


def _price(answer: TableAnswer) -> float | None:
    return price_of(_input_tokens(answer), _output_tokens(answer))


def _leaves_parts_out(run: TableRun) -> bool:
    return bool((run.presentation.get(AGENT) or {}).get("without"))


def _stands_in_table_1(run: TableRun) -> bool:
    return has_no_context(run) and not _leaves_parts_out(run)


def _stands_in_table_3(run: TableRun) -> bool:
    return has_no_context(run) and run.solver in ABLATED


def _none_of_ours(run: TableRun) -> bool:
    """Changes are printed against rows of the paper; which of ours a run should be set against, nobody says."""
    return False


BY_CLASS = {name: TableColumn(partial(is_of, False, name), is_right) for name in QUESTIONS}
ALL_CLASSES = dict.fromkeys(QUESTIONS, 1.0)
COUNTED = TableColumn(_is_counted, is_right)
CHANGES = {OVERALL: COUNTED, **BY_CLASS}
"""The columns of changes, which no run of ours fills."""

TABLE_1 = TableRules(
    1,
    "accuracy",
    {
        **BY_CLASS,
        BY_QUESTIONS: COUNTED,
        WITH_UNANSWERABLE: TableColumn(partial(is_of, False, OVERALL), is_right),
    },
    averages={OVERALL: ALL_CLASSES, PLAIN_MEAN: ALL_CLASSES},
    derived={PLAIN_MEAN: plain_mean, BY_QUESTIONS: mean_by_questions},
    shown=(OVERALL, *QUESTIONS, PLAIN_MEAN, BY_QUESTIONS, WITH_UNANSWERABLE),
    unit="percent",
    takes=_stands_in_table_1,
    notes=(
        "Overall of runs is the plain mean of the four classes. Of published rows it is what the paper prints; their "
        "plain mean, and their share by questions, follow from the printed classes, which are of 64, 83, 66 and 67 "
        "questions.",
        "The paper leaves out the questions that cannot be answered: 280 of MapEval's 300 are left. The rows M35, M4 "
        "and ML are copied from MapEval's Table 4, and their Overall (27.33, 23.00 and 37.67) is the share of all 300. "
        "For runs, that is the column with unanswerable.",
        "The Overall of S35, 34.61, is neither its plain mean (36.51) nor its share by questions (35.71); nor is that "
        "of S5, 71.88 (73.08 and 71.79).",
        "Runs that show contexts have no row. The paper's agents search a store that was made of the contexts of these "
        "very questions; MapEval's own rows had none.",
    ),
)
TABLE_1_CHANGES = TableRules(
    1,
    "change against the row MapEval API of the same model",
    CHANGES,
    shown=(OVERALL, *QUESTIONS),
    unit="percent",
    takes=_none_of_ours,
    notes=(
        "The changes of Overall set a mean of four classes without unanswerable questions against a share of all "
        "questions with them. For GPT-4o-mini the paper prints +96.30. By plain means it is +81.52 (24.88 and 45.15), "
        "and by questions +82.35 (24.29 and 44.29). For LLaMA-70B it prints +26.82, where plain means give +19.86. "
        "For GPT-3.5-Turbo it prints +26.64, where plain means give +27.35 (28.67 and 36.51).",
    ),
)
TABLE_3 = TableRules(
    3,
    "accuracy",
    {**BY_CLASS, BY_QUESTIONS: COUNTED},
    averages={OVERALL: ALL_CLASSES},
    derived={BY_QUESTIONS: mean_by_questions},
    shown=(OVERALL, *QUESTIONS, BY_QUESTIONS),
    unit="percent",
    takes=_stands_in_table_3,
    notes=(
        "Overall is the plain mean of the four classes in all rows. Of runs, those by geoflow, also with parts left "
        "out (`--without`), and by plan_and_solve have rows.",
    ),
)
TABLE_3_CHANGES = TableRules(
    3,
    "change against Spatial-Agent with the same model",
    CHANGES,
    shown=(OVERALL, *QUESTIONS),
    unit="percent",
    decimals=1,
    takes=_none_of_ours,
)
LATENCY = TableRules(
    0,
    "seconds a question",
    {
        **{name: TableColumn(one.counts, _seconds, None) for name, one in BY_CLASS.items()},
        NO_CLASS: TableColumn(_is_counted, _seconds, None),
    },
    unit="count",
    decimals=1,
    takes=has_no_context,
    notes=(
        "Seconds of runs are those of all calls of the model and of tools, one after the other; waiting between them "
        "does not count. The paper prints 0.6 of Direct and names no class.",
    ),
)
TOKENS = TableRules(
    0,
    "tokens a question",
    {
        "input tokens": TableColumn(_is_counted, _input_tokens, None),
        "output tokens": TableColumn(_is_counted, _output_tokens, None),
    },
    unit="count",
    decimals=0,
    takes=has_no_context,
    notes=(
        "As the endpoint counted them. An answer that an earlier run had paid for has what it took then.",
    ),
)
COST = TableRules(
    0,
    "US dollars a question",
    {"by tokens": TableColumn(_is_counted, _price, None)},
    derived={"by tokens": _published_price},
    shown=("printed", "by tokens"),
    unit="count",
    decimals=5,
    takes=has_no_context,
    notes=(
        "By tokens, at the paper's prices for all rows: 0.15 US dollars for a million tokens of input, 0.60 for a "
        "million of output. `trigpoint run show` has the costs at a run's own prices.",
    ),
)


def _differences(questions: Sequence[TableQuestion]) -> list[str]:
    textual = [one for one in questions if not is_visual(one.template)]
    said = [f"Of these in one of the four classes: {sum(map(_is_counted, textual)):,}."]
    if len(textual) < len(questions):
        said.append(f"About pictures, in none of these tables: {len(questions) - len(textual):,}.")
    return said


PAPER_TABLES.add(
    "mapeval",
    "spatial-agent",
    PaperTables(
        "mapeval",
        default_profile().name,
        sum(QUESTIONS.values()),
        (TABLE_1, TABLE_1_CHANGES, TABLE_3, TABLE_3_CHANGES, LATENCY, TOKENS, COST),
        (),
        _differences,
        counts_unanswerable=True,
        reads_effort=True,
        figures="reference_spatial_agent.yaml",
    ),
)
