"""Tables 1 to 3 of the EVGeoQA paper: the size of the data, Hits@K by tier, and how often agents moved.

Tiers are nested: below 10 km, below 20 km, and all, by the straight line from the user to the key's nearest station.
"""

from collections.abc import Sequence
from functools import partial

from app.papers.definitions import (
    PAPER_TABLES,
    Counts,
    PaperTables,
    TableAnswer,
    TableColumn,
    TableQuestion,
    TableRules,
)
from app.scores.profiles import default_profile

TIERS = {"<10 km": ("10",), "<20 km": ("10", "20"), "no limit": ("10", "20", "none")}
"""By a tier's name in the tables: the tiers of our questions that lie in it."""
RANKS = (1, 2, 3)
MOVE_TOOL = "Change_Current_Location"
MOST_CALLS = 20
"""Tool calls of an episode, at most: a mean of 1 in the columns of moves."""
PUBLISHED = 19_940 + 14_162 + 14_416
"""Questions in Hangzhou, Qingdao and Linyi, by Table 1."""


def _lies_in(tiers: Sequence[str], question: TableQuestion) -> bool:
    return question.tier in tiers


def _hits(rank: int, answer: TableAnswer) -> float:
    """1 if one of the first `rank` stations is right; an answer that is absent or cannot be read counts as 0."""
    part = answer.components.get(f"hits_{rank}")
    return 0.0 if part is None else float(part["value"])


def _moves(answer: TableAnswer) -> float:
    return min(answer.moves or 0, MOST_CALLS) / MOST_CALLS


def _count_stations(questions: Sequence[TableQuestion]) -> int:
    return len({station for one in questions for station in one.stations})


def _count_values(name: str, questions: Sequence[TableQuestion]) -> int:
    """How many different values a parameter has."""
    return len({str(one.parameters[name]) for one in questions if name in one.parameters})


def _differences(questions: Sequence[TableQuestion]) -> list[str]:
    said = [
        "Stations and places are those of a map of OpenStreetMap, users stand where a rule puts them, and questions "
        "are mostly English.",
        "Tiers and keys go by the straight line. The paper calls its distances driving distances; those of the record "
        "that its authors show are straight lines.",
    ]
    if {"10", "20", "none"} - {one.tier for one in questions}:
        said.append("Not every tier has a question that is not in a narrower one.")
    return said


PAPER_TABLES.add(
    "evgeoqa",
    "evgeoqa",
    PaperTables(
        "evgeoqa",
        default_profile().name,
        PUBLISHED,
        (
            TableRules(
                2,
                "share of questions",
                {
                    f"{name} Hits@{rank}": TableColumn(partial(_lies_in, tiers), partial(_hits, rank))
                    for name, tiers in TIERS.items()
                    for rank in RANKS
                },
                decimals=4,
                notes=(
                    "The text says that models that think are better throughout, and larger ones, too. In "
                    "Qingdao, Qwen3-8B is better without thinking in 7 of 9 figures. In Hangzhou, "
                    "GPT-OSS-120B is below GPT-OSS-20B.",
                    "In Linyi, the rows of Qwen3-8B and Qwen3-30B-a3b fit 69, 101 and 130 questions by tier: samples "
                    "whose size the paper does not say.",
                ),
            ),
            TableRules(
                3,
                "calls of Change_Current_Location",
                {
                    name: TableColumn(partial(_lies_in, tiers), _moves, MOST_CALLS)
                    for name, tiers in TIERS.items()
                },
                unit="count",
                notes=(
                    "Calls of the tool alone: a search around a point that nothing had told is not counted as a move.",
                ),
            ),
        ),
        (),
        _differences,
        counts=(
            Counts(
                1,
                "number",
                {
                    "stations": _count_stations,
                    "user places": partial(_count_values, "user"),
                    "kinds of places": partial(_count_values, "activity"),
                    "questions": len,
                },
            ),
        ),
        move_tool=MOVE_TOOL,
    ),
)
