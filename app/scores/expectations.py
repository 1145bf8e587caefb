"""What a solver without knowledge scores: computed, not sampled. Pure.

`chance` is the mean of 1 / number of options, over the questions that have options. `random` is the exact mean score
of the solver `random`: every answer it may draw is scored once and weighted by how often it stands in its list.
Nothing of it follows from hidden gold: a hidden question with options is worth 1 / number of options, whatever its
key, and one without options as much as the scope's public questions without options are on average.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from app.scores.aggregating import NO_GROUPS, Groups, Part, scopes_of
from app.scores.registry import Scorer


class Expected(NamedTuple):
    """The mean over `n` questions of a scope that a solver without knowledge scores."""

    scope: str
    kind: str
    value: float
    n: int


class Judged(NamedTuple):
    """A question with what its scorer needs."""

    part: Part
    scorer: Scorer
    gold: Mapping[str, Any]
    options: Sequence[str] | None
    answerable: bool = True
    """Whether an answer can be right; where not, `scorer` judges by `app.scores.unanswerable`."""


def expectations(
    questions: Sequence[Judged], answers: Mapping[str, Sequence[str]], groups: Groups = NO_GROUPS
) -> list[Expected]:
    """Both expectations of every scope; `answers` maps a question's id to random's equally probable answers.

    `random` is left out of a scope with a question that has no answers, or with hidden questions without options and no
    public one; `chance` of one without options.
    """
    options = {question.part.question_id: len(question.options) for question in questions if question.options}
    means = {
        question.part.question_id: expected_value(question, answers[question.part.question_id])
        for question in questions
        if answers.get(question.part.question_id)
    }
    found = []
    for scope, parts in scopes_of([question.part for question in questions], groups).items():
        chances = [1.0 / options[part.question_id] for part in parts if part.question_id in options]
        if chances:
            found.append(Expected(scope, "chance", math.fsum(chances) / len(chances), len(chances)))
        if all(part.question_id in means for part in parts):
            shown = _shown_mean(parts, means, options)
            if shown is not None:
                found.append(Expected(scope, "random", shown, len(parts)))
    return found


def _shown_mean(
    parts: Sequence[Part], means: Mapping[str, float], options: Mapping[str, int]
) -> float | None:
    free = [part for part in parts if part.question_id not in options]
    public = [means[part.question_id] for part in free if not part.hidden]
    hidden_free = len(free) - len(public)
    if hidden_free and not public:
        return None
    supposed = hidden_free * math.fsum(public) / len(public) if hidden_free else 0.0
    chosen = [
        1.0 / options[part.question_id] if part.hidden else means[part.question_id]
        for part in parts
        if part.question_id in options
    ]
    return (math.fsum(chosen) + math.fsum(public) + supposed) / len(parts)


def expected_value(question: Judged, answers: Sequence[str]) -> float:
    """The mean value of `answers`, each as probable as the others; every distinct one is scored once."""
    counts = Counter(answers)
    total = math.fsum(
        question.scorer.judge(answer, question.gold, question.options).value * count
        for answer, count in counts.items()
    )
    return total / len(answers)
