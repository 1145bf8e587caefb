"""The attacker who learns: gradient boosting over what options look like, from public questions to hidden ones.

Pure. It sees of a question its id, its options and all options of the data set, and knows the seed and our source; of
the public ones the key too. It is tried on a question with what it learnt from those that share no object with it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

from app.core import seeds
from app.core.names import bare_form
from perf.attacks import MEASURES, Shown, measures_over
from perf.replaying import Posed, draws_of

FOLDS = 4
"""In how many parts the public questions are cut, so that no question's prior is learnt from its own key."""
LEAST = 20
"""From fewer public questions nothing is learnt."""
Values = npt.NDArray[np.float64]


class Known(NamedTuple):
    """A question with all that decides whether it may be learnt from: its map's originals, copies counted as these."""

    id: str
    template: str
    options: Sequence[str]
    key: int
    is_hidden: bool
    objects: frozenset[str]
    place: str
    """The map: questions of two maps share no object."""

    @property
    def shown(self) -> Shown:
        """As the attacks on options alone take it."""
        return Shown(self.id, "", self.options, self.key, self.id, self.id)


def guess_hidden(questions: Sequence[Known], seed: int, ratio: float, groups: int) -> dict[str, int]:
    """By id of a hidden question the guessed option; all are of one template, and seed and ratio are its.

    Hidden questions are tried in so many groups a map, each with what public questions that share no object with any
    of the group teach.
    """
    looks = _looks_of(questions, seed, ratio)
    public = [one for one in questions if not one.is_hidden]
    guesses: dict[str, int] = {}
    for group in _groups_of(questions, groups):
        met = frozenset().union(*(one.objects for one in group))
        taught = [one for one in public if met.isdisjoint(one.objects)]
        guesses |= _guess(group, taught, looks, seed)
    return guesses


def _groups_of(questions: Sequence[Known], groups: int) -> Iterator[list[Known]]:
    hidden = sorted(
        (one for one in questions if one.is_hidden), key=lambda one: (one.place, min(one.objects), one.id)
    )
    for place in sorted({one.place for one in hidden}):
        here = [one for one in hidden if one.place == place]
        size = -(-len(here) // groups)
        yield from (here[start : start + size] for start in range(0, len(here), size))


def _guess(
    group: Sequence[Known], taught: Sequence[Known], looks: dict[str, Values], seed: int
) -> dict[str, int]:
    if len(taught) < LEAST:
        return {one.id: seeds.below(len(one.options), seed, "learn", one.id) for one in group}
    folds = [seeds.below(FOLDS, seed, "learn", "fold", one.id) for one in taught]
    others = [
        _Prior([one for one, at in zip(taught, folds, strict=True) if at != fold]) for fold in range(FOLDS)
    ]
    rows = np.vstack(
        [np.hstack([looks[one.id], others[fold].of(one)]) for one, fold in zip(taught, folds, strict=True)]
    )
    right = np.concatenate([np.arange(len(one.options)) == one.key for one in taught])
    model = HistGradientBoostingClassifier(max_iter=60, max_leaf_nodes=8, learning_rate=0.1, random_state=0)
    prior = _Prior(taught)
    with threadpool_limits(limits=1):
        model.fit(rows, right)
        chances = model.predict_proba(
            np.vstack([np.hstack([looks[one.id], prior.of(one)]) for one in group])
        )[:, 1]
    ends = np.cumsum([len(one.options) for one in group])
    return {
        one.id: int(np.argmax(found)) for one, found in zip(group, np.split(chances, ends[:-1]), strict=True)
    }


class _Prior:
    """How often texts, and their words, were keys where they were shown."""

    def __init__(self, taught: Sequence[Known]) -> None:
        self._shown: Counter[str] = Counter()
        self._keys: Counter[str] = Counter()
        for one in taught:
            for place, option in enumerate(one.options):
                said = _said(option)
                self._shown.update(said)
                if place == one.key:
                    self._keys.update(said)

    def of(self, question: Known) -> Values:
        """By option: of its text, and of its words the least and the most."""
        shares = [
            [(self._keys[part] + 1) / (self._shown[part] + 4) for part in _said(option)]
            for option in question.options
        ]
        return np.array([[one[0], min(one), max(one)] for one in shares])


def _said(option: str) -> list[str]:
    whole = bare_form(option)
    return [f"={whole}", *sorted(set(whole.split()))]


def _looks_of(questions: Sequence[Known], seed: int, ratio: float) -> dict[str, Values]:
    """By question what its options look like, a row an option: each measure as it is and by its rank; and the draws."""
    shown = [one.shown for one in questions]
    measures = {**MEASURES, **measures_over(shown)}.values()
    return {
        one.id: np.array(
            [
                range(len(one.options)),
                *(row for measure in measures for row in _with_ranks(measure(one.options), len(one.options))),
                *(
                    row
                    for draws in draws_of(Posed(one.id, one.template, one.options), seed, ratio)
                    for row in _with_ranks(draws, len(one.options))
                ),
            ],
            dtype=float,
        ).T
        for one in questions
    }


def _with_ranks(values: Sequence[float] | None, number: int) -> Iterator[Sequence[float]]:
    if values is None:
        yield from ([0.0] * number,) * 2
    else:
        order = sorted(values)
        yield values
        yield [order.index(value) + (order.count(value) - 1) / 2 for value in values]
