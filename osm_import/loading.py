"""Import stage: rows into the tables of a fresh schema by COPY. Reads features, rejects and junctions; counts them.

Invariant: for every layer found = kept + rejected, and `kept` is what was sent to its table.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

import psycopg

from app.core.identity import canonical_json
from osm_import import queries
from osm_import.features import Feature, Junction, Reject, ewkb_hex
from osm_import.progress import Progress
from osm_import.tagging import LAYERS

BATCH = 5000
COMMON = (
    "osm_type", "osm_id", "osm_version", "name", "name_en", "class", "tags", "content_hash", "geom", "repaired"
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
}
TABLES: dict[str, tuple[str, ...]] = {layer: (*COMMON, *OWN[layer]) for layer in LAYERS} | {
    "road_node": ("node_id", "way_ids", "geom"),
    "reject": ("osm_type", "osm_id", "layer", "name", "reason", "detail", "place"),
}


@dataclass(slots=True)
class LayerCount:
    """What became of the objects whose tags belong to a layer; `repaired` are among the kept."""

    found: int = 0
    kept: int = 0
    repaired: int = 0
    rejected: int = 0


class Loader:
    """Sends rows to the tables of the current search_path, a batch of one table at a time."""

    def __init__(self, connection: psycopg.Connection[Any], progress: Progress) -> None:
        self._connection = connection
        self._progress = progress
        self._rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        self.counts: dict[str, LayerCount] = {layer: LayerCount() for layer in (*LAYERS, "road_node")}

    def load(self, rows: Iterable[Feature | Reject]) -> None:
        """Send every row; `counts` grows."""
        self._progress.start("reading", None)
        for row in rows:
            count = self.counts[row.layer]
            count.found += 1
            if isinstance(row, Feature):
                count.kept += 1
                count.repaired += row.repaired
                self._add(row.layer, _feature_row(row))
            else:
                count.rejected += 1
                self._add("reject", _reject_row(row))
            self._progress.advance(1)
        self._flush_all()

    def load_junctions(self, junctions: Iterable[Junction]) -> None:
        """Send the nodes that roads share."""
        count = self.counts["road_node"]
        for junction in junctions:
            count.found += 1
            count.kept += 1
            self._add("road_node", (junction.node_id, junction.way_ids, ewkb_hex(junction.wkb)))
        self._flush_all()

    def as_json(self) -> dict[str, dict[str, int]]:
        """The counts by layer, in the order of the layers."""
        return {layer: asdict(count) for layer, count in self.counts.items()}

    def _add(self, table: str, row: tuple[Any, ...]) -> None:
        rows = self._rows[table]
        rows.append(row)
        if len(rows) >= BATCH:
            self._flush(table)

    def _flush_all(self) -> None:
        for table in list(self._rows):
            self._flush(table)

    def _flush(self, table: str) -> None:
        rows = self._rows.pop(table)
        with (
            self._connection.cursor() as cursor,
            cursor.copy(queries.copy_into(table, TABLES[table])) as copy,
        ):
            for row in rows:
                copy.write_row(row)


def _feature_row(feature: Feature) -> tuple[Any, ...]:
    return (
        feature.osm_type,
        feature.osm_id,
        feature.version,
        feature.name,
        feature.tags.get("name:en") or None,
        feature.klass,
        canonical_json(feature.tags),
        feature.hash(),
        ewkb_hex(feature.wkb),
        feature.repaired,
        *(feature.columns[column] for column in OWN[feature.layer]),
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
