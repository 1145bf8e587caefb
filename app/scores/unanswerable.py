"""Questions that cannot be answered: it is right to say so, and an answer is wrong, by every scorer. Pure.

Where gold names an option, `index`, that option says that the question cannot be answered and is right as well. An
empty reply says nothing: it counts as no answer, and 0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.scores.registry import Judge, Scorer
from app.scores.score import Component, Outcome, Score
from app.solvers.not_knowing import says_unanswerable


def scorer_of_unanswerable(scorer: Scorer) -> Scorer:
    """The scorer, under its own name and version, as it judges answers to a question that cannot be answered.

    How an answer came about does not matter then, so the steps of its episode are not looked at.
    """
    return replace(scorer, judge=_judge_by(scorer.judge), judge_episode=None)


def _judge_by(judge: Judge) -> Judge:
    def judge_unanswerable(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
        if says_unanswerable(answer):
            return _score(right=True)
        return judge(answer, gold, options) if options and "index" in gold else _score(right=False)

    return judge_unanswerable


def _score(*, right: bool) -> Score:
    value = 1.0 if right else 0.0
    outcome = Outcome.CORRECT if right else Outcome.WRONG
    return Score(outcome, value, {"refusal": Component(value, 1.0, True)}, {"refused": right})
