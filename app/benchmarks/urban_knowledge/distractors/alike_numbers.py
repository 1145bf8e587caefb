"""Wrong options that are numbers of the same map, drawn as keys are: which of them was asked for cannot be told.

Numbers are laid out on a scale on which two that may stand together are one unit apart or more. Metres; pure.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.core import seeds
from app.core.seeds import Seed
from app.questions.alike import COMMON
from app.questions.strategies import TOO_FEW

Places = npt.NDArray[np.float64]
ROUNDS = 200
"""How often weights are made more even."""
TINY = 1e-300


@dataclass(frozen=True)
class Scale:
    """Metres as places: one unit is `metres` below metres / share, and from there on the share of the number."""

    metres: float
    share: float

    def place(self, value: float) -> float:
        """Where a number stands."""
        bend = self.metres / self.share
        return value / self.metres if value <= bend else (1 + math.log(value / bend)) / self.share

    def value(self, place: float) -> float:
        """Which number stands there."""
        if place * self.share <= 1:
            return place * self.metres
        return self.metres / self.share * math.exp(place * self.share - 1)


class _Chains:
    """Sets of places that are one unit apart or more, by their greatest member; a set weighs the product of weights."""

    def __init__(self, places: Places, weights: Places, longest: int) -> None:
        self._places, self._weights = places, weights
        self._sums: list[Places] = []
        sums = weights
        behind = np.searchsorted(places, places - 1, "right")
        for _ in range(longest):
            self._sums.append(np.concatenate(([0.0], np.cumsum(sums))))
            sums = weights * self._sums[-1][behind]

    def weigh(self, size: int, places: Places) -> Places:
        """What all sets of that size weigh together that end one unit or more before each of the places."""
        if size == 0:
            return np.ones(len(places))
        return self._sums[size - 1][np.searchsorted(self._places, places - 1, "right")]

    def take(self, size: int, before: float, share: float) -> list[float]:
        """One of these sets: shares from 0 to 1 meet each as often as it weighs."""
        if size == 0:
            return []
        sums = self._sums[size - 1]
        whole = sums[np.searchsorted(self._places, before - 1, "right")]
        wanted = min(share * whole, np.nextafter(whole, 0))
        last = int(np.searchsorted(sums, wanted, "right")) - 1
        rest = (wanted - sums[last]) / (sums[last + 1] - sums[last])
        place = float(self._places[last])
        return [*self.take(size - 1, place, float(rest)), place]


class _Sets:
    """Weighed sets of places that fit beside a key.

    A place's weight is as near as can be had to one over what the sets beside it weigh: then every place would be drawn
    beside others as often as it is itself a key.
    """

    def __init__(self, places: Places, size: int) -> None:
        self.size, self._places = size, places
        weights = np.ones(len(places))
        for _ in range(ROUNDS):
            self._weigh(weights)
            # what fits beside nothing takes no part
            evenness = weights * self.beside(places)
            weights = np.where(evenness > 0, weights / np.maximum(evenness, TINY) ** (1 / (size + 1)), 0)
        self._weigh(weights)
        self._evenness = weights * self.beside(places)

    def _weigh(self, weights: Places) -> None:
        self._below = _Chains(self._places, weights, self.size)
        self._above = _Chains(-self._places[::-1], weights[::-1], self.size)

    def by_rank(self, places: Places) -> Places:
        """What all sets beside each of the places weigh, by how many of their members are below it."""
        ways = [
            self._below.weigh(n, places) * self._above.weigh(self.size - n, -places)
            for n in range(self.size + 1)
        ]
        return np.array(ways)

    def beside(self, places: Places) -> Places:
        """What all sets beside each of the places weigh."""
        return np.asarray(self.by_rank(places).sum(axis=0))

    def take(self, under: int, key: float, one: float, other: float) -> list[float]:
        """A set of which so many are below the key, by two shares."""
        above = self._above.take(self.size - under, -key, other)
        return [*self._below.take(under, key, one), *(-place for place in above)]

    def evenness(self, places: Sequence[float]) -> Places:
        """The weights of the nearest known places, times what the sets beside them weigh: near 1."""
        after = np.clip(np.searchsorted(self._places, places), 1, len(self._places) - 1)
        nearer = places - self._places[after - 1] < self._places[after] - places
        return self._evenness[after - nearer]


class AlikeNumbers:
    """The strategies `other_lengths` and `other_distances` of one template on one map.

    `known` are numbers that keys of the map are drawn from. Of the header's margins: `apart_metres` and `apart_share`
    make the scale, `blur` moves a wrong number by up to so many units, since a number that is shown twice in a data set
    would tell; `least` and `most` bound keys.
    """

    def __init__(self, known: Sequence[float], margins: Mapping[str, float], seed: Seed) -> None:
        self._scale = Scale(margins["apart_metres"], margins["apart_share"])
        self._blur, self._seed = margins["blur"], seed
        least, most = margins["least"], margins.get("most", math.inf)
        self._low = self._scale.place(least)
        self._high = self._scale.place(most) if math.isfinite(most) else math.inf
        self._places = np.sort(np.array([self._scale.place(one) for one in known if least <= one <= most]))
        self._sets: dict[int, _Sets] = {}

    def can_stand_together(self, count: int) -> bool:
        """Whether so many of the known numbers are far enough apart from each other."""
        found, last = 0, -math.inf
        for place in self._places.tolist():
            if place - last >= 1:
                found, last = found + 1, place
        return found >= count

    def draw(self, value: float, count: int, question_id: str) -> list[float] | str:
        """So many wrong numbers beside the key's, or the reason why the question cannot be fair.

        Sets are drawn by their weights, and questions are given up so often that, given the numbers shown, each of them
        is equally often the key: so are ranks.
        """
        if count not in self._sets:
            self._sets[count] = _Sets(self._places, count)
        sets = self._sets[count]
        key = self._scale.place(value)
        ways = np.cumsum(sets.by_rank(np.array([key]))[:, 0])
        if not ways[-1] > 0:
            return TOO_FEW
        rank, one, other = (seeds.unit(self._seed, "numbers", question_id, part) for part in range(3))
        under = int(np.searchsorted(ways, rank * ways[-1], "right"))
        drawn = sets.take(under, key, one, other)
        evenness = sets.evenness([key, *drawn])
        if seeds.unit(self._seed, "kept", question_id) * evenness.max() >= evenness[0]:
            return COMMON
        return [self._blurred(place, number, question_id) for number, place in enumerate(drawn)]

    def _blurred(self, place: float, number: int, question_id: str) -> float:
        moved = place + self._blur * (2 * seeds.unit(self._seed, "blur", question_id, number) - 1)
        moved = 2 * self._low - moved if moved < self._low else moved
        return self._scale.value(2 * self._high - moved if moved > self._high else moved)
