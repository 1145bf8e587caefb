import json
from typing import Any

import pytest
import shapely
from sqlalchemy import Connection, text

from app.core.identity import content_hash
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.second_path import Layers
from tests.support.second_path import answer

SCHEMA = "osm_second_path_20260102_1"


def make_snapshot(connection: Connection, town: Any) -> None:
    """A snapshot schema with the columns that the second path may read, filled with the town's rows."""
    connection.execute(text(f"create schema {SCHEMA}"))
    for layer in ("poi", "park", "region"):
        classes = "classes text[] not null," if layer == "poi" else ""
        connection.execute(
            text(
                f"create table {SCHEMA}.{layer} (osm_key text primary key, name text, class text not null, {classes}"
                " tags jsonb not null, repaired bool not null, geom public.geometry(Geometry, 4326) not null)"
            )
        )
        for row in town.rows.get(layer, []):
            values = {
                "key": row.osm_key,
                "name": row.name,
                "klass": row.klass,
                "tags": json.dumps(row.tags),
                "repaired": row.repaired,
                "wkb": row.wkb,
            }
            if layer == "poi":
                values["classes"] = list(row.classes)
            connection.execute(
                text(
                    f"insert into {SCHEMA}.{layer} (osm_key, name, class, tags, repaired, geom"
                    f"{', classes' if layer == 'poi' else ''}) values (:key, :name, :klass, cast(:tags as jsonb),"
                    f" :repaired, public.ST_GeomFromWKB(:wkb, 4326){', :classes' if layer == 'poi' else ''})"
                ),
                values,
            )
    connection.execute(text(f"grant usage on schema {SCHEMA} to trigpoint_worker"))
    connection.execute(text(f"grant select on all tables in schema {SCHEMA} to trigpoint_worker"))
    connection.commit()


def fill(town: Any) -> None:
    town.poi("n2", 100, 30, "Adler")
    town.poi("w3", 200, 30, "Zürcher »Krone«", ("bar", "restaurant"))
    town.poi("n4", 300, 30, None, ("cafe",), repaired=True)
    hole = shapely.Polygon(town.square(500).exterior, [town.square(100).exterior])
    town.add(
        "park", "r5", hole, "Park", "park", tags={"leisure": "park", "name": "Park", "note": 'ä "x" \\ '}
    )
    town.region("r6", town.square(2000), "Oberland")


def test_layers_of_the_database_equal_those_of_memory(database: Settings, town: Any) -> None:
    fill(town)
    outline = shapely.to_wkb(town.outline)
    with connect(database, Role.OWNER) as connection:
        make_snapshot(connection, town)
    with connect(database, Role.WORKER) as connection:
        layers = Layers(connection, SCHEMA, outline)
        memory = town.layers()
        for name in ("poi", "park", "region"):
            assert layers[name].rows == memory[name].rows
        for template, parameters in {
            "T5": {"anchor": "n1", "category": "food"},
            "T24": {"region": "r6", "category": "restaurant"},
            "T27": {"region": "r6", "surface": "park"},
        }.items():
            found = answer(layers, template, parameters)
            assert found.refusal is None
            assert found == answer(memory, template, parameters)
        # The server's own little-endian WKB of a geometry gives the hash that the import stores.
        wkb = connection.execute(text(f"select ST_AsBinary(geom, 'NDR') from {SCHEMA}.park")).scalar_one()
        tags = town.rows["park"][0].tags
        assert layers.content_hash("park", "r5") == content_hash("r5", "Park", "park", tags, bytes(wkb))


def test_each_layer_is_read_once(town: Any) -> None:
    read: list[str] = []
    layers = Layers.from_rows(town.rows)
    source = layers._read
    layers._read = lambda layer: read.append(layer) or source(layer)
    for _ in range(3):
        answer(layers, "T5", {"anchor": "n1", "category": "food"})
        layers.content_hash("poi", "n1")
    assert read == ["poi"]


def test_content_hash_follows_every_column(town: Any) -> None:
    fill(town)
    before = town.layers().content_hash("park", "r5")
    row = town.rows["park"][0]
    changes = [
        row._replace(name="Garten"),
        row._replace(klass="garden"),
        row._replace(tags={**row.tags, "note": "y"}),
        row._replace(wkb=shapely.to_wkb(town.square(501))),
    ]
    for changed in changes:
        town.rows["park"] = [changed]
        assert town.layers().content_hash("park", "r5") not in (None, before)
    assert town.layers().content_hash("park", "r6") is None
    assert town.layers().content_hash("water", "w1") is None


def test_unknown_layers_are_refused(town: Any) -> None:
    with pytest.raises(ValueError, match="no layer is called 'road_node'"):
        town.layers()["road_node"]


def test_names_are_found_by_normal_form_and_classes_by_each(town: Any) -> None:
    fill(town)
    town.poi("n9", 400, 0, "  ", ("pub",))
    poi = town.layers()["poi"]
    assert [poi.keys[position] for position in poi.by_name["zürcher »krone«"]] == ["w3"]
    assert "" not in poi.by_name
    assert [poi.keys[position] for position in poi.named] == ["n1", "n2", "w3"]
    assert [poi.keys[position] for position in poi.of_class["restaurant"]] == ["n2", "w3"]
    assert len(poi.points_of(frozenset({"bar", "restaurant"}))) == 2
    assert len(poi.points_of(frozenset({"zoo"}))) == 0
