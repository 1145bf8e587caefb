"""Distance errors of locations: predicted addresses → places on the question's own map → one component more a score.

The paper asks a public geocoder; ours is the snapshot, which knows what it holds and no more (docs/scoring.md).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.map_tools.gazetteer import Sought, place_addresses
from app.scores.published.spatial import Point, distance_error
from app.scores.reading.addresses import read_address
from app.scores.score import Component, Score

COMPONENT = "parsed_distance_error"


class Located(NamedTuple):
    """A scored answer to a question for a location, and the schema of the question's snapshot."""

    schema: str
    gold: Mapping[str, Any]
    score: Score


def with_distance_errors(connection: Connection, located: Mapping[int, Located]) -> dict[int, Score]:
    """Each score with its distance error; 1 and not attempted where no address of the answer could be placed."""
    places = _place_all(connection, located.values())
    return {number: _with_error(one, places[one.schema]) for number, one in located.items()}


def _place_all(connection: Connection, located: Iterable[Located]) -> Mapping[str, Mapping[str, Point]]:
    wanted: dict[str, dict[str, None]] = defaultdict(dict)
    for one in located:
        wanted[one.schema].update(dict.fromkeys(_addresses(one.score)))
    return {schema: _places(connection, schema, list(addresses)) for schema, addresses in wanted.items()}


def _places(connection: Connection, schema: str, addresses: Sequence[str]) -> dict[str, Point]:
    found = place_addresses(connection, schema, [_sought(address) for address in addresses])
    return {address: Point(*place) for address, place in zip(addresses, found) if place is not None}


def _sought(address: str) -> Sought:
    name = address.split(",", maxsplit=1)[0].strip() or None
    parts = read_address(address).value
    if parts is None:
        return Sought(None, None, name, name)
    return Sought(parts.street, parts.housenumber, parts.city, name)


def _addresses(score: Score) -> list[str]:
    return [one["address"] for one in score.parsed["objects"] if one["address"] is not None]


def _with_error(one: Located, places: Mapping[str, Point]) -> Score:
    predicted = [places[address] for address in _addresses(one.score) if address in places]
    gold = [Point(float(place["lon"]), float(place["lat"])) for place in one.gold["objects"]]
    error = distance_error(predicted, gold)
    component = Component(1.0 if error is None else error, 1.0, error is not None)
    return replace(one.score, components={**one.score.components, COMPONENT: component})
