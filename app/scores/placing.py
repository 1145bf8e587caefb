"""Distance errors of locations: predicted addresses → places → one component more a score.

A paper may ask a public geocoder; ours is the question's own map, which knows what it holds and no more, or a Nominatim
server where one is named (docs/scoring.md).
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.core.errors import EndpointUnavailable
from app.map_tools.gazetteer import Sought, place_addresses
from app.map_tools.geocoding import address_key, kept_places
from app.scores.paper_rules import PaperRules, Point
from app.scores.reading.addresses import read_address
from app.scores.score import Component, Score

COMPONENT = "parsed_distance_error"


class Located(NamedTuple):
    """A scored answer to a question for a location, and the schema of the question's snapshot."""

    schema: str
    gold: Mapping[str, Any]
    score: Score


Placer = Callable[[str, Sequence[str]], Mapping[str, Point]]
"""(a snapshot's schema, addresses) → the places of those that can be placed."""


def with_distance_errors(
    rules: PaperRules, located: Mapping[int, Located], place: Placer
) -> dict[int, Score]:
    """Each score with its distance error; 1 and not attempted where no address of the answer could be placed."""
    wanted: dict[str, dict[str, None]] = defaultdict(dict)
    for one in located.values():
        wanted[one.schema].update(dict.fromkeys(addresses_of(one.score)))
    places = {schema: place(schema, list(addresses)) for schema, addresses in wanted.items()}
    return {number: _with_error(rules, one, places[one.schema]) for number, one in located.items()}


def addresses_of(score: Score) -> list[str]:
    """The addresses that a scored answer tells of."""
    return [one["address"] for one in score.parsed["objects"] if one["address"] is not None]


def by_gazetteer(connection: Connection) -> Placer:
    """Places addresses by the question's own map."""

    def place(schema: str, addresses: Sequence[str]) -> Mapping[str, Point]:
        found = place_addresses(connection, schema, [_sought(address) for address in addresses])
        return {one: Point(*where) for one, where in zip(addresses, found) if where is not None}

    return place


def by_nominatim(connection: Connection, base: str) -> Placer:
    """Places addresses by what the server at `base` said when it was asked (app.map_tools.geocoding).

    Raises EndpointUnavailable for an address that it was never asked for: a gap of ours, not of the answer.
    """

    def place(schema: str, addresses: Sequence[str]) -> Mapping[str, Point]:
        keys = {address: address_key(address) for address in addresses}
        kept = kept_places(connection, base, [key for key in keys.values() if key])
        missing = sum(bool(key) and key not in kept for key in keys.values())
        if missing:
            raise EndpointUnavailable(f"{base} was not asked for {missing} of {len(keys)} addresses yet.")
        return {one: Point(*where) for one, key in keys.items() if (where := kept.get(key)) is not None}

    return place


def _sought(address: str) -> Sought:
    name = address.split(",", maxsplit=1)[0].strip() or None
    parts = read_address(address).value
    if parts is None:
        return Sought(None, None, name, name)
    return Sought(parts.street, parts.housenumber, parts.city, name)


def _with_error(rules: PaperRules, one: Located, places: Mapping[str, Point]) -> Score:
    predicted = [places[address] for address in addresses_of(one.score) if address in places]
    gold = [Point(float(place["lon"]), float(place["lat"])) for place in one.gold["objects"]]
    error = rules.distance_error(predicted, gold)
    component = Component(1.0 if error is None else error, 1.0, error is not None)
    return replace(one.score, components={**one.score.components, COMPONENT: component})
