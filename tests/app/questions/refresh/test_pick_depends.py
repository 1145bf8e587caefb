"""What benchmark.toml says of a pick holds: rows are changed at random, and only those rows of it differ that may."""

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest
from sqlalchemy import Connection

from app.core.identity import canonical_json
from app.db.engine import Role, connect, use_schema
from app.questions.evidence import Key
from app.questions.picking import Pick, read_choices
from app.questions.records import SnapshotRef
from app.questions.refresh.queries_touching import reading_alike
from app.questions.snapshots import find_snapshots
from app.templates.header import Parameter
from app.templates.templates import Template
from osm_import.completing_queries import PLACE_NAMES
from tests.support.refreshes import surprises
from tests.support.town import Imported, benchmarks

LAYERS = ("poi", "aoi", "road", "region", "park", "water", "other_place")
EDITS = {
    "rename": "update {layer} set name = %(name)s where osm_key = %(key)s",
    "reclass": "update {layer} set class = %(class)s where osm_key = %(key)s",
    "move": "update {layer} set geom = st_translate(geom, %(east)s, %(north)s) where osm_key = %(key)s",
    "retag": "update {layer} set tags = tags || %(tags)s::jsonb where osm_key = %(key)s",
    "delete": "delete from {layer} where osm_key = %(key)s",
}
PLACE_EDITS = {
    **EDITS,
    "reclass": "update poi set class = %(class)s, classes = array[%(class)s] where osm_key = %(key)s",
    "house": "update poi set street = %(street)s, housenumber = '1' where osm_key = %(key)s",
}
DERIVED = (
    "delete from poi_class",
    "insert into poi_class (osm_key, class, geog) select poi.osm_key, one.class, poi.geog from poi"
    " cross join lateral unnest(poi.classes) as one (class)",
    "delete from place_name",
    PLACE_NAMES,
)
"""What the import makes of the layers, as far as picks read it."""
Offered = dict[str, tuple[Parameter, Mapping[str, Pick]]]


@contextmanager
def changeable(town: Imported) -> Iterator[tuple[Connection, SnapshotRef]]:
    """The map in a transaction that is never committed."""
    with connect(town.settings, Role.OWNER) as connection:
        (snapshot,) = find_snapshots(connection, [town.name])
        use_schema(connection, snapshot.schema)
        yield connection, snapshot
        connection.rollback()


def offered(
    connection: Connection, snapshot: SnapshotRef, picks: Mapping[str, tuple[Template, str]]
) -> Offered:
    read: dict[str, list[Pick]] = {}
    return {
        name: (
            template.header.parameters[parameter],
            {
                canonical_json(pick.value): pick
                for pick in read_choices(connection, template, parameter, snapshot.outline, None, read)
            },
        )
        for name, (template, parameter) in picks.items()
    }


def picks_of(benchmark: str, names: set[str]) -> dict[str, tuple[Template, str]]:
    """By pick: a template and a parameter of it that use it."""
    return {
        parameter.pick: (template, name)
        for template in benchmarks()[benchmark].templates.values()
        for name, parameter in template.header.parameters.items()
        if parameter.pick in names
    }


def change(connection: Connection, dice: random.Random) -> set[Key]:
    """Change rows of some layers; gives the objects that may be told otherwise: these, and who shares a name with them."""
    changed: set[Key] = set()
    names: set[str] = set()
    known: list[str] = list(
        connection.exec_driver_sql("select name from poi where name is not null order by 1").scalars()
    )
    of_streets = "select distinct street from poi where street is not null order by 1"
    streets = [*connection.exec_driver_sql(of_streets).scalars(), "New Street"]
    for _ in range(dice.randint(1, 6)):
        layer = dice.choice(LAYERS)
        edits = PLACE_EDITS if layer == "poi" else EDITS
        edit = dice.choice(sorted(edits))
        keys = list(connection.exec_driver_sql(f"select osm_key from {layer} order by 1").scalars())
        if not keys:
            continue
        binds = {
            "key": dice.choice(keys),
            "name": dice.choice([*known, "Quite New"]),
            "class": dice.choice(["restaurant", "museum", "hotel", "cafe", "residential", "primary"]),
            "east": dice.uniform(-0.005, 0.005),
            "north": dice.uniform(-0.005, 0.005),
            "street": dice.choice(streets),
            "tags": canonical_json(
                {dice.choice(["cuisine", "landuse", "addr:street"]): dice.choice(["a", "b"])}
            ),
        }
        old = f"select name from {layer} where osm_key = %(key)s"
        names |= set(connection.exec_driver_sql(old, binds).scalars()) - {None}
        connection.exec_driver_sql(edits[edit].format(layer=layer), binds)
        changed.add((layer, binds["key"]))
        names |= {binds["name"]} if edit == "rename" else set()
    for statement in DERIVED:
        connection.exec_driver_sql(statement)
    return changed | sharing(connection, names)


def sharing(connection: Connection, names: set[str]) -> set[Key]:
    schema = connection.exec_driver_sql("select current_schema()").scalar_one()
    return {
        (layer, key)
        for layer in ("poi", "aoi", "road", "region")
        for key in connection.exec_driver_sql(
            reading_alike(layer, schema), {"names": sorted(names)}
        ).scalars()
    }


def surprising(town: Imported, picks: Mapping[str, tuple[Template, str]], seed: int) -> list[str]:
    """What a seeded change of the map does to the rows of picks that it should not do, in either direction."""
    with changeable(town) as (connection, snapshot):
        before = offered(connection, snapshot, picks)
        excused = change(connection, random.Random(seed))
        after = offered(connection, snapshot, picks)
    return [
        fault
        for old, new in ((before, after), (after, before))
        for name, (parameter, values) in old.items()
        for fault in surprises(name, parameter, values, new[name][1], excused)
    ]


def declared(benchmark: str) -> set[str]:
    """The picks of which benchmark.toml says what they depend on."""
    return {name for name, one in benchmarks()[benchmark].file.picks.items() if one.depends}


@pytest.mark.parametrize("benchmark", ["gsqa", "urban_knowledge"])
def test_rows_differ_only_by_what_is_declared(town: Imported, benchmark: str) -> None:
    picks = picks_of(benchmark, declared(benchmark))
    for seed in range(25):
        assert surprising(town, picks, seed) == [], seed


@pytest.mark.parametrize("pick", ["scene_poi", "sole_poi"])
def test_a_wrong_declaration_is_found_out(town: Imported, pick: str) -> None:
    """These picks tell of what is around a place, or how many may be in the same house: to declare them would be wrong."""
    picks = picks_of("urban_knowledge", {pick})
    assert pick not in declared("urban_knowledge")
    assert any(surprising(town, picks, seed) for seed in range(200))
