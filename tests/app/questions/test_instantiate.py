"""A template's SELECT asked for one tuple and for many: the same rows, to the bit, and by an index."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import pytest
from sqlalchemy import Connection

from app.questions.instantiate import ask_batch, ask_single, types_used
from app.questions.picking import open_space
from app.templates.header import Parameter
from app.templates.selects import columns_of
from app.templates.statements import as_batch, as_single
from tests.support.town import Asker, Imported, benchmarks, template_of, town_benchmarks

TEMPLATES = [name for benchmark in benchmarks().values() for name in benchmark.templates]
OF_TOWN = [name for benchmark in town_benchmarks().values() for name in benchmark.templates]
REGIONAL = {name for name in TEMPLATES if "region" in template_of(name).header.parameters}


@pytest.fixture(scope="module")
def on_helsinki(helsinki: Imported) -> Iterator[Asker]:
    with helsinki.connect() as connection:
        yield Asker.on(connection, helsinki.name)


@pytest.fixture(scope="module")
def on_liechtenstein(liechtenstein: Imported) -> Iterator[Asker]:
    with liechtenstein.connect() as connection:
        yield Asker.on(connection, liechtenstein.name)


@pytest.fixture(scope="module")
def on_town(town: Imported) -> Iterator[Asker]:
    with town.connect() as connection:
        yield Asker.on(connection, town.name)


def seen(asker: Asker, name: str, count: int) -> list[dict[str, Any]]:
    """Binds as a picture would give them, of objects that the map has; nothing is drawn."""

    def keys(layer: str) -> list[str]:
        found = asker.connection.exec_driver_sql(
            f"select min(osm_key) as key from {layer} where name is not null group by name order by key limit 60"
        )
        return list(found.scalars())

    of = {"poi": keys("poi"), "road": keys("road")}
    shown = {
        "drawn": ",".join(of["poi"]),
        "labelled": ",".join(of["poi"]),
        "drawn_roads": ",".join(of["road"]),
    }
    edges = {"west": 9.51, "south": 47.13, "east": 9.53, "north": 47.15}

    def value(name: str, parameter: Parameter, number: int) -> str:
        if parameter.layer is None:
            return "9.52,47.14,16,800,600" if name == "frame" else "cafe"
        start = number + len(name)
        return ",".join(of[parameter.layer][start : start + parameter.choose])

    parameters = template_of(name).header.parameters.items()
    return [
        {**{name: value(name, one, number) for name, one in parameters}, **shown, **edges}
        for number in range(count)
    ]


def picked(asker: Asker, name: str, count: int) -> list[dict[str, Any]]:
    template = template_of(name)
    if template.header.picture is not None:
        return seen(asker, name, count)
    facts = asker.snapshot.facts
    space = open_space(asker.connection, template, 5, asker.snapshot.outline, facts=facts)
    given = {**template.header.constants, "facts": facts}
    return [{**one.binds, **given} for one in islice(space.tuples(), count)]


def asked_of_tuples(name: str) -> list[str]:
    """What is asked for each tuple: the SELECT, and the pool of wrong options unless a map has one for all tuples."""
    template = template_of(name)
    whole_map = "value" in columns_of(template.pool or "")
    return [template.body, *([template.pool] if template.pool and not whole_map else [])]


def compare(asker: Asker, name: str, count: int) -> int:
    template = template_of(name)
    binds = picked(asker, name, count)
    rows = 0
    for body in asked_of_tuples(name):
        types = types_used(template.header, body)
        batch = ask_batch(asker.connection, body, types, binds)
        single = [ask_single(asker.connection, body, types, one) for one in binds]
        assert batch == single
        rows += sum(map(len, batch))
        for answer in batch:
            assert [row["place"] for row in answer] == list(range(1, len(answer) + 1))
    return rows


@pytest.mark.parametrize("name", OF_TOWN)
def test_batch_is_single_on_the_town(on_town: Asker, name: str) -> None:
    assert compare(on_town, name, 60) > 0


@pytest.mark.parametrize("name", [name for name in OF_TOWN if name not in REGIONAL])
def test_batch_is_single_on_helsinki(on_helsinki: Asker, name: str) -> None:
    assert compare(on_helsinki, name, 40) > 0


@pytest.mark.parametrize("name", TEMPLATES)
def test_batch_is_single_on_liechtenstein(on_liechtenstein: Asker, name: str) -> None:
    assert compare(on_liechtenstein, name, 40) > 0


def test_a_batch_keeps_its_order_and_its_gaps(on_town: Asker, town: Imported) -> None:
    template = template_of("T5")
    types = types_used(template.header, template.body)
    keys = [town.key("Museum Gamma"), "n999999999", town.key("Museum Alpha"), town.key("Museum Gamma")]
    binds = [{"anchor": key, "category": "restaurant"} for key in keys]
    gamma, nobody, alpha, again = ask_batch(on_town.connection, template.body, types, binds)
    assert nobody == []
    assert gamma == again
    assert gamma[0]["name"] == "Gamma Inn"
    assert alpha[0]["name"] == "Adler"
    assert ask_batch(on_town.connection, template.body, types, []) == []


# --- plans ------------------------------------------------------------------------------------------------


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("Plans", []):
        yield from nodes(child)


def explain(connection: Connection, statement: str, binds: dict[str, Any]) -> list[dict[str, Any]]:
    (found,) = connection.exec_driver_sql(f"explain (format json) {statement}", binds).scalars()
    return list(nodes(found[0]["Plan"]))


def indexes(plan: list[dict[str, Any]]) -> set[str]:
    return {node["Index Name"] for node in plan if "Index Name" in node}


def scanned(plan: list[dict[str, Any]]) -> set[str]:
    return {node["Relation Name"] for node in plan if node["Node Type"] == "Seq Scan"}


def both_plans(asker: Asker, name: str, body: str) -> list[list[dict[str, Any]]]:
    types = types_used(template_of(name).header, body)
    binds = picked(asker, name, 3)
    arrays = {bind: [one[bind] for one in binds] for bind in types}
    single = {bind: binds[0][bind] for bind in types}
    return [
        explain(asker.connection, as_single(body, types), single),
        explain(asker.connection, as_batch(body, types), arrays),
    ]


@pytest.mark.parametrize("name", TEMPLATES)
def test_plans_use_an_index(on_liechtenstein: Asker, name: str) -> None:
    """As the planner is, with sequential scans allowed: none of the layers that a question looks through is read whole.

    The layers of one small country fill few pages, and a region's or a subject's own row may rightly be
    found by reading a layer of 14 rows; so what is asked of plans here is an index on the large layers.
    """
    for body in asked_of_tuples(name):
        for plan in both_plans(on_liechtenstein, name, body):
            assert indexes(plan), [node["Node Type"] for node in plan]
            assert not scanned(plan) & {"poi", "aoi", "road", "water"}, indexes(plan)


SPATIAL = {
    **dict.fromkeys(("T1", "T21", "T23", "T25"), "poi_geog"),
    **dict.fromkeys(("T5", "T7", "T8", "T9", "T10"), "poi_class_geog"),
    **dict.fromkeys(("T17", "T19", "T20", "T22", "T26"), "poi_class_geog"),
    **dict.fromkeys(("T2", "T6", "T14", "T18"), "poi_class_geog"),
    **dict.fromkeys(("T3", "T4", "T13", "T15", "T16"), "poi_geog"),
    "T24": "poi_geom",
    **dict.fromkeys(("T11", "T27"), "park_geom"),
    **dict.fromkeys(("T12", "T28"), "road_geom"),
    "Find_Nearest_POI": "poi_geog",
    "Find_Cover_AOI": "aoi_geom",
    "Find_Cover_AOI_All": "aoi_geom",
    "Retrieve_POI_Name": "poi_geog",
    "Retrieve_AOI_Name": "aoi_geog",
    **dict.fromkeys(("Retrieve_POI_Address", "Classify_POI", "Find_Instances_By_Type"), "poi_pkey"),
    **dict.fromkeys(("Retrieve_AOI_Address", "Landuse_AOI"), "aoi_pkey"),
    "Query_Length": "road_name",
    **dict.fromkeys(("Calculate_Distance_Context", "Infer_POI_From_Scene"), "poi_geog"),
    **dict.fromkeys(("Compare_POI_Count", "Compare_Type_Diversity"), "poi_geom"),
    **dict.fromkeys(("Find_Junctions", "Identify_Connections"), "road_node_way_ids"),
}


NEAREST = {"T5", "T6", "T7", "T8", "T9", "T10", "T17", "T18", "T19", "T20", "T22", "T26", "Find_Nearest_POI"}


@contextmanager
def priced_out(connection: Connection, sorts: bool) -> Iterator[None]:
    """Sequential scans, and sorts where asked, at a price that no plan pays while an index can serve.

    A planner may rightly read or sort a thousand rows of a small map. What must hold on a map of any size is that
    the index can serve the condition: a circle or a box at all, and the nearest without sorting everything.
    """
    with connection.begin_nested() as savepoint:
        connection.exec_driver_sql(
            f"set local enable_seqscan = off; set local enable_sort = {'off' if sorts else 'on'}"
        )
        yield
        savepoint.rollback()


@pytest.mark.parametrize("name", sorted(SPATIAL))
def test_an_index_can_serve_the_spatial_condition(on_liechtenstein: Asker, name: str) -> None:
    with priced_out(on_liechtenstein.connection, sorts=name in NEAREST):
        plans = both_plans(on_liechtenstein, name, template_of(name).body)
    for plan in plans:
        assert SPATIAL[name] in indexes(plan), indexes(plan)


@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("Find_Nearest_POI", "poi_geog"),
        ("Find_Junctions", "road_geog"),
        ("Infer_POI_From_Scene", "poi_geog"),
        ("Find_Cover_AOI", "aoi_geog"),
        ("Retrieve_POI_Address", "poi_geog"),
    ],
)
def test_an_index_can_serve_the_pool(on_liechtenstein: Asker, name: str, index: str) -> None:
    pool = template_of(name).pool
    assert pool
    with priced_out(on_liechtenstein.connection, sorts=name == "Find_Cover_AOI"):
        plans = both_plans(on_liechtenstein, name, pool)
    for plan in plans:
        assert index in indexes(plan), indexes(plan)
