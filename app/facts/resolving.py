"""From all that the sources say to a set: the facts of one map's places, named by its content.

Reads the snapshot that the connection's search path names and the stored facts; adds to `map_fact`. A set that is
there is not written again, so that a version made of it can be made again whatever is fetched later.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.core.identity import digest
from app.core.planted import is_planted_key
from app.db.copying import copy_rows
from app.facts import queries
from app.facts.attributes import ATTRIBUTES, BY_OSM_KEY
from app.facts.fact import LICENCES, SOURCES, Fact, object_url
from app.facts.normalising import NoFact, Value, normalise

OSM_CREDIT = "OpenStreetMap"


class PlaceFact(NamedTuple):
    """What one source says of one place; `chosen` where it is the one that counts."""

    osm_key: str
    fact: Fact
    chosen: bool


def make_fact_set(connection: Connection, snapshot_name: str, map_time: datetime | None) -> str | None:
    """The id of the set of all that is known of the map's places now; None where no fact is usable."""
    said = [*_tagged(connection, map_time), *_stored(connection, snapshot_name)]
    places = choose_facts(said)
    if not any(place.chosen for place in places):
        return None
    rows = [_row(place) for place in places]
    set_id = digest([{**row, "retrieved_at": None} for row in rows])
    if has_fact_set(connection, set_id):
        return set_id
    connection.exec_driver_sql(queries.LOCK_SET, {"set_id": set_id})
    if not has_fact_set(connection, set_id):
        columns = ["set_id", *rows[0]]
        copy_rows(connection, "trigpoint", "map_fact", columns, ((set_id, *row.values()) for row in rows))
    return set_id


def has_fact_set(connection: Connection, set_id: str) -> bool:
    """Whether a set is there."""
    return bool(connection.exec_driver_sql(queries.SET_EXISTS, {"set_id": set_id}).scalar_one())


def fact_sources(
    connection: Connection, sets: Collection[str], facts: Collection[str]
) -> list[dict[str, str]]:
    """Who, beside the map, said these facts of these sets: source, credit and licence."""
    binds = {"sets": sorted(sets), "facts": sorted(facts)}
    return [dict(row) for row in connection.exec_driver_sql(queries.SOURCES_OF_FACTS, binds).mappings()]


def choose_facts(said: Sequence[tuple[str, Fact]]) -> list[PlaceFact]:
    """All of `said` ((osm_key, fact)), once, sorted: of equal values one counts, where two contradict none does.

    Of equal ones that of Wikidata counts, then a file's, then a tag's; of one source the first by id.
    """
    by_question: dict[tuple[str, str], dict[str, Fact]] = defaultdict(dict)
    for osm_key, fact in said:
        by_question[osm_key, fact.attribute][fact.id] = fact
    places = []
    for (osm_key, _), facts in sorted(by_question.items()):
        ordered = sorted(facts.values(), key=lambda fact: (SOURCES.index(fact.source), fact.id))
        agree = len({fact.value.key for fact in ordered}) == 1
        places += [PlaceFact(osm_key, fact, agree and position == 0) for position, fact in enumerate(ordered)]
    return places


def _tagged(connection: Connection, map_time: datetime | None) -> Iterator[tuple[str, Fact]]:
    """What the withheld tags say; tags that are no facts are left out."""
    for row in connection.exec_driver_sql(queries.WITHHELD_TAGS, {"keys": sorted(BY_OSM_KEY)}):
        attribute = BY_OSM_KEY[row.key]
        if is_planted_key(row.osm_key):  # what is invented is no fact
            continue
        try:
            value = normalise(attribute, row.value)
        except NoFact:
            continue
        yield (
            row.osm_key,
            Fact(
                subject=row.osm_key,
                attribute=attribute.name,
                value=value,
                source="osm",
                credit=OSM_CREDIT,
                source_url=object_url(row.osm_key),
                licence=LICENCES["osm"],
                retrieved_at=map_time,
            ),
        )


def _stored(connection: Connection, snapshot_name: str) -> Iterator[tuple[str, Fact]]:
    for row in connection.exec_driver_sql(queries.FACTS_OF_PLACES, {"snapshot": snapshot_name}):
        yield (
            row.osm_key,
            Fact(
                subject=row.subject,
                attribute=row.attribute,
                value=Value(row.value, row.key, row.unit, tuple(row.names)),
                source=row.source,
                credit=row.credit,
                source_url=row.source_url,
                licence=row.licence,
                retrieved_at=row.retrieved_at,
            ),
        )


def _row(place: PlaceFact) -> dict[str, Any]:
    return {
        "osm_key": place.osm_key,
        **place.fact.as_row(),
        "words": ATTRIBUTES[place.fact.attribute].words,
        "chosen": place.chosen,
    }
