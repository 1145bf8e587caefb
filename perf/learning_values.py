"""The attacker who learns answers without options: from texts and answers of public questions to those of hidden ones.

Pure. It knows the scorers. For each template it chooses, by what scores best on public questions, between one answer
for all and, where answers are numbers, gradient boosting over the numbers and the words of the text.
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import HistGradientBoostingRegressor
from threadpoolctl import threadpool_limits

from app.core import seeds
from app.scores.registry import Scorer

WORDS = 60
"""So many of the commonest words of a template's texts are looked at."""
UNITS = {"area": " m2", "distance": " m", "length": " m"}
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_WORD = re.compile(r"[^\W\d]+")
Values = npt.NDArray[np.float64]


class Open(NamedTuple):
    """A question without options, as far as an attacker is concerned, and how its answers are judged."""

    id: str
    text: str
    answer_type: str
    gold: Mapping[str, Any]
    scorer: Scorer
    is_hidden: bool
    objects: frozenset[str]
    place: str
    """The map: questions of two maps share no object."""

    def score(self, answer: str) -> float:
        """What the answer is worth, from 0 to 1."""
        return self.scorer.judge(answer, self.gold, None).value


def score_hidden(questions: Sequence[Open], groups: int) -> dict[str, float]:
    """By id of a hidden question what the attacker's answer is worth; all are of one template.

    Hidden questions are tried in so many groups a map, each with what public questions that share no object with any
    of the group teach.
    """
    public = [one for one in questions if not one.is_hidden]
    found: dict[str, float] = {}
    for place in sorted({one.place for one in questions}):
        hidden = [one for one in questions if one.is_hidden and one.place == place]
        for number in range(groups):
            group = hidden[number::groups]
            met = frozenset[str]().union(*(one.objects for one in group))
            taught = [one for one in public if met.isdisjoint(one.objects)]
            answers = _answers(taught, group)
            found |= {one.id: one.score(answers[one.id]) for one in group}
    return found


def _answers(taught: Sequence[Open], asked: Sequence[Open]) -> dict[str, str]:
    """The answers of the way that scores best where it learnt from one half of the taught and is tried on the other."""
    halves = [seeds.below(2, 0, "learn", "half", one.id) for one in taught]
    scores = dict.fromkeys(WAYS, 0.0)
    for half in (0, 1):
        teach = [one for one, at in zip(taught, halves, strict=True) if at != half]
        tried = [one for one, at in zip(taught, halves, strict=True) if at == half]
        for name, way in WAYS.items():
            answers = way(teach, tried)
            scores[name] += sum(one.score(answers[one.id]) for one in tried)
    best = max(WAYS, key=lambda name: scores[name])
    return WAYS[best](taught, asked)


def _one_for_all(taught: Sequence[Open], asked: Sequence[Open]) -> dict[str, str]:
    """The right answer of a taught question that is worth most on all of them."""
    offered = sorted({_right_answer(one) for one in taught})
    best = max(offered, key=lambda answer: math.fsum(one.score(answer) for one in taught), default="")
    return {one.id: best for one in asked}


def _by_boosting(taught: Sequence[Open], asked: Sequence[Open]) -> dict[str, str]:
    """A number a text; where answers are none, or too few are taught, as _one_for_all."""
    numbers = [_number(one) for one in taught]
    if len(taught) < 10 or any(number is None or number <= 0 for number in numbers):
        return _one_for_all(taught, asked)
    words = Counter(word for one in taught for word in _words(one.text))
    known = [word for word, _ in words.most_common(WORDS)]
    model = HistGradientBoostingRegressor(
        loss="absolute_error", max_iter=60, max_leaf_nodes=6, min_samples_leaf=5, random_state=0
    )
    with threadpool_limits(limits=1):
        model.fit(_looks(taught, known), np.log(np.array(numbers, dtype=float)))
        found = np.exp(model.predict(_looks(asked, known))) if asked else []
    return {one.id: _written(number, one) for one, number in zip(asked, found, strict=True)}


WAYS = {"one for all": _one_for_all, "boosting": _by_boosting}


def _looks(questions: Sequence[Open], words: Sequence[str]) -> Values:
    rows = []
    for one in questions:
        numbers = [math.log1p(float(number)) for number in _NUMBER.findall(one.text)][:3]
        said = _words(one.text)
        rows.append([len(one.text), *numbers, *[0.0] * (3 - len(numbers)), *(word in said for word in words)])
    return np.array(rows, dtype=float)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


def _number(one: Open) -> float | None:
    """The number that answers a question, where one does."""
    name = one.answer_type
    for holder in (one.gold, *one.gold.get("objects", ())):
        if isinstance(holder, Mapping) and isinstance(holder.get(name), int | float):
            return float(holder[name])
    return None


def _right_answer(one: Open) -> str:
    number = _number(one)
    if number is not None:
        return _written(number, one)
    if one.answer_type == "location":
        place = one.gold["objects"][0]
        return f"latitude {place['lat']:.5f}, longitude {place['lon']:.5f}"
    names = one.gold.get("names")
    return str(names[0] if names else one.gold.get("fact", {}).get("value", ""))


def _written(number: float, one: Open) -> str:
    whole = max(1, round(number))
    return f"{whole}{UNITS.get(one.answer_type, '')}"
