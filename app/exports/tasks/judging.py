"""Judges answers in an exported task, as Trigpoint does; copied into its folder with the scorers that it needs."""

import json
from pathlib import Path
from typing import Any

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.scores.registry import get_scorer
from app.scores.unanswerable import scorer_of_unanswerable
from app.solvers.not_knowing import gives_none


def read_questions(folder: Path, *more: str) -> list[dict[str, Any]]:
    """The questions of the task in that folder, in order; `more` names files of questions beside the first."""
    files = [folder / name for name in ("questions.jsonl", *more)]
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def is_scored(question: dict[str, Any]) -> bool:
    """Whether the folder holds the question's gold; without it the question is asked and not scored."""
    return question["gold"] is not None


def judge(answer: str, question: dict[str, Any]) -> float:
    """What an answer to a scored question is worth, in [0, 1].

    One that gives none is worth 0, unless the question cannot be answered and it says so.
    """
    scorer = get_scorer(question["scorer"])
    if question.get("gold_kind") == "unanswerable":
        scorer = scorer_of_unanswerable(scorer)
    elif gives_none(answer):
        return 0.0
    return scorer.judge(answer, json.loads(question["gold"]), question["options"]).value
