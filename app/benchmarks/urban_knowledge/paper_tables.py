"""Table 4 of UrbanGeoEval: accuracy by dimension, and over all.

The paper's overall figure is the plain mean of the six dimensions for four of its models, and for GPT-4o the mean
weighted by how many templates each dimension has. A run gets both.
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

TEMPLATES = {"node": 5, "area": 4, "road": 3, "type": 3, "function": 3, "surroundings": 2}
"""How many of the 20 templates each dimension has, in the order of the paper's table."""


def _is_of(dimension: str, question: TableQuestion) -> bool:
    return question.dimension == dimension


def _is_right(answer: TableAnswer) -> float:
    return answer.value


def _differences(questions: Sequence[TableQuestion]) -> list[str]:
    return []


COLUMNS = {name: TableColumn(partial(_is_of, name), _is_right) for name in TEMPLATES}

PAPER_TABLES.add(
    "urban_knowledge",
    "urban",
    PaperTables(
        "urban_knowledge",
        default_profile().name,
        27_000,
        (
            TableRules(
                4,
                "accuracy",
                COLUMNS,
                {
                    "overall": dict.fromkeys(TEMPLATES, 1.0),
                    "by templates": {k: float(n) for k, n in TEMPLATES.items()},
                },
                unit="percent",
                notes=(
                    "Overall of a run is the plain mean of the six dimensions. By templates, each dimension is "
                    "weighted by its number of templates, as in the paper's overall figure of GPT-4o.",
                ),
            ),
        ),
        (),
        _differences,
    ),
)
