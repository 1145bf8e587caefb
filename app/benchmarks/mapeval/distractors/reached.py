"""The other places of a question which of them is reached first; each of the four is as often the key."""

import numpy as np

from app.benchmarks.mapeval.derivations.travels import names_of
from app.benchmarks.mapeval.distractors.plane import Floats, points_near
from app.core import seeds
from app.questions.alike import COMMON
from app.questions.strategies import Distractor, QuestionToFill, Strategy, strategy

STARTS = 400
"""From so many points around the places it is reckoned which of them is the nearest."""


@strategy("mapeval", "others_reached")
class OthersReached(Strategy):
    """The other places. One in the middle is nearest from most points: such questions are given up more often."""

    may_be_five = says_names = is_drawn = False
    offers_places = True

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """The other places, whatever `count` is."""
        rows = question.rows[1:]
        counts = self._count_nearest(question)
        keys = [row["osm_key"] for row in rows]
        key = keys.index(question.gold["objects"][0])
        if seeds.unit(self.sources.seed, "kept", question.id) * counts[key] >= counts.min():
            return COMMON
        told = zip(names_of(rows), keys, strict=True)
        return [{"text": name, "osm_key": osm_key} for name, osm_key in told if osm_key != keys[key]]

    def _count_nearest(self, question: QuestionToFill) -> Floats:
        """From how many points in the box of all places of the question each of those to go to is nearest."""
        lons, lats = ([row[name] for row in question.rows] for name in ("lon", "lat"))
        points = points_near(lons, lats)
        draws = [seeds.unit(self.sources.seed, "starts", question.id, number) for number in range(2 * STARTS)]
        low, high = points.min(axis=0), points.max(axis=0)
        starts = low + np.array(draws).reshape(STARTS, 2) * (high - low)
        apart = np.hypot(*np.moveaxis(starts[:, None] - points[None, 1:], -1, 0))
        return np.bincount(apart.argmin(axis=1), minlength=len(points) - 1).astype(float)
