"""place_search finds every place by its name and city, with a typing error nearly every one, and nearly every address.

A place counts whose name no other place of its city has; its city is that of its address, else the municipality around
it. An address counts as found where the first hit has its street and number, and its city where the query says one.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from sqlalchemy import Connection, text

from app.core.names import normal_form
from app.core.settings import Role, Settings
from app.db.engine import connect, use_schema
from app.questions.snapshots import find_snapshots
from tests.app.agent_tools.conftest import Call, caller
from tests.support.town import Fill, Imported, import_map

pytestmark = pytest.mark.long
MOST = 400
MOST_VARIED = 300
"""Names with a typing error, and addresses: a share is measured, and a sample tells it."""
LEAST_ADDRESSES = 100
EXTRACTS = {
    "liechtenstein": "liechtenstein-2022-07-24.osm.pbf",
    "baltimore": "baltimore-2015-02-27.osm.pbf",
    "manhattan": "manhattan-part-2020-01-15.osm.pbf",
}

NAMED = text("""
select
    poi.osm_key,
    poi.name,
    coalesce(
        poi_address.city,
        (
            select region.name
            from region
            where
                region.admin_level = 8
                and st_intersects(region.geom, poi.geom)
            order by region.osm_key
            limit 1
        )
    ) as city
from poi
left join poi_address on poi.osm_key = poi_address.osm_key
where poi.name is not null
order by poi.osm_key
""")
ADDRESSES = text("""
select
    street,
    housenumber,
    city
from address
where street is not null
group by street, housenumber, city
order by street, housenumber, city
""")


class Searched(NamedTuple):
    """A map, and how to search it."""

    name: str
    connection: Connection
    search: Call
    draw: random.Random

    def rows(self, statement: Any) -> list[Any]:
        (snapshot,) = find_snapshots(self.connection, [self.name])
        use_schema(self.connection, snapshot.schema)
        rows = list(self.connection.execute(statement))
        self.connection.rollback()
        return rows


@pytest.fixture(scope="module", params=[*EXTRACTS, "helsinki"])
def searched(
    request: pytest.FixtureRequest, fill_once: Callable[[str, Fill], Settings], extracts: Path
) -> Iterator[Searched]:
    name = request.param
    if name in EXTRACTS:
        settings = fill_once(
            f"finding_{name}", lambda made: import_map(made, extracts / EXTRACTS[name], name)
        )
    else:
        helsinki: Imported = request.getfixturevalue("helsinki")
        settings = helsinki.settings
    with connect(settings, Role.MAINTAINER) as connection:
        call = caller(settings, connection, name)
        yield Searched(
            name, connection, lambda query: call("place_search", query=query).hits, random.Random(34)
        )


def unique_names(searched: Searched, most: int = MOST) -> list[Any]:
    rows = [
        row
        for row in searched.rows(NAMED)
        if row.city and any(map(str.isalnum, row.name)) and len(row.name) < 150
    ]
    count = Counter((normal_form(row.name), row.city) for row in rows)
    unique = [row for row in rows if count[normal_form(row.name), row.city] == 1]
    return searched.draw.sample(unique, min(most, len(unique)))


def with_typing_error(name: str, draw: random.Random) -> str:
    place = draw.choice([number for number, sign in enumerate(name) if sign.isalnum()])
    other = draw.choice("abcdefghijklmnopqrstuvwxyz")
    return draw.choice(
        [
            name[:place] + name[place + 1 :] if len(name) > 2 else name + other,
            name[:place] + other + name[place:],
            name[:place] + other + name[place + 1 :],
            name[:place] + name[place : place + 2][::-1] + name[place + 2 :],
        ]
    )


def test_every_unique_name_is_found_first_by_name_and_city(searched: Searched) -> None:
    places = unique_names(searched)
    assert len(places) >= 200
    missed = [
        row
        for row in places
        if [hit.id for hit in searched.search(f"{row.name}, {row.city}")][:1] != [row.osm_key]
    ]
    assert missed == []


def test_one_typing_error_is_forgiven(searched: Searched) -> None:
    places = unique_names(searched, MOST_VARIED)
    typed = [(row.osm_key, f"{with_typing_error(row.name, searched.draw)}, {row.city}") for row in places]
    missed = [query for key, query in typed if [hit.id for hit in searched.search(query)][:1] != [key]]
    assert len(missed) <= 0.05 * len(places), missed


def test_addresses_are_found(searched: Searched) -> None:
    rows = searched.rows(ADDRESSES)
    assert len(rows) >= LEAST_ADDRESSES
    missed = []
    for row in searched.draw.sample(rows, min(MOST_VARIED, len(rows))):
        door = searched.draw.choice([f"{row.street} {row.housenumber}", f"{row.housenumber} {row.street}"])
        hits = searched.search(f"{door}, {row.city}" if row.city else door)
        wanted = " ".join(f"{row.street} {row.housenumber}".split())
        said = (hits[0].address or "") if hits else ""
        if not said.startswith(wanted) or (row.city and row.city not in said):
            missed.append((door, row.city, said))
    assert len(missed) <= 0.05 * min(MOST_VARIED, len(rows)), missed[:20]
