"""Import stage: outline, reference views, checks, grants, and the one switch. Reads and writes one snapshot.

Everything happens in one transaction, after the tables are filled and indexed: a reader sees a whole snapshot or none.
"""

import tomllib
from collections.abc import Callable, Collection
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import psycopg
import pyproj
import shapely
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from app.core.clock import Clock
from app.core.errors import ImportFailed
from app.core.log import get_logger
from app.core.permuted import FIRST_VERSION
from app.core.planted import PLANTED_IDS
from app.db.naming import reference_schema
from osm_import import queries
from osm_import.completing import complete, find_incomplete
from osm_import.covering import cut_to_objects
from osm_import.extracts import Extract
from osm_import.features import to_wkb
from osm_import.gating import gate
from osm_import.loading import LayerCount
from osm_import.outlines import COUNTRY_LEVELS, AdminArea, Outline, OutlineSource, choose_outline
from osm_import.progress import Progress
from osm_import.travel_table import travel_table
from osm_import.wkb import ewkb_hex

log = get_logger(__name__)


class Loaded(NamedTuple):
    """A snapshot whose rows are in its tables, not yet published."""

    snapshot_id: int
    schema: str
    source: str
    """What the rows came from, as errors call it: a file, or a map's name."""
    counts: dict[str, LayerCount]
    tag_keys: Collection[str]
    """Every key of a tag in the layers."""


class Check(NamedTuple):
    """One question that a snapshot must answer well before anybody reads it."""

    name: str
    hint: str
    find_fault: Callable[[psycopg.Connection[Any], Loaded], str]


CHECKS: list[Check] = []


def check(hint: str) -> Callable[[Callable[..., str]], Callable[..., str]]:
    """Register a check: a function that returns what is wrong, or nothing; `hint` says what to do then."""

    def register(function: Callable[..., str]) -> Callable[..., str]:
        CHECKS.append(Check(function.__name__, hint, function))
        return function

    return register


class Facts(NamedTuple):
    """What facts.toml hides from the reference views."""

    keys: tuple[str, ...]
    columns: tuple[str, ...]

    def hides(self, key: str) -> bool:
        """Whether a tag's key is a fact, or one with a suffix."""
        return any(key == fact or key.startswith(fact + ":") for fact in self.keys)


@cache
def read_facts() -> Facts:
    """facts.toml."""
    data = tomllib.loads(Path(__file__).with_name("facts.toml").read_text(encoding="utf-8"))
    return Facts(tuple(data["keys"]), tuple(data["columns"]))


def publish(
    connection: psycopg.Connection[Any], loaded: Loaded, outline: Outline, clock: Clock, progress: Progress
) -> None:
    """Complete, view, check and switch one snapshot; the caller commits, and with that it is published.

    Raises ImportFailed where a check finds a fault, ImportHeld where the map is too unlike the one before it.
    """
    reference = reference_schema(loaded.snapshot_id)
    connection.execute(queries.search_schemas(loaded.schema))
    connection.execute(queries.section("tables"))
    progress.start("completing", None)
    complete(connection, loaded.counts)
    facts = sorted(key for key in loaded.tag_keys if read_facts().hides(key))
    connection.execute(queries.ADD_FACT_KEYS, {"keys": facts})
    connection.execute(queries.create_schema(reference))
    connection.execute(queries.search_schemas(reference, loaded.schema))
    connection.execute(queries.section("views"))
    progress.start("checking", len(CHECKS))
    for one in CHECKS:
        fault = one.find_fault(connection, loaded)
        if fault:
            raise ImportFailed(f"The import was not published: {fault} {one.hint}")
        progress.advance(1)
    record = _record(connection, loaded, outline, clock)
    gate(connection, record)
    for statement in queries.grant_layers(loaded.schema) + queries.grant_views(reference):
        connection.execute(statement)
    _switch(connection, record)


def find_outline(
    connection: psycopg.Connection[Any], extract: Extract, wait_for_places: Callable[[], None]
) -> Outline:
    """The outline of the snapshot in the current search_path, whose regions are there.

    `wait_for_places` is called before rows of other layers are read. Of a box only what they cover is the outline.
    """
    areas = [
        AdminArea(key, level, shapely.from_wkb(bytes(wkb)))
        for key, level, wkb in connection.execute(queries.ADMIN_AREAS, {"levels": list(COUNTRY_LEVELS)})
    ]

    def read_places() -> np.ndarray:
        wait_for_places()
        return np.array(connection.execute(queries.PLACES).fetchall(), dtype=float).reshape(-1, 2)

    outline = choose_outline(extract.poly, areas, read_places, extract.box)
    if outline.source is OutlineSource.BOX:
        wait_for_places()
        outline = cut_to_objects(connection, outline)
    log.info("outline", source=outline.source.value, detail=outline.detail)
    return outline


def engine_versions(connection: psycopg.Connection[Any]) -> dict[str, str]:
    """Versions of everything that had a hand in the rows."""
    with connection.cursor(row_factory=dict_row) as cursor:
        server = cursor.execute(queries.ENGINE_VERSIONS).fetchone() or {}
    ours = {
        "osmium": version("osmium"),
        "shapely": shapely.__version__,
        "shapely_geos": shapely.geos_version_string,
        "pyproj": pyproj.__version__,
        "pyproj_proj": pyproj.proj_version_str,
        "travel_table": str(travel_table().version),
    }
    return {**{key: str(value) for key, value in server.items()}, **ours}


def _record(
    connection: psycopg.Connection[Any], loaded: Loaded, outline: Outline, clock: Clock
) -> dict[str, Any]:
    """What the snapshot's row says once it is published, or held."""
    layers = {
        layer: {"found": c.found, "kept": c.kept, "repaired": c.repaired, "rejected": c.rejected}
        for layer, c in loaded.counts.items()
    }
    return {
        "id": loaded.snapshot_id,
        "outline": ewkb_hex(to_wkb(outline.geometry)) if outline.geometry is not None else None,
        "outline_source": outline.source.value,
        "layers": Jsonb(layers),
        "engine_versions": Jsonb(engine_versions(connection)),
        "planted": Jsonb(dict(connection.execute(queries.PLANTED, PLANTED_IDS).fetchall())),
        "permuted": connection.execute(queries.PERMUTED, {"first": FIRST_VERSION}).fetchone() == (True,),
        "now": clock.now(),
    }


def _switch(connection: psycopg.Connection[Any], record: dict[str, Any]) -> None:
    done = connection.execute(queries.PUBLISH, record)
    if done.rowcount != 1:
        raise ImportFailed(f"Snapshot {record['id']} was removed while it was imported. Import it again.")


@check("Run the import again; if it stays, the database lost rows: run `trigpoint doctor`.")
def rows_as_sent(connection: psycopg.Connection[Any], loaded: Loaded) -> str:
    """The tables hold what was sent, and every object found is kept or rejected."""
    faults = []
    there = {layer: (kept, repaired) for layer, kept, repaired in connection.execute(queries.COUNT_ROWS)}
    rejects = dict(connection.execute(queries.COUNT_REJECTS).fetchall())
    for layer, count in loaded.counts.items():
        sent = (count.kept, count.repaired, count.rejected)
        got = (*there[layer], rejects.get(layer, 0))
        if sent != got or count.found != count.kept + count.rejected:
            faults.append(
                f"{layer}: found {count.found}; kept, repaired, rejected {sent} were sent, {got} are there"
            )
    return "; ".join(faults) + "." if faults else ""


@check("Check that it is the extract you meant.")
def something_there(connection: psycopg.Connection[Any], loaded: Loaded) -> str:
    """A map without any place, road or address answers no question."""
    kept = sum(loaded.counts[layer].kept for layer in ("poi", "road", "address") if layer in loaded.counts)
    return "" if kept else f"{loaded.source} holds no place, road or address."


@check(
    "Make the extract with complete ways (osmium extract --strategy complete_ways), or sort it (osmium sort)."
)
def roads_whole(connection: psycopg.Connection[Any], loaded: Loaded) -> str:
    """Where most roads lack nodes, ways came before nodes or the file was cut carelessly."""
    road = loaded.counts.get("road", LayerCount())
    if road.found < MANY_ROADS or road.rejected + road.repaired <= road.found / 2:
        return ""
    return f"{road.rejected + road.repaired} of {road.found} roads lack nodes in {loaded.source}."


MANY_ROADS = 20


@check("This is a fault of Trigpoint's completion; report the place.")
def places_completed(connection: psycopg.Connection[Any], loaded: Loaded) -> str:
    """Every place has the one address that it should have."""
    return find_incomplete(connection) if "address" in loaded.counts else ""


@check("This is a fault of Trigpoint's geometry repair; report the object.")
def geometries_valid(connection: psycopg.Connection[Any], loaded: Loaded) -> str:
    """Every geometry is valid by PostGIS, not empty, and on earth; the SRID is held by the column's type."""
    bad = [f"{layer} {key}" for layer, key in connection.execute(queries.BAD_GEOMETRIES)]
    return f"invalid geometry in {', '.join(bad)}." if bad else ""


@check("Make osm_import/schema.sql and facts.toml agree.")
def facts_hidden(connection: psycopg.Connection[Any], loaded: Loaded) -> str:
    """The reference views show no fact, as a column or in their jsonb."""
    schema = reference_schema(loaded.snapshot_id)
    binds = {"schema": schema, "columns": [*read_facts().columns, *read_facts().keys]}
    columns = [row[0] for row in connection.execute(queries.VIEW_COLUMNS, binds)]
    tags = [f"{view}.tags.{key}" for view, key in connection.execute(queries.VIEW_FACTS)]
    shown = ", ".join([*columns, *tags])
    return f"the reference views show facts: {shown}." if shown else ""
