"""Tables 5, 8 and 9 of UrbanGeoEval: points of reasoning and answer by task, totals, ranks under two judges.

Their runs are those of judges. A total weighs each task by its questions in the paper (Table 3), not by those of a run,
so that runs over other numbers of questions stay comparable.
"""

import math
from collections.abc import Mapping, Sequence
from functools import partial

from app.papers.definitions import (
    PAPER_TABLES,
    PaperTables,
    Ranking,
    TableAnswer,
    TableColumn,
    TableQuestion,
    TableRules,
)
from app.scores.verdicts import HYBRID, PURE
from app.solvers.judging.rubrics import find_rubric
from app.solvers.run_kinds import JUDGEMENT

QUESTIONS = {"DS": 498, "DR": 497, "RE": 637, "PN": 497, "PR": 494, "NV": 392, "RC": 133}
"""By task: how many the paper has (Table 3), in the order of Table 5."""
PARTS = ("reason", "answer")
TOTALS = {"pure judge": PURE.name, "hybrid": HYBRID.name}


def total_of(points: Mapping[str, float]) -> float:
    """The share of all points as Table 8 counts it, from the points of reasoning and answer of each task."""
    shares = [n * points[task] / find_rubric(task).total for task, n in QUESTIONS.items()]
    return math.fsum(shares) / sum(QUESTIONS.values())


def _is_of(task: str, question: TableQuestion) -> bool:
    return question.rubric == task


def _is_of_any(question: TableQuestion) -> bool:
    return question.rubric in QUESTIONS


def _part(part: str, answer: TableAnswer) -> float | None:
    """The share of the points of a part under hybrid marks; 0 without an answer."""
    if answer.profile != HYBRID.name:
        return None
    points = answer.components.get(part)
    return 0.0 if points is None else points["value"] / points["maximum"]


def _total(profile: str, answer: TableAnswer) -> float | None:
    return answer.value if answer.profile == profile else None


def _points_by_task() -> dict[str, TableColumn]:
    columns = {}
    for task in QUESTIONS:
        most = {"reason": find_rubric(task).reason, "answer": find_rubric(task).answer.maximum}
        for part in PARTS:
            columns[f"{task} {part}"] = TableColumn(partial(_is_of, task), partial(_part, part), most[part])
    return columns


def _totals_by_task() -> dict[str, TableColumn]:
    by_task = {
        f"{name} {task}": TableColumn(partial(_is_of, task), partial(_total, profile))
        for name, profile in TOTALS.items()
        for task in QUESTIONS
    }
    return by_task | {"hybrid, own counts": TableColumn(_is_of_any, partial(_total, HYBRID.name))}


def _differences(questions: Sequence[TableQuestion]) -> list[str]:
    return []


PAPER_TABLES.add(
    "urban_reasoning",
    "urban",
    PaperTables(
        "urban_reasoning",
        HYBRID.name,
        sum(QUESTIONS.values()),
        (
            TableRules(5, "points of the reasoning and of the answer", _points_by_task(), unit="points"),
            TableRules(
                8,
                "points of all tasks",
                _totals_by_task(),
                {name: {f"{name} {task}": float(n) for task, n in QUESTIONS.items()} for name in TOTALS},
                differences={"difference": ("hybrid", "pure judge")},
                shown=(*TOTALS, "difference", "hybrid, own counts"),
                unit="percent",
                notes=(
                    "Totals weigh each task by its questions in the paper. In the column of own counts, each task of a "
                    "run is weighed by the run's questions, as on boards.",
                ),
            ),
        ),
        (),
        _differences,
        run_kind=JUDGEMENT,
        further_profiles=(PURE.name,),
        rankings=(
            Ranking(
                9,
                "rank",
                8,
                "hybrid",
                (
                    "Runs are ranked among themselves by the hybrid totals of Table 8. The judge is that of the first "
                    "run that was named, the second judge the next one. With two judges, only runs that both "
                    "marked have ranks.",
                ),
            ),
        ),
    ),
)
