"""Published questions → what a snapshot answers now. Registers the answers of maps for the format `mapqa`.

Metres are those of Web Mercator, by which the keys were made: what differs then is the map, not the ruler.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from app.benchmarks.mapqa.imported.coordinates import DEGREES, NOWHERE, Spot
from app.benchmarks.mapqa.rechecks.answering import Around, Nearest, Told, answer_one
from app.benchmarks.mapqa.rechecks.asked import Asked, read_words
from app.benchmarks.mapqa.rechecks.matching import Wanted, match_places
from app.benchmarks.mapqa.rechecks.queries_map import AROUND, CROSSINGS, KEPT_KINDS, NEAREST
from app.questions.rechecking.checks import KeyedQuestion
from app.questions.rechecking.on_map import MAP_ANSWERERS, MapFinding

REACH_M = 130.0
"""Metres of Web Mercator around an anchor that are looked at: the farthest that is asked for is 100."""
LOOK_M = 400.0
FIRST = 3
"""Of the nearest places, how many are looked at: what is as near as the first is an answer, too."""
AROUND_TYPES = ("adjacent", "amenities_around", "amenities_around_specific")
NEAREST_TYPES = ("direction_nearest", "intersection", "nearest_amenity")


@dataclass
class _Anchors:
    """The places around which something is looked for, as binds, by the number of the question."""

    items: list[int] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    lons: list[float] = field(default_factory=list)
    lats: list[float] = field(default_factory=list)

    def add(self, item: int, key: str | None, lon: float, lat: float) -> None:
        self.items.append(item)
        self.keys.append(key)
        self.lons.append(lon)
        self.lats.append(lat)

    def binds(self) -> dict[str, Any]:
        return {"items": self.items, "keys": self.keys, "lons": self.lons, "lats": self.lats}


def answer_questions(
    connection: Connection, questions: Sequence[KeyedQuestion], outline: str | None
) -> dict[str, MapFinding]:
    """The finding for each question by its id. The tables of the snapshot are in use; five queries for all."""
    asked = [read_words(one.template, one.text) for one in questions]
    wanted = _wanted(questions, asked)
    places = list(dict.fromkeys(place for one in wanted for place in one))
    matches = dict(zip(places, match_places(connection, places, outline), strict=True))
    told = [
        Told(question, words, [(place, matches[place]) for place in named])
        for question, words, named in zip(questions, asked, wanted, strict=True)
    ]
    crossings = _find_crossings(connection, told)
    near = _find_nearest(connection, told, crossings)
    around = _find_around(connection, told)
    kept = frozenset(connection.exec_driver_sql(KEPT_KINDS).scalars())
    return {
        one.question.id: answer_one(one, crossings.get(item), near.get(item, ()), around.get(item, ()), kept)
        for item, one in enumerate(told)
    }


def _wanted(questions: Sequence[KeyedQuestion], asked: Sequence[Asked]) -> list[list[Wanted]]:
    """The places of each question, with the kinds that all questions together tell of each."""
    kinds: dict[int, set[str]] = defaultdict(set)
    for question, words in zip(questions, asked, strict=True):
        for osm_id, told in _kinds_told(question, words):
            kinds[osm_id] |= told
    return [
        [
            Wanted(
                str(place["name"]),
                int(place["osm_id"]),
                None if place["written"] == NOWHERE else Spot(place["lon"], place["lat"], DEGREES),
                frozenset(kinds[int(place["osm_id"])]),
                is_any_kind=question.template == "amenities",
            )
            for place in question.told.get("places", ())
        ]
        for question in questions
    ]


def _kinds_told(question: KeyedQuestion, words: Asked) -> Iterable[tuple[int, frozenset[str]]]:
    places = question.told.get("places", ())
    if question.template == "amenities":
        return [(int(one["osm_id"]), frozenset(question.gold["names"])) for one in places]
    if not words.kinds:
        return []
    of_kind = {
        "adjacent": places[1:],
        "amenities_around_specific": places,
        "direction_nearest": places[1:],
        "intersection": places,
        "nearest_amenity": places[1:],
    }.get(question.template, ())
    return [(int(one["osm_id"]), words.kinds) for one in of_kind]


def _find_crossings(connection: Connection, told: Sequence[Told]) -> dict[int, Any]:
    """By the number of the question: where its two roads meet."""
    asked = {item: one.asked.roads for item, one in enumerate(told) if one.asked.roads}
    if not asked:
        return {}
    binds = {
        "items": list(asked),
        "firsts": [roads[0] for roads in asked.values()],
        "seconds": [roads[1] for roads in asked.values()],
    }
    return {row.item: row for row in connection.exec_driver_sql(CROSSINGS, binds)}


def _find_nearest(
    connection: Connection, told: Sequence[Told], crossings: Mapping[int, Any]
) -> dict[int, list[Nearest]]:
    """By the number of the question: the nearest places of the kind that it asks for."""
    anchors, pairs = _Anchors(), []
    for item, one in enumerate(told):
        if one.question.template not in NEAREST_TYPES:
            continue
        crossing, anchor = crossings.get(item), one.anchor
        if one.question.template == "intersection":
            if crossing is None or crossing.nodes != 1:
                continue
            anchors.add(item, None, crossing.lon, crossing.lat)
        elif anchor is None:
            continue
        else:
            anchors.add(item, anchor.key, anchor.spot.lon, anchor.spot.lat)
        pairs += [(item, kind, one.asked.direction) for kind in sorted(one.asked.kinds)]
    if not pairs:
        return {}
    items, kinds, directions = zip(*pairs, strict=True)
    binds = {
        **anchors.binds(),
        "of_items": list(items),
        "kinds": list(kinds),
        "directions": list(directions),
        "first": FIRST,
    }
    found: dict[int, list[Nearest]] = defaultdict(list)
    for row in connection.exec_driver_sql(NEAREST, binds):
        found[row.item].append(Nearest(row.osm_key, row.name, row.metres))
    return found


def _find_around(connection: Connection, told: Sequence[Told]) -> dict[int, list[Around]]:
    """By the number of the question: what lies near its anchor, the nearest first."""
    anchors = _Anchors()
    for item, one in enumerate(told):
        anchor = one.anchor
        if one.question.template in AROUND_TYPES and anchor is not None:
            anchors.add(item, anchor.key, anchor.spot.lon, anchor.spot.lat)
    if not anchors.items:
        return {}
    found: dict[int, list[Around]] = defaultdict(list)
    binds = {**anchors.binds(), "look": LOOK_M, "reach": REACH_M}
    for row in connection.exec_driver_sql(AROUND, binds):
        found[row.item].append(
            Around(row.osm_key, row.is_anchor, row.name, row.amenity, frozenset(row.kinds), row.metres)
        )
    return found


MAP_ANSWERERS.add("mapqa", "mapqa", answer_questions)
