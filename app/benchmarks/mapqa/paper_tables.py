"""Table 2 of the Spatial-Agent paper: accuracy on six of MapQA's nine types, and their plain mean.

The paper's figures are of 50 questions of a type, and 17 of compare_closer; all questions of a run count here. The
table stands among MapQA's, and among that paper's, whose other tables are of MapEval.
"""

from collections.abc import Sequence
from functools import partial

from app.papers.definitions import (
    PAPER_TABLES,
    PaperTables,
    TableAnswer,
    TableColumn,
    TableQuestion,
    TableRules,
)
from app.scores.profiles import default_profile
from app.templates.catalogue import find_dimensions

TYPES = (
    "adjacent",
    "amenities",
    "amenities_around",
    "amenities_around_specific",
    "compare_closer",
    "distance",
)
"""In the order of the paper's table; it leaves out direction_nearest, nearest_amenity and intersection."""
PUBLISHED = 267
"""The questions behind the paper's figures: five types of 50, and 17 of compare_closer."""
DIMENSION_OF = find_dimensions("mapqa")


def _is_of(kind: str, question: TableQuestion) -> bool:
    return DIMENSION_OF.get(question.template, question.template) == kind


def _is_right(answer: TableAnswer) -> float:
    return answer.value


def _differences(questions: Sequence[TableQuestion]) -> list[str]:
    return [
        "The paper does not say how it checks answers. It counts a third of the published distances as answered "
        "rightly, which no exact distance is: those answers are metres of Web Mercator."
    ]


TABLES = PaperTables(
    "mapqa",
    default_profile().name,
    PUBLISHED,
    (
        TableRules(
            2,
            "accuracy",
            {name: TableColumn(partial(_is_of, name), _is_right) for name in TYPES},
            {"overall": dict.fromkeys(TYPES, 1.0)},
            unit="percent",
            notes=("Overall is the plain mean of the six types, as in the paper.",),
        ),
    ),
    (),
    _differences,
)

PAPER_TABLES.add("mapqa", "mapqa", TABLES)
PAPER_TABLES.add("mapqa", "spatial-agent", TABLES)
