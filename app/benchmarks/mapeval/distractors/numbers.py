"""Wrong options that are numbers around the key's, whose rank among them is even. Metres."""

from collections import Counter

import numpy as np

from app.benchmarks.mapeval.derivations.measuring import kilometres_text
from app.benchmarks.mapeval.distractors.ladders import Frequencies, draw_ladder
from app.benchmarks.mapeval.distractors.plane import Plane
from app.benchmarks.mapeval.distractors.queries import read_places, read_rooms
from app.core import seeds
from app.questions.alike import COMMON
from app.questions.strategies import Distractor, QuestionToFill, Sources, Strategy, strategy

MOST_ANCHORS = 1000
"""Of so many of a map's places the distances between each other, or those to places of a kind, are counted."""
RADII = 16
"""Around so many places of a map, and for so many distances, places are counted to learn how frequent a number is."""


@strategy("mapeval", "near_distances")
class NearDistances(Strategy):
    """Distances of which each could be the key.

    MapEval draws wrong distances as 0.5 to 0.85 and 1.15 to 1.6 times the key, 5 % apart: the number that stands alone
    would be the key. Here the steps from number to number are drawn first, and which of the numbers is the key then.
    A map has more long distances than short ones, up to about half its length: frequent ones are given up more often.
    """

    may_be_five = False

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        picks = seeds.shuffled(sources.first_picks, sources.seed, "places")[:MOST_ANCHORS]
        points = Plane(picks).points_of(picks)
        one, other = np.triu_indices(len(points), 1)
        self._frequencies = Frequencies(np.hypot(*(points[one] - points[other]).T).tolist())

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """A ladder of numbers around the key's, at a drawn rank."""
        seed, distance = self.sources.seed, question.gold["distance"]
        wrong = draw_ladder(seed, question.id, distance, count)
        too_short = min(wrong) < self.sources.margins["least"]  # so short a distance is no key
        if too_short or self._frequencies.is_common(seed, question.id, distance, wrong):
            return COMMON
        return [{"text": kilometres_text(one), "osm_key": None, "distance": one} for one in wrong]


@strategy("mapeval", "near_counts")
class NearCounts(Strategy):
    """Numbers in a row, of which each is equally often the key: small counts are frequent, and given up more often."""

    may_be_five = False

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        picks = seeds.shuffled(sources.choices["anchor"], sources.seed, "anchors")[:MOST_ANCHORS]
        self._plane = Plane(picks)
        self._anchors = self._plane.points_of(picks)
        band = sources.choices["distance"][0].facts
        self._radii = np.linspace(float(band["low"]), float(band["high"]), RADII)
        self._rooms = read_rooms(sources, [str(pick.value) for pick in picks])
        self._edge = sources.template.header.constants
        self._frequencies: dict[str, Counter[int]] = {}

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """So many other numbers; with the key they follow one another, and its rank among them is drawn."""
        seed, key = self.sources.seed, question.gold["count"]
        frequencies = self._frequencies_of(str(question.picked.one("category").value))
        least = key - seeds.below(count + 1, seed, "rank", question.id, key)
        numbers = range(least, least + count + 1)
        rarest = min(frequencies[one] for one in numbers)
        if least < 1 or seeds.unit(seed, "kept", question.id) * frequencies[key] >= rarest:
            return COMMON
        return [{"text": str(one), "osm_key": None} for one in numbers if one != key]

    def _frequencies_of(self, category: str) -> Counter[int]:
        """How often each number is the count of a circle around one of the map's places."""
        if category not in self._frequencies:
            points = self._plane.points_at(read_places(self.sources.connection, category))
            apart = np.hypot(*(self._anchors[:, None, axis] - points[None, :, axis] for axis in (0, 1)))
            counts: Counter[int] = Counter()
            for radius in self._radii:
                edge = max(self._edge["edge_metres"], self._edge["edge_ratio"] * radius)
                clear = ~(np.abs(apart - radius) <= edge).any(axis=1) & (self._rooms >= radius + edge)
                counts.update((apart[clear] <= radius).sum(axis=1).tolist())
            self._frequencies[category] = counts
        return self._frequencies[category]
