"""Templates of which a version has no question, and why, from its stored report of generation. Pure."""

from collections.abc import Container, Mapping
from typing import Any

from app.leaderboard.models import Board, EmptyTemplate, Refusal
from app.leaderboard.numbers import count
from app.questions.refusals import meaning

NONE_POSSIBLE = "the map has nothing to ask about"


def read_empty_templates(
    reports: Mapping[str, Any], asked: Container[str], benchmark: str
) -> list[EmptyTemplate]:
    """The templates whose every question was refused, in the order of the report; each with its reasons, most first.

    `reports` are those of the version by template, `asked` the templates that it has questions of.
    """
    return [
        EmptyTemplate(
            template=name, capacity=report["capacity"], refused=_refusals(report["refused"], benchmark)
        )
        for name, report in reports.items()
        if name not in asked and not report["accepted"]
    ]


def _refusals(refused: Mapping[str, int], benchmark: str) -> list[Refusal]:
    return [
        Refusal(reason=reason, questions=number, meaning=meaning(reason, benchmark))
        for reason, number in sorted(refused.items(), key=lambda one: (-one[1], one[0]))
    ]


def empty_templates(board: Board) -> list[str]:
    """A sentence on the templates without a question, then a line for each group of them that has the same reasons."""
    if not board.empty_templates:
        return []
    alike: dict[str, list[str]] = {}
    for one in board.empty_templates:
        alike.setdefault("; ".join(say_reasons(one)), []).append(one.template)
    what = "template" if len(board.empty_templates) == 1 else "templates"
    where = "this map" if len(board.snapshots) == 1 else "these maps"
    return [
        f"{count(len(board.empty_templates))} {what} of {board.benchmark} cannot be asked on {where}, because every "
        "possible question is refused:",
        *(f"{', '.join(names)}: {why}." for why, names in alike.items()),
    ]


def say_reasons(one: EmptyTemplate) -> list[str]:
    """The reasons of one template without their numbers, most first."""
    return [_meaning(refusal) for refusal in one.refused] or [NONE_POSSIBLE]


def why_empty(one: EmptyTemplate) -> str:
    """The reasons of one template, each with the number of questions that it refused."""
    told = [_say(refusal) for refusal in one.refused]
    return "; ".join(told) or NONE_POSSIBLE


def _say(refusal: Refusal) -> str:
    number = f" ({count(refusal.questions)})" if refusal.questions else ""
    return f"{_meaning(refusal)}{number}"


def _meaning(refusal: Refusal) -> str:
    return refusal.meaning or refusal.reason.replace("_", " ")
