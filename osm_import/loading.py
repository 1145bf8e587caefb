"""Import stage: rows into the tables of a fresh schema. Reads features, rejects and junctions; counts them.

Each table has a connection and a transaction of its own, which makes it, fills it by one COPY and indexes it.
Invariant: for every layer found = kept + rejected, and `kept` is what was sent to its table.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import psycopg

from app.core.identity import content_hash_of, content_text
from app.core.scripts import script
from osm_import import place_names, queries
from osm_import.copy_cells import write_cells, write_line, write_plain_cells
from osm_import.features import Description, Feature, Junction, PlaceArea, Reject
from osm_import.network_rows import NetworkRows
from osm_import.progress import Progress
from osm_import.tag_tables import NETWORK_LAYERS
from osm_import.turn_restrictions import TurnRestriction
from osm_import.wkb import ewkb_hex

COMMON = (
    "osm_type", "osm_id", "osm_version", "name", "name_en", "official_name", "alt_names", "script", "class", "tags",
    "content_hash", "geom", "repaired",
)  # fmt: skip
ADDRESS = ("housenumber", "street", "suburb", "city", "postcode", "state", "country")
WIKI = ("wikidata", "wikipedia")
OWN: dict[str, tuple[str, ...]] = {
    "poi": ("is_area", "category", "classes", *WIKI, *ADDRESS),
    "park": WIKI,
    "water": WIKI,
    "road": ("ref", "oneway", "maxspeed", "surface", "lanes", "bridge", "tunnel", "drivable"),
    "region": ("admin_level", "border_type", "place", "population", *WIKI),
    "aoi": ("area_m2",),
    "address": ADDRESS,
    "other_place": (),
}
MEASURED = ("area_m2",)
"""Own columns that tags do not tell."""
ROAD_EDGE = (
    "way_id", "position", "from_node", "to_node", "length_m", "geom", "car_part", "bicycle_part", "foot_part",
    "name", "ref", "class", "surface", "roundabout",
    "car_forward_kmh", "car_backward_kmh", "car_destination",
    "bicycle_forward_kmh", "bicycle_backward_kmh", "bicycle_destination",
    "foot_forward_kmh", "foot_backward_kmh", "foot_destination",
)  # fmt: skip
COLUMNS: dict[str, tuple[str, ...]] = {layer: (*COMMON, *own) for layer, own in OWN.items()} | {
    "poi_area": ("osm_key", "content_hash", "geom", "repaired"),
    "road_node": ("node_id", "way_ids", "geom"),
    "road_edge": ROAD_EDGE,
    "turn_restriction": (
        "relation_id", "class", "from_ways", "via_node", "via_ways", "to_ways", "geom", "car", "bicycle", "foot"
    ),
    "road_barrier": ("node_id", "class", "geom", "car", "bicycle", "foot"),
    "reject": ("osm_type", "osm_id", "layer", "name", "reason", "detail", "place"),
}  # fmt: skip
ROWS_AT_ONCE = 500
INDEXED_AT_ONCE = 2
"""Tables that are indexed side by side: areas first, since their edges are looked at meanwhile, then the largest."""
AREAS_FIRST = (
    "region",
    "park",
    "water",
    "aoi",
    "address",
    "road",
    "poi",
    "poi_area",
    "other_place",
    "road_edge",
    "road_node",
    "turn_restriction",
    "road_barrier",
    "reject",
)

Connect = Callable[[], psycopg.Connection[Any]]


@dataclass(slots=True)
class LayerCount:
    """What became of the objects whose tags belong to a layer; `repaired` are among the kept."""

    found: int = 0
    kept: int = 0
    repaired: int = 0
    rejected: int = 0


class _Aborted(Exception):
    """Told to a COPY that is not to be finished."""


class Table:
    """One table of the snapshot while it is filled."""

    def __init__(self, name: str, schema: str, connection: psycopg.Connection[Any]) -> None:
        self.name = name
        self.connection = connection
        connection.execute(queries.NOTICE_DEAD_CLIENTS)
        connection.execute(queries.search_schemas(schema))
        connection.execute(queries.section(name))
        self._rows: list[str] = []
        self._copying = connection.cursor().copy(queries.copy_into(name, COLUMNS[name]))
        self._copy = self._copying.__enter__()
        self._is_copying = True

    def add(self, row: str) -> None:
        """One row as COPY reads it, with its line's end."""
        self._rows.append(row)
        if len(self._rows) >= ROWS_AT_ONCE:
            self._flush()

    def finish(self) -> None:
        """End the COPY, index the table, commit."""
        self._flush()
        self._is_copying = False
        self._copying.__exit__(None, None, None)
        self.connection.execute(queries.section(f"{self.name}_indexes"))
        self.connection.commit()
        self.connection.close()

    def abort(self) -> None:
        """End whatever it is doing, and leave nothing of it."""
        with suppress(psycopg.Error, _Aborted):
            if self._is_copying:
                self._copying.__exit__(_Aborted, _Aborted(), None)
            else:
                self.connection.cancel_safe(timeout=5)
        self.connection.close()

    def _flush(self) -> None:
        self._copy.write("".join(self._rows))
        self._rows.clear()


class _Opening(dict[str, Table]):
    """Tables by name, each of which is being made in the background until it is first asked for."""

    def __init__(self, pool: Executor, open_table: Callable[[str], Table]) -> None:
        super().__init__()
        # Nodes are read first; areas come last.
        self._made = {name: pool.submit(open_table, name) for name in reversed(AREAS_FIRST)}

    def __missing__(self, name: str) -> Table:
        self[name] = table = self._made[name].result()
        return table

    def made(self) -> Iterator[Table]:
        """Those that could be made, once all are tried."""
        for name in self._made:
            with suppress(Exception):  # whoever asked for that table was told
                yield self[name]


class Loader:
    """Fills the tables of a schema for some layers, and the table of rejects."""

    def __init__(self, connect: Connect, schema: str, layers: Sequence[str], progress: Progress) -> None:
        self._progress = progress
        self._filling = set(AREAS_FIRST)
        self._indexing: dict[str, Future[None]] = {}
        self._waited: set[str] = set()
        self._pool = ThreadPoolExecutor(INDEXED_AT_ONCE)
        self.counts: dict[str, LayerCount] = {layer: LayerCount() for layer in layers}
        self.tag_keys: set[str] = set()
        """Every key of a tag in the rows that were sent."""
        self._tables = _Opening(self._pool, lambda name: Table(name, schema, connect()))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self.abort()
        self._pool.shutdown(wait=True)

    def load(self, rows: Iterable[Feature | PlaceArea | Reject]) -> None:
        """Send every row; `counts` grows."""
        for row in rows:
            if isinstance(row, Feature):
                described = row.description
                count = self.counts[described.layer]
                count.kept += 1
                count.repaired += row.repaired
                if described.cells is None:
                    self.tag_keys.update(described.tags)
                self._tables[described.layer].add(feature_row(row))
            elif isinstance(row, PlaceArea):
                count = self.counts["poi_area"]
                count.kept += 1
                count.repaired += row.repaired
                self._tables["poi_area"].add(write_line(_place_area_row(row)))
            else:
                count = self.counts[row.layer]
                count.rejected += 1
                self._tables["reject"].add(write_line(_reject_row(row)))
            count.found += 1

    def load_junctions(self, junctions: Iterable[Junction]) -> None:
        """Send the nodes that roads share."""
        for junction in junctions:
            count = self.counts["road_node"]
            count.found += 1
            count.kept += 1
            self._tables["road_node"].add(
                write_line((junction.node_id, junction.way_ids, ewkb_hex(junction.wkb)))
            )

    def load_network(self, network: NetworkRows) -> None:
        """Send edges, barriers and turn restrictions of the road network."""
        for line in network.edge_lines():
            self._tables["road_edge"].add(line)
            self.counts["road_edge"].kept += 1
        for one in network.barriers():
            row = (one.node_id, one.barrier.kind, ewkb_hex(one.wkb), *one.barrier.passable)
            self._tables["road_barrier"].add(write_line(row))
            self.counts["road_barrier"].kept += 1
        for restriction in network.restrictions:
            if isinstance(restriction, Reject):
                self._tables["reject"].add(write_line(_reject_row(restriction)))
                self.counts["turn_restriction"].rejected += 1
            else:
                self._tables["turn_restriction"].add(write_line(_restriction_row(restriction)))
                self.counts["turn_restriction"].kept += 1
        for layer in NETWORK_LAYERS:
            count = self.counts[layer]
            count.found = count.kept + count.rejected

    def finish(self, *names: str) -> None:
        """No more rows come for these tables, or for any: they are indexed in the background."""
        for name in [name for name in AREAS_FIRST if name in self._filling and (not names or name in names)]:
            self._filling.remove(name)
            self._indexing[name] = self._pool.submit(self._tables[name].finish)

    def wait(self, *names: str) -> None:
        """Until these tables, or all, are indexed. Raises what went wrong on the way."""
        if not self._waited:
            self._progress.start("indexing", len(self._indexing))
        for name, one in self._indexing.items():
            if name not in self._waited and (not names or name in names):
                one.result()
                self._waited.add(name)
                self._progress.advance(1)

    def abort(self) -> None:
        """Leave nothing of the tables that are not finished."""
        for table in self._tables.made():
            table.abort()


def feature_row(feature: Feature) -> str:
    """A feature as a line of COPY."""
    described = feature.description
    cells = described.cells
    if cells is None:
        cells = described.cells = _description_cells(described)
    before, content, own = cells
    kind, osm_id, wkb = feature.osm_type, feature.osm_id, feature.wkb
    key_hash = content_hash_of(f"{kind}{osm_id}", content, wkb)
    repaired = "t" if feature.repaired else "f"
    if feature.area_m2 is not None:
        own = f"\t{feature.area_m2!r}"
    return f"{kind}\t{osm_id}\t{feature.version}\t{before}\t{key_hash}\t{ewkb_hex(wkb)}\t{repaired}{own}\n"


def _description_cells(described: Description) -> tuple[str, str, str]:
    """The columns from `name` to `tags`, what is hashed with the geometry, and the layer's own columns."""
    tags, name = described.tags, described.name
    before = (
        name,
        tags.get("name:en") or None,
        place_names.official_name(tags),
        place_names.alt_names(tags) or None,
        script(name),
        described.klass,
        described.tags_json,
    )
    own = [described.columns[column] for column in OWN[described.layer] if column not in MEASURED]
    content = content_text(name, described.klass, described.tags_json)
    # Canonical JSON holds a backslash wherever a text of the tags has something that COPY wants escaped.
    write = write_cells if "\\" in described.tags_json else write_plain_cells
    return write(before), content, "\t" + write(own) if own else ""


def _place_area_row(area: PlaceArea) -> tuple[Any, ...]:
    key_hash = content_hash_of(area.osm_key, content_text(None, "poi_area", "{}"), area.wkb)
    return area.osm_key, key_hash, ewkb_hex(area.wkb), area.repaired


def _restriction_row(one: TurnRestriction) -> tuple[Any, ...]:
    ways = [list(members) for members in (one.from_ways, one.via_ways, one.to_ways)]
    return (
        one.relation_id,
        one.rule.kind,
        ways[0],
        one.via_node,
        ways[1],
        ways[2],
        ewkb_hex(one.wkb),
        *one.rule.applies,
    )


def _reject_row(reject: Reject) -> tuple[Any, ...]:
    place = ewkb_hex(reject.place) if reject.place else None
    return (
        reject.osm_type,
        reject.osm_id,
        reject.layer,
        reject.name,
        reject.reason.value,
        reject.detail,
        place,
    )
