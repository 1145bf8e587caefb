"""The other main directions, and questions whose key is one of them as often as another."""

import numpy as np

from app.benchmarks.mapeval.derivations.directions import MAIN
from app.benchmarks.mapeval.distractors.plane import Plane
from app.core import seeds
from app.questions.alike import COMMON
from app.questions.strategies import Distractor, QuestionToFill, Sources, Strategy, strategy

SAMPLE = 500
"""Of so many of a map's places it is counted in which directions they lie from each other."""


@strategy("mapeval", "other_directions")
class OtherDirections(Strategy):
    """The three other directions. On a long map most places lie along it: such questions are given up more often."""

    may_be_five = says_names = is_drawn = False

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        picks = seeds.shuffled(sources.choices["origin"], sources.seed, "directions")[:SAMPLE]
        points = Plane(picks).points_of(picks)
        east, north = (points[None, :, axis] - points[:, None, axis] for axis in (0, 1))
        far = np.hypot(east, north) >= sources.margins["least"]
        azimuth = np.degrees(np.arctan2(east, north))
        off = [np.abs(np.mod(azimuth - 90 * place + 180, 360) - 180) for place in range(len(MAIN))]
        counts = [int((far & (one <= sources.margins["aside"])).sum()) for one in off]
        self._counts = dict(zip(MAIN, counts, strict=True))

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """The other directions, whatever `count` is."""
        key = question.gold["text"]
        share = seeds.unit(self.sources.seed, "kept", question.id)
        if share * self._counts[key] >= min(self._counts.values()):
            return COMMON
        return [{"text": one, "osm_key": None} for one in MAIN if one != key]
