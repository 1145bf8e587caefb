"""Roads between places, and places by roads, in a picture. A road is named by the first of its ways."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from app.benchmarks.mapeval_visual.pictures.looking import (
    FOUR,
    LONGEST,
    SETS,
    pairs,
    text_of,
    told_labels,
)
from app.drawing.answers.labels import Unclear
from app.drawing.answers.roads import is_by_road, label_by_road, pixels_from_road, road_between, roads_between
from app.drawing.record import DrawnRoad, Record
from app.questions.pictures.registers import Lot, Values, asks_pictures
from app.questions.shared_words import share_alike, telling_words

BENCHMARK = "mapeval_visual"
MOST_PAIRS = 300
"""Of so many pairs of places in a picture it is looked at which road lies between them."""


def told_roads(record: Record) -> dict[str, str]:
    """The names of the roads that a question may speak of, by the first way of each."""
    names = [one.name for one in record.roads]
    return {
        one.osm_keys[0]: one.name
        for one in record.roads
        if one.labelled and names.count(one.name) == 1 and _is_told(record, one)
    }


def _is_told(record: Record, road: DrawnRoad) -> bool:
    written = any(one.kind == "road" and one.text == road.name for one in record.labels)
    return written and len(road.name) <= LONGEST and not set('";') & set(road.name)


def ask_between(record: Record, lot: Lot) -> Iterator[Values]:
    """Four roads that each pass between places, and two places between which a drawn one of them does.

    A long road in the middle of a picture lies between many places, and a road that lies between none would never be
    the answer: the roads are drawn first, and the places then.
    """
    roads = told_roads(record)
    passing = _places_beside(record, lot, roads)
    for turn in range(SETS if len(passing) >= FOUR else 0):
        asked = sorted(lot.shuffled(sorted(passing), "roads", turn)[:FOUR])
        found = passing[asked[lot.below(FOUR, "key", turn)]]
        origin, destination = found[lot.below(len(found), "pair", turn)]
        told = f"{text_of(record, origin)} {text_of(record, destination)}"
        if share_alike((roads[one] for one in asked), telling_words(told)):
            yield {"origin": origin, "destination": destination, "roads": asked}


def _places_beside(
    record: Record, lot: Lot, roads: Mapping[str, str]
) -> Mapping[str, Sequence[tuple[str, str]]]:
    """For each of the roads that passes between places, the pairs of places between which it is the only one."""
    keys = {name: key for key, name in roads.items()}
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    looked_at = list(islice(pairs(record, lot), MOST_PAIRS))
    for pair, seen in zip(looked_at, roads_between(record, looked_at), strict=True):
        if not isinstance(seen, Unclear) and seen.name in keys:
            found[keys[seen.name]].append(pair)
    return found


@asks_pictures(BENCHMARK, "Road_Between", ask_between, "labels", "roads")
def read_between(
    record: Record, values: Values, options: Sequence[str] | None
) -> Mapping[str, Any] | Unclear:
    """The road between the two places."""
    seen = road_between(record, str(values["origin"]), str(values["destination"]))
    return seen if isinstance(seen, Unclear) else {"text": seen.name}


def ask_by_road(record: Record, lot: Lot) -> Iterator[Values]:
    """Four places that each lie by a road of their own, and the road of a drawn one of them.

    A place by no road, or by none without another of the four, would never be the answer: it is not offered.
    """
    roads, places = told_roads(record), [one.osm_key for one in told_labels(record)]
    away = {road: pixels_from_road(record, name, places) for road, name in roads.items()}
    for turn in range(SETS if len(places) >= FOUR else 0):
        asked = sorted(lot.shuffled(places, "places", turn)[:FOUR])
        by = [[road for road in sorted(roads) if is_by_road(one, asked, away[road])] for one in asked]
        if all(by):
            found = by[lot.below(FOUR, "key", turn)]
            road = found[lot.below(len(found), "road", turn)]
            if share_alike((text_of(record, one) for one in asked), telling_words(roads[road])):
                yield {"road": road, "places": asked}


@asks_pictures(BENCHMARK, "Place_By_Road", ask_by_road, "labels", "roads")
def read_by_road(
    record: Record, values: Values, options: Sequence[str] | None
) -> Mapping[str, Any] | Unclear:
    """The one of four places that lies by the road."""
    name = told_roads(record).get(str(values["road"]))
    if name is None:
        return Unclear("no_road")
    seen = label_by_road(record, name, list(values["places"]))
    return seen if isinstance(seen, Unclear) else {"text": text_of(record, seen.osm_key)}
