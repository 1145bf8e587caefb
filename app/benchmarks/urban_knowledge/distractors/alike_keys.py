"""Wrong names that are drawn as keys are: roads or classes that are keys of questions in the same group.

Each name is drawn so often, and questions are given up so often, that among the options it is right as often as others.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from app.core import seeds
from app.core.names import bare_form
from app.core.seeds import Seed
from app.questions.alike import COMMON, SHARES_WORD, scripts_of
from app.questions.shared_words import shared_words
from app.questions.strategies import TOO_FEW

Row = Mapping[str, Any]
Places = npt.NDArray[np.float64]
ROUNDS = 300
"""How often weights are made more even."""
UNLIKELY = 0.05
"""Questions that could stand more seldom than this are given up always."""


@dataclass(frozen=True)
class Asked:
    """A question that could be asked: what its key names, with an osm_key each, and what would be wrong."""

    value: str
    keys: Mapping[str, str]
    right: frozenset[str]
    """Names that are no wrong answers, in bare form, with the subject's own."""
    wrong: frozenset[str] | None = None
    """The only ones that are, in bare form; None: all others."""
    told: frozenset[str] = frozenset()
    """The words that the question says: of these, wrong names share what the names of the key share."""


class AlikeKeys:
    """The questions of one group, each with `count` names that are wrong, drawn among those of all keys."""

    def __init__(self, asked: Sequence[Asked], count: int, seed: Seed) -> None:
        self._asked, self._count, self._seed = asked, count, seed
        self._place = {one.value: i for i, one in enumerate(asked)}
        keyed = {name: key for one in asked for name, key in sorted(one.keys.items())}
        self._names = sorted(keyed)
        self._keyed = keyed

    def draw(self, value: str, excluded: set[str], question_id: str) -> list[Row] | str:
        """The wrong names of a question as rows of `label` and `osm_key`, or the reason why it cannot be fair.

        One after the other, each as probable as it weighs: the least of -log(u) / weight come first (Efraimidis and
        Spirakis, 2006). `excluded` are normal forms of names.
        """
        place = self._place[value]
        weights, kept = self._weighed
        unfit = {bare_form(name) for name in excluded}
        turns = {
            name: -math.log(1 - seeds.unit(self._seed, "stranger", question_id, name)) / weight
            for name, weight, fits in zip(self._names, weights, self._fits[place], strict=True)
            if fits and weight > 0 and bare_form(name) not in unfit
        }
        drawn = sorted(turns, key=lambda name: (turns[name], name))[: self._count]
        if len({bare_form(name) for name in drawn}) < self._count:
            one = self._asked[place]
            return SHARES_WORD if any(shared_words(name, one.told) for name in one.keys) else TOO_FEW
        if seeds.unit(self._seed, "kept", question_id) >= kept[place]:
            return COMMON
        return [{"label": name, "osm_key": self._keyed[name]} for name in drawn]

    @cached_property
    def _fits(self) -> npt.NDArray[np.bool_]:
        """By question and name, whether the name may be wrong beside its key."""
        forms = [(bare_form(name), scripts_of(name)) for name in self._names]
        fits = np.zeros((len(self._asked), len(self._names)), dtype=bool)
        for i, one in enumerate(self._asked):
            unfit = one.right | {bare_form(name) for name in one.keys}
            looks = {(scripts_of(name), shared_words(name, one.told)) for name in one.keys}
            fits[i] = [
                form not in unfit
                and {(script, shared_words(form, one.told))} == looks
                and (one.wrong is None or form in one.wrong)
                for form, script in forms
            ]
        return fits

    @cached_property
    def _weighed(self) -> tuple[Places, Places]:
        """By name how it weighs, and by question how often it stands: then each is as often wrong as it is due."""
        fits = self._fits.astype(float)
        keys = np.array([[name in one.keys for name in self._names] for one in self._asked], dtype=float)
        each = self._count / np.maximum(keys.sum(axis=1), 1)
        weights = keys.sum(axis=0)
        kept = (fits.sum(axis=1) >= self._count).astype(float)
        for _ in range(ROUNDS):
            shares = fits * weights
            shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1e-300)
            wrong = np.minimum(self._count * shares, 1).T @ kept
            due = keys.T @ (kept * each)
            ratios = np.where(due > 0, due / np.maximum(wrong, 1e-9), 0)
            weights = np.clip(weights * np.clip(ratios, 0.25, 4), 0, 1e6)
            weights /= max(weights.max(), 1e-300)
            over = (keys * np.maximum(ratios, 1)).max(axis=1, initial=1)
            kept = np.minimum(kept / over**0.1, 1)
            kept /= max(kept.max(), 1e-300)
        return weights, np.where(kept >= UNLIKELY, kept, 0)
