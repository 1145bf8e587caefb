"""Roads between places, and places by roads, in a picture. A road is named by the first of its ways."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.benchmarks.mapeval_visual.pictures.looking import FOUR, LONGEST, pairs, text_of, told_labels
from app.drawing.answers.labels import Unclear
from app.drawing.answers.roads import label_by_road, road_between
from app.drawing.record import DrawnRoad, Record
from app.questions.pictures.registers import Lot, Values, asks_pictures

BENCHMARK = "mapeval_visual"


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
    """Two places with a road between them, and three other roads."""
    roads = told_roads(record)
    keys = {name: key for key, name in roads.items()}
    for turn, (origin, destination) in enumerate(pairs(record, lot)):
        seen = road_between(record, origin, destination)
        if isinstance(seen, Unclear) or seen.name not in keys:
            continue
        others = [one for one in sorted(roads) if one != keys[seen.name]]
        if len(others) >= FOUR - 1:
            drawn = lot.shuffled(others, "others", turn)[: FOUR - 1]
            asked = sorted([keys[seen.name], *drawn])
            yield {"origin": origin, "destination": destination, "roads": asked}


@asks_pictures(BENCHMARK, "Road_Between", ask_between, "labels", "roads")
def read_between(
    record: Record, values: Values, options: Sequence[str] | None
) -> Mapping[str, Any] | Unclear:
    """The road between the two places."""
    seen = road_between(record, str(values["origin"]), str(values["destination"]))
    return seen if isinstance(seen, Unclear) else {"text": seen.name}


def ask_by_road(record: Record, lot: Lot) -> Iterator[Values]:
    """A road and four places."""
    roads, places = sorted(told_roads(record)), [one.osm_key for one in told_labels(record)]
    turn = 0
    while roads and len(places) >= FOUR:
        road = roads[lot.below(len(roads), "road", turn)]
        yield {"road": road, "places": sorted(lot.shuffled(places, "places", turn)[:FOUR])}
        turn += 1


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
