"""Wrong options that are places of the same kind around the same place, of which each is as often the key."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from app.benchmarks.mapeval.distractors.plane import Floats, Plane
from app.benchmarks.mapeval.distractors.queries import read_places, read_rooms
from app.core import seeds
from app.core.names import bare_form
from app.questions.alike import COMMON, is_related, scripts_of
from app.questions.shared_words import shared_words
from app.questions.strategies import TOO_FEW, Distractor, QuestionToFill, Sources, Strategy, strategy

LISTED = 20
"""How many of the nearest places a tool lists: options are among them."""
MOST_ANCHORS = 1500
"""Of so many of a map's places the lists are compared."""
TRIES = 200
FEWEST = 2
"""Wrong options where the list has no three of which each is the key of some anchors."""
FAR = 1e9
"""Metres, where the anchor is of the kind itself and cannot be asked about."""
NEAR_METRES = 50.0
Ranks = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Kind:
    """The places of a kind, and for each anchor which of them are nearest, nearest first."""

    rows: list[Mapping[str, Any]]
    lists: Ranks
    metres: Floats
    """From each anchor to each place of its list."""
    points: Floats
    """Metres in a plane."""

    @property
    def place(self) -> dict[str, int]:
        """The number of each place by its osm_key."""
        return {row["osm_key"]: number for number, row in enumerate(self.rows)}


class NearOptions:
    """Draws wrong options among the places that are listed around an anchor, as keys of such questions are."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        picks = seeds.shuffled(sources.choices["anchor"], sources.seed, "anchors")[:MOST_ANCHORS]
        self._plane = Plane(picks)
        self._points = self._plane.points_of(picks)
        self._classes = [str(pick.facts["class"]) for pick in picks]
        self._rooms = read_rooms(sources, [str(pick.value) for pick in picks])
        self._kinds: dict[str, Kind] = {}

    def draw(
        self, question: QuestionToFill, kind: str, rank: int, listed: list[str], count: int
    ) -> list[Distractor] | str:
        """So many wrong places among those `listed` around the question's anchor, or why there are none.

        A set is drawn of which each place is the key of some anchors that have the whole set in their lists. Then the
        question is given up so often that each place of the set is equally often the key.
        """
        of_kind = self._of_kind(kind)
        key = of_kind.place[question.gold["objects"][0]]
        offered = [of_kind.place[osm_key] for osm_key in listed if osm_key in of_kind.place]
        offered = [one for one in offered if one != key and self._fits(of_kind, key, one, question.told)]
        for turn in range(TRIES if len(offered) >= count else 0):
            drawn = seeds.shuffled(offered, self._sources.seed, "near", question.id, turn)[:count]
            counts = self._count_keys(of_kind, rank, [key, *drawn])
            if counts.min() > 0 and not self._are_alike(of_kind, drawn):
                kept = seeds.unit(self._sources.seed, "kept", question.id) * counts[0] < counts.min()
                return [_distractor(of_kind.rows[one]) for one in drawn] if kept else COMMON
        return TOO_FEW

    def _of_kind(self, kind: str) -> Kind:
        if kind not in self._kinds:
            rows = read_places(self._sources.connection, kind)
            points, anchors = self._plane.points_at(rows), self._points
            apart = np.hypot(*(anchors[:, None, axis] - points[None, :, axis] for axis in (0, 1)))
            apart[np.array([klass == kind.split(",")[0] for klass in self._classes])] = FAR
            lists = np.argsort(apart, axis=1, kind="stable")[:, :LISTED]
            self._kinds[kind] = Kind(rows, lists, np.take_along_axis(apart, lists, axis=1), points)
        return self._kinds[kind]

    def _count_keys(self, of_kind: Kind, rank: int, options: list[int]) -> Ranks:
        """Of how many anchors that list all options, and that can be asked about, each of them has the rank."""
        lists = of_kind.lists
        if lists.shape[1] <= rank:
            return np.zeros(len(options), dtype=np.intp)
        fits = (np.isin(lists, options).sum(axis=1) == len(options)) & self._can_be_asked(of_kind, rank)
        return np.array([(lists[fits, rank] == one).sum() for one in options], dtype=np.intp)

    def _can_be_asked(self, of_kind: Kind, rank: int) -> npt.NDArray[np.bool_]:
        """Of which anchors the place of that rank keeps the margins, and lies in the map for sure."""
        metres, margins = of_kind.metres, self._sources.margins
        clear = np.maximum(margins["metres"], margins["ratio"] * metres[:, rank])
        gaps = np.diff(metres, axis=1, append=np.inf)[:, max(0, rank - 1) : rank + 1]
        in_map = metres[:, rank] + clear <= self._rooms
        is_clear = (metres[:, 0] >= margins["least"]) & (gaps.min(axis=1) >= clear)
        return np.asarray(in_map & is_clear)

    def _fits(self, of_kind: Kind, key: int, other: int, told: frozenset[str]) -> bool:
        """Whether a place can be offered beside the key.

        Its name is its own, of the key's scripts, and shares with the question what the key's name shares.
        """
        name, right = of_kind.rows[other]["name"] or "", of_kind.rows[key]["name"]
        own = bool(name.strip()) and ";" not in name and of_kind.rows[other]["bearers"] == 1
        looks = scripts_of(name) == scripts_of(right) and shared_words(name, told) == shared_words(
            right, told
        )
        return own and looks and not self._are_alike(of_kind, [key, other])

    @staticmethod
    def _are_alike(of_kind: Kind, places: list[int]) -> bool:
        """Whether two of the places read alike, or may be one place that is mapped twice."""
        for number, one in enumerate(places):
            for other in places[:number]:
                names = of_kind.rows[one]["name"], of_kind.rows[other]["name"]
                near = np.hypot(*(of_kind.points[one] - of_kind.points[other])) < NEAR_METRES
                if bare_form(names[0]) == bare_form(names[1]) or (near and is_related(*names)):
                    return True
        return False


def _distractor(row: Mapping[str, Any]) -> Distractor:
    return {"text": " ".join(row["name"].split()), "osm_key": row["osm_key"]}


@strategy("mapeval", "near_places")
class NearPlaces(Strategy):
    """Places of the question's category."""

    may_be_five = False
    offers_places = True

    def __init__(self, sources: Sources) -> None:
        super().__init__(sources)
        self._options = NearOptions(sources)

    def draw(self, question: QuestionToFill, count: int) -> list[Distractor] | str:
        """Places among those that the SELECT lists, but for those of which it is doubtful whether they count."""
        listed = [row["osm_key"] for row in question.rows if row.get("is_sure", True)]
        rank = listed.index(question.gold["objects"][0])
        kind = str(question.picked.one("category").bind)
        found: list[Distractor] | str = TOO_FEW
        for wanted in range(count, FEWEST - 1, -1):
            found = self._options.draw(question, kind, rank, listed, wanted)
            if found != TOO_FEW:
                break
        return found
