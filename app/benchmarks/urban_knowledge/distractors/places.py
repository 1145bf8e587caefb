"""Wrong options that are where other places of the same map are: any of the spots may be that of the place asked for.

The question's id lays a grid over the world; wrong options are near other places of the cell in which the key lies,
each of them equally often. Coordinates lon, lat in degrees; pure.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from pyproj import Geod

from app.benchmarks.urban_knowledge.derivations.options import coordinates_text
from app.core import seeds
from app.core.seeds import Seed
from app.questions.picking import Pick
from app.questions.strategies import TOO_FEW, Distractor, QuestionToFill, Sources, Strategy, strategy

CLOSE = "options_close"
"""Why a question is given up: two of its options would be hard to tell apart."""
STEPS = 100_000
"""Coordinates are written with five decimals."""

GEOD = Geod(ellps="WGS84")
LonLat = tuple[float, float]


class AlikePlaces:
    """The strategy `other_places` of one template on one map.

    `picks` are the places that are asked for, with their `lon` and `lat`. Of the header's margins: `cell_degrees` is
    the side of a cell, `blur_degrees` by how much a wrong option is moved at most on each axis, since what is the key
    of another question would tell that it is not the key of this; `apart_metres` is between any two options.
    """

    def __init__(self, picks: Sequence[Pick], margins: Mapping[str, float], seed: Seed) -> None:
        places = [[round(pick.facts[axis] * STEPS) for axis in ("lon", "lat")] for pick in picks]
        self._places = np.array(places, dtype=np.int64).reshape(-1, 2)
        self._order = {pick.value: number for number, pick in enumerate(picks)}
        self._side = round(margins["cell_degrees"] * STEPS)
        self._blur = round(margins["blur_degrees"] * STEPS)
        self._apart, self._seed = margins["apart_metres"], seed

    def draw(self, pick: Pick, count: int, question_id: str) -> list[LonLat] | str:
        """So many wrong places beside the pick's, or the reason why the question cannot be fair.

        All sets of a cell are drawn equally often from each of their members, and given up by what is shown alone:
        given the options, each of them is equally often the key.
        """
        own = self._order[pick.value]
        cells = (self._places - self._corner(question_id)) // self._side
        others = np.flatnonzero((cells == cells[own]).all(axis=1))
        others = others[others != own]
        if len(others) < count:
            return TOO_FEW
        drawn = [self._moved(int(i), question_id) for i in self._sample(others, count, question_id)]
        shown = [(pick.facts["lon"], pick.facts["lat"]), *drawn]
        if any(GEOD.inv(*one, *other)[2] < self._apart for one, other in combinations(shown, 2)):
            return CLOSE
        return drawn

    def _corner(self, question_id: str) -> list[int]:
        return [seeds.below(self._side, self._seed, "grid", question_id, axis) for axis in ("lon", "lat")]

    def _sample(self, offered: np.ndarray, count: int, question_id: str) -> list[int]:
        left = offered.tolist()
        return [
            left.pop(seeds.below(len(left), self._seed, "place", question_id, number))
            for number in range(count)
        ]

    def _moved(self, place: int, question_id: str) -> LonLat:
        lon, lat = (
            (
                int(where)
                + seeds.below(2 * self._blur + 1, self._seed, "blur", question_id, place, axis)
                - self._blur
            )
            / STEPS
            for axis, where in enumerate(self._places[place])
        )
        return lon, lat


@strategy("urban_knowledge", "other_places")
class OtherPlaces(Strategy):
    """The strategy `other_places`."""

    says_names = False

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        self._places = AlikePlaces(sources.first_picks, sources.margins, sources.seed)

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """Coordinates near other places of a cell."""
        drawn = self._places.draw(question.subject, count, question.id)
        if isinstance(drawn, str):
            return drawn
        return [
            {"text": coordinates_text(lon, lat), "osm_key": None, "lon": lon, "lat": lat}
            for lon, lat in drawn
        ]


@strategy("urban_knowledge", "coordinate_corners")
class CoordinateCorners(Strategy):
    """The strategy `coordinate_corners`."""

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """Corners of the square of side 2 · `offset_degrees` around the rounded key (UrbanGeoEval, Table 6)."""
        row, offset = question.rows[0], self.sources.margins["offset_degrees"]
        lon, lat = round(row["lon"], 5), round(row["lat"], 5)
        corners = [(lon + dx * offset, lat + dy * offset) for dx in (-1, 1) for dy in (-1, 1)]
        drawn = seeds.shuffled(corners, self.sources.seed, "corners", question.id)[:count]
        return [
            {"text": coordinates_text(*corner), "osm_key": None, "lon": corner[0], "lat": corner[1]}
            for corner in drawn
        ]
