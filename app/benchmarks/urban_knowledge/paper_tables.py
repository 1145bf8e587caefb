"""Table 4 of UrbanGeoEval: accuracy by dimension, and over all.

The paper's overall figure is the plain mean of the six dimensions for four of its models, and for GPT-4o the mean
weighted by how many templates each dimension has. A run gets both.
"""

from collections import Counter
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

DIMENSIONS = ("node", "area", "road", "type", "function", "surroundings")
"""In the order of the paper's table."""
DIMENSION_OF = find_dimensions("urban_knowledge")
"""By template, as it is today: earlier versions of a data set may have stored another one."""
TEMPLATES = Counter(DIMENSION_OF.values())
"""How many templates each dimension has."""


def _is_of(dimension: str, question: TableQuestion) -> bool:
    return DIMENSION_OF.get(question.template) == dimension


def _is_right(answer: TableAnswer) -> float:
    return answer.value


def _differences(questions: Sequence[TableQuestion]) -> list[str]:
    return []


COLUMNS = {name: TableColumn(partial(_is_of, name), _is_right) for name in DIMENSIONS}

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
                    "overall": dict.fromkeys(DIMENSIONS, 1.0),
                    "by templates": {name: float(TEMPLATES[name]) for name in DIMENSIONS},
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
