"""Questions without an answer, chosen and worded so that their texts look like those of their template that have one.

A text tells coordinates where an anchor's point matters, and is in everyday words where no reading matters. Neither
would be as frequent among questions without an answer as among the others, so that both would hint at hidden gold. The
shares are therefore those of the answerable questions of the same template and map.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from app.core import seeds
from app.core.seeds import Seed
from app.questions.accepting import Accepted
from app.questions.unanswerable import spread_evenly

Select = Callable[[Sequence[Accepted], int], Sequence[Accepted]]
"""Chooses at most so many of a bank."""


def tells_point(one: Accepted) -> bool:
    """Whether the question's text tells the coordinates of a point."""
    return one.reading is not None and bool(one.reading.told)


def _has_everyday_words(one: Accepted) -> bool:
    return one.template.has_everyday_words(one.picked.parameters)


@dataclass(frozen=True)
class Lookalikes:
    """The questions without an answer of one template on one map, and those that they are to look like."""

    bank: Sequence[Accepted]
    models: Sequence[Accepted]
    """Those that are asked in the version and have an answer."""
    seed: Seed
    """What draws that nobody may make again come from."""

    @property
    def room(self) -> int:
        """The most that can be chosen: by both kinds of texts as many as their shares ask for, save one question."""
        if not self.models:
            return 0
        most = len(self.bank)
        while any(there < int(most * share) for there, share in self._kinds().values()):
            most -= 1
        return most

    def choose(self, count: int, select: Select) -> list[Accepted]:
        """So many of the bank; asked only in precise words are as many as are among the others of their kind."""
        if not count:
            return []
        chosen: list[Accepted] = []
        for tells, most in self._split(count).items():
            chosen += select([one for one in self.bank if tells_point(one) == tells], most)
        return [self._worded(one) for one in chosen]

    def _kinds(self) -> dict[bool, tuple[int, float]]:
        """Of texts that tell a point, and of those that do not: how many there are, and their share of the models."""
        there, wanted = (Counter(map(tells_point, some)) for some in (self.bank, self.models))
        return {tells: (there[tells], wanted[tells] / len(self.models)) for tells in (True, False)}

    def _split(self, count: int) -> dict[bool, int]:
        """How many tell a point and how many do not; a part of a question is drawn."""
        (telling, share), (others, _) = self._kinds()[True], self._kinds()[False]
        name = (self.bank[0].template.id, self.bank[0].snapshot.checksum)
        wanted = int(count * share + seeds.unit(self.seed, "tells a point", *name))
        some = min(max(wanted, count - others), telling)
        return {True: some, False: count - some}

    def _worded(self, one: Accepted) -> Accepted:
        alike = [
            other
            for other in self.models
            if tells_point(other) == tells_point(one) and _has_everyday_words(other)
        ] or self.models
        everyday = sum(other.reading is not None and other.reading.allows_everyday for other in alike)
        drawn = seeds.unit(self.seed, "only precise", one.id) * len(alike)
        return replace(one, only_precise=drawn >= everyday)


def choose_alike(maps: Sequence[Lookalikes], count: int, select: Select) -> list[Accepted]:
    """So many questions of a template, evenly from its maps as far as these have room."""
    rooms = spread_evenly({position: one.room for position, one in enumerate(maps)}, count)
    return [one for position, most in rooms.items() for one in maps[position].choose(most, select)]
