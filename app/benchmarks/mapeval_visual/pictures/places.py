"""Directions, distances, nearest places and kinds of places in a picture."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from app.benchmarks.mapeval_visual.lengths import metres_of
from app.benchmarks.mapeval_visual.pictures.looking import (
    FOUR,
    SETS,
    fours,
    pairs,
    says_a_kind,
    symbols_by_kind,
    text_of,
    told_labels,
)
from app.drawing.answers.directions import DIRECTIONS, direction_between
from app.drawing.answers.labels import Unclear, find_spot, pixels_between
from app.drawing.answers.nearness import nearest_label
from app.drawing.record import Record
from app.drawing.symbols import load_symbols
from app.questions.pictures.registers import Lot, Values, asks_pictures

BENCHMARK = "mapeval_visual"
LEAST_PIXELS = 100
"""Two places of which the distance is asked."""
MOST_OFF = 0.1
"""By how much the length of an option may differ from what is measured in the picture."""


def ask_directions(record: Record, lot: Lot) -> Iterator[Values]:
    """A direction that is drawn, then two places that lie so: on a wide picture, most pairs lie east and west."""
    found: dict[str, list[Values]] = {one: [] for one in DIRECTIONS}
    for origin, destination in pairs(record, lot):
        seen = direction_between(record, origin, destination)
        if not isinstance(seen, Unclear):
            found[seen.direction].append({"origin": origin, "destination": destination})
    if all(found.values()):
        for turn in range(min(map(len, found.values()))):
            direction = DIRECTIONS[lot.below(FOUR, "wanted", turn)]
            yield found[direction][turn]


@asks_pictures(BENCHMARK, "Direction_In_Picture", ask_directions, "labels")
def read_direction(
    record: Record, values: Values, options: Sequence[str] | None
) -> Mapping[str, Any] | Unclear:
    """The direction of the destination from the origin."""
    seen = direction_between(record, str(values["origin"]), str(values["destination"]))
    return seen if isinstance(seen, Unclear) else {"text": seen.direction}


def ask_distances(record: Record, lot: Lot) -> Iterator[Values]:
    """Two places."""
    for origin, destination in pairs(record, lot):
        yield {"origin": origin, "destination": destination}


@asks_pictures(BENCHMARK, "Apart_In_Picture", ask_distances, "labels")
def read_distance(
    record: Record, values: Values, options: Sequence[str] | None
) -> Mapping[str, Any] | Unclear:
    """The only option that is about as long as what lies between the two symbols."""
    one, other = (find_spot(record, str(values[name])) for name in ("origin", "destination"))
    if isinstance(one, Unclear):
        return one
    if isinstance(other, Unclear):
        return other
    pixels = pixels_between(one.at, other.at)
    if pixels < LEAST_PIXELS:
        return Unclear("close")
    if options is None:
        return {}
    metres = pixels * record.frame["metres_per_pixel"]
    lengths = {text: metres_of(text) for text in options}
    fitting = [text for text, length in lengths.items() if length and abs(length / metres - 1) <= MOST_OFF]
    return {"text": fitting[0]} if len(fitting) == 1 else Unclear("several_lengths")


def ask_nearest(record: Record, lot: Lot) -> Iterator[Values]:
    """A place and four others."""
    for anchor, places in fours(record, lot):
        yield {"anchor": anchor, "places": places}


@asks_pictures(BENCHMARK, "Nearest_In_Picture", ask_nearest, "labels")
def read_nearest(
    record: Record, values: Values, options: Sequence[str] | None
) -> Mapping[str, Any] | Unclear:
    """The one of four places that is nearest to the anchor."""
    seen = nearest_label(record, str(values["anchor"]), list(values["places"]))
    return seen if isinstance(seen, Unclear) else {"text": text_of(record, seen.osm_key)}


def ask_kinds(record: Record, lot: Lot) -> Iterator[Values]:
    """Four places with symbols of four kinds, and the kind of a drawn one of them; no name says what a place is.

    A place whose kind is never asked for, or that two of the four have, would not be the answer: it is not offered.
    """
    told = [one.osm_key for one in told_labels(record) if not says_a_kind(one.text)]
    symbols = {one.osm_key: kind for kind, found in symbols_by_kind(record).items() for one in found}
    kinds = {one: symbols[one] for one in told if one in symbols}
    for turn in range(SETS):
        places = _of_different_kinds(lot.shuffled(sorted(kinds), "places", turn), kinds)
        if len(places) == FOUR:
            key = places[lot.below(FOUR, "key", turn)]
            yield {"symbol": kinds[key], "places": sorted(places)}


def _of_different_kinds(places: Sequence[str], kinds: Mapping[str, str]) -> list[str]:
    """The first four of which no two have the same symbol, or two that look alike."""
    taken: list[str] = []
    seen: set[str] = set()
    for one in places:
        if kinds[one] not in seen and len(taken) < FOUR:
            taken.append(one)
            seen |= {kinds[one], *load_symbols()[kinds[one]].like}
    return taken


@asks_pictures(BENCHMARK, "Kind_In_Picture", ask_kinds, "symbols", "labels")
def read_kind(record: Record, values: Values, options: Sequence[str] | None) -> Mapping[str, Any] | Unclear:
    """The only one of four places that has the symbol, while none has one that is like it."""
    symbols = {one.osm_key: one.symbol for one in record.symbols}
    kind, places = str(values["symbol"]), list(values["places"])
    if any(symbols.get(one) in load_symbols()[kind].like for one in places):
        return Unclear("look_alike")
    for one in places:
        found = find_spot(record, one)
        if isinstance(found, Unclear):
            return found
    having = [one for one in places if symbols.get(one) == kind]
    return {"text": text_of(record, having[0])} if len(having) == 1 else Unclear("not_one_right")
