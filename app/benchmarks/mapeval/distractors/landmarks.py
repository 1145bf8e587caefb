"""The other places of a question which of them lies in a direction; each of the four is as often the key."""

import numpy as np

from app.benchmarks.mapeval.distractors.plane import Floats, Plane
from app.benchmarks.mapeval.distractors.told import tells_by_words
from app.core import seeds
from app.questions.alike import COMMON, SHARES_WORD
from app.questions.distractors import Others
from app.questions.strategies import Distractor, QuestionToFill, Sources, strategy

MOST_ANCHORS = 1500
"""From so many of a map's places it is tried which of the four places is the only one in a main direction."""


@strategy("mapeval", "others_around")
class OthersAround(Others):
    """The three other places. Those at the edge of a map lie in a main direction more often than others."""

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        picks = sources.choices["places"]
        plane = Plane(picks)
        points = plane.points_of(picks)
        self._points = {str(pick.value): points[number] for number, pick in enumerate(picks)}
        self._anchors = plane.points_of(seeds.shuffled(picks, sources.seed, "anchors")[:MOST_ANCHORS])

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """The other places, whatever `count` is."""
        if tells_by_words(question):
            return SHARES_WORD
        (key,) = question.gold["objects"]
        others = [row["osm_key"] for row in question.rows if row["osm_key"] != key]
        keys = self._count_keys(np.array([self._points[one] for one in (key, *others)]))
        share = seeds.unit(self.sources.seed, "kept", question.id)
        return super().draw(question, count) if share * keys[0] < keys.min() else COMMON

    def _count_keys(self, places: Floats) -> Floats:
        """From how many anchors, and in how many main directions, each of the places is the only one."""
        east, north = (places[None, :, axis] - self._anchors[:, None, axis] for axis in (0, 1))
        azimuth = np.degrees(np.arctan2(east, north))
        far = (np.hypot(east, north) >= self.sources.margins["least"]).all(axis=1)
        counts = np.zeros(len(places))
        for direction in (0, 90, 180, 270):
            aside = np.abs(np.mod(azimuth - direction + 180, 360) - 180)
            first, second = np.sort(aside, axis=1)[:, :2].T
            margins = self.sources.margins
            right = far & (first <= margins["aside"]) & (second >= margins["others"])
            counts += np.bincount(aside.argmin(axis=1)[right], minlength=len(places))
        return counts
