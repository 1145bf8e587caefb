"""Import stage: the statements of cutting.py. The snapshot that is made is first in search_path; values by binds."""

from collections.abc import Mapping

from app.db.naming import quoted
from osm_import.loading import COLUMNS
from osm_import.travel_table import MODES

FIND_PARENTS = """
select
    id, name, schema_name, source, checksum, data_timestamp, replication_sequence, layers,
    outline is not null as bounded
from trigpoint.snapshot
where state = 'published' and layer_schema_version = %(layer_schema_version)s
order by data_timestamp desc nulls last, id desc
"""

PIN = "select pg_advisory_lock_shared(trigpoint.snapshot_lock(%(id)s))"
"""Held by the session: whoever drops a snapshot needs the same lock for itself alone."""
STILL_PUBLISHED = "select state = 'published' from trigpoint.snapshot where id = %(id)s"

FIND_CITY = """
select name, data_timestamp
from trigpoint.snapshot
where
    state = 'published'
    and layer_schema_version = %(layer_schema_version)s
    and boundary is not distinct from %(boundary)s::text
    and (boundary is not null or name = %(name)s)
order by data_timestamp desc nulls last, id desc
limit 1
"""


def read_region(parent: str) -> str:
    """The region of that key, and how much of it lies beyond its map's outline, as a share of its area in degrees."""
    return f"""
select
    region.name,
    region.name_en,
    region.repaired,
    cut.beyond,
    ST_AsBinary(
        case
            when cut.beyond = 0 then region.geom
            else ST_Multi(ST_CollectionExtract(ST_Intersection(region.geom, snapshot.outline), 3))
        end
    ) as outline
from {quoted(parent)}.region as region
inner join trigpoint.snapshot on snapshot.id = %(id)s
cross join lateral (
    select
        case
            when region.at_edge
                then ST_Area(ST_Difference(region.geom, snapshot.outline)) / ST_Area(region.geom)
            else 0
        end as beyond
) as cut
where region.osm_key = %(boundary)s
"""


def read_reject(parent: str) -> str:
    """Why the import did not keep a region."""
    return f"""
select name, reason, detail
from {quoted(parent)}.reject
where layer = 'region' and osm_key = %(boundary)s
"""


def largest_regions(parent: str) -> str:
    """The largest whole administrative areas of a map, to name them."""
    return f"""
select osm_key, name
from {quoted(parent)}.region
where admin_level is not null and name is not null and not repaired and not at_edge
order by ST_Area(geom) desc, osm_key
limit 8
"""


def holders(schemas: Mapping[int, str]) -> str:
    """Which of these maps, schemas by id, hold a whole region of that key."""
    parts = [
        f"select {snapshot_id} as id from {quoted(schema)}.region "
        "where osm_key = %(boundary)s and not repaired and not at_edge"
        for snapshot_id, schema in schemas.items()
    ]
    return " union all ".join(parts)


COVERED = "ST_Covers(%(outline)s::geometry, one.geom)"
"""Points on the edge lie inside."""
MET = "ST_Intersects(%(outline)s::geometry, one.geom)"
"""A road that only touches the edge is kept: it may end at a node of a road inside."""
SHARING = f"""
{MET}
and (
    ST_Dimension(one.geom) < 2
    or {COVERED}
    or ST_Area(ST_Intersection(one.geom, %(outline)s::geometry)) > %(slack)s
)
"""
"""Areas that only touch the edge from beyond are none of the map's."""
WAYS_THERE = """
not exists (
    select
    from unnest(one.from_ways || one.via_ways || one.to_ways) as member (way_id)
    where member.way_id not in (select road_edge.way_id from road_edge)
)
"""
"""A turn restriction of which each way has an edge in the cut."""
ENDS_THERE = """
one.node_id in (
    select road_edge.from_node from road_edge
    union
    select road_edge.to_node from road_edge
)
"""
"""A barrier at an end of an edge of the cut: edges are split at each."""


def copy_rows(table: str, parent: str) -> str:
    """Rows of one table of the parent into the table of the same name, those that belong to the cut."""
    names = ", ".join(COLUMNS[table])
    of_parent = quoted(parent)
    condition, key = {
        "poi": (COVERED, "one.osm_key"),
        "poi_area": ("one.osm_key in (select poi.osm_key from poi)", "one.osm_key"),
        "address": (f"({COVERED} or {_nearest_to_kept(of_parent)})", "one.osm_key"),
        "other_place": (COVERED, "one.osm_key"),
        "road": (MET, "one.osm_key"),
        "turn_restriction": (WAYS_THERE, "one.relation_id, one.class"),
        "road_barrier": (ENDS_THERE, "one.node_id"),
        "reject": ("ST_Intersects(%(outline)s::geometry, one.place)", "one.layer, one.osm_key"),
    }.get(table, (SHARING, "one.osm_key"))
    return (
        f"insert into {table} ({names}) "
        f"select {names} from {of_parent}.{table} as one where {condition} order by {key}"
    )


def _nearest_to_kept(of_parent: str) -> str:
    """Addresses beyond the edge that are the nearest of a place inside: each place keeps the address that it has."""
    return f"""
one.osm_key in (
    select near.address_key
    from {of_parent}.poi_address as near
    inner join poi on near.osm_key = poi.osm_key
)
"""


def copy_road_nodes(parent: str) -> str:
    """Nodes that two or more of the roads that were kept share, with the ids of those."""
    return f"""
insert into road_node (node_id, way_ids, geom)
select node.node_id, array_agg(met.osm_id order by met.place), node.geom
from {quoted(parent)}.road_node as node
cross join unnest(node.way_ids) with ordinality as met (osm_id, place)
inner join road on met.osm_id = road.osm_id
where node.geom && (select ST_Extent(road.geom)::geometry from road)
group by node.node_id
having count(*) > 1
order by node.node_id
"""


def read_edges(parent: str) -> str:
    """The edges that meet the outline: way, position, ends, and whether each mode goes forwards and backwards."""
    passable = ", ".join(
        f"({mode}_{side}_kmh is not null)::int" for mode in MODES for side in ("forward", "backward")
    )
    return (
        f"select way_id, position, from_node, to_node, {passable} "
        f"from {quoted(parent)}.road_edge as one where {MET} order by way_id, position"
    )


def read_blocked(mode: str, parent: str) -> str:
    """The nodes that a mode does not get past."""
    return f"select node_id from {quoted(parent)}.road_barrier where not {mode} order by node_id"


MAKE_EDGE_PARTS = """
create temporary table edge_part (
    way_id bigint,
    position int,
    car_part int,
    bicycle_part int,
    foot_part int
) on commit drop
"""
COPY_EDGE_PARTS = "copy edge_part (way_id, position, car_part, bicycle_part, foot_part) from stdin"


def copy_edges(parent: str) -> str:
    """The edges of which edge_part tells the parts."""
    kept = [column for column in COLUMNS["road_edge"] if not column.endswith("_part")]
    parts = [f"{mode}_part" for mode in MODES]
    return (
        f"insert into road_edge ({', '.join((*kept, *parts))}) "
        f"select {', '.join(f'one.{column}' for column in kept)}, {', '.join(f'edge_part.{part}' for part in parts)} "
        f"from {quoted(parent)}.road_edge as one inner join edge_part using (way_id, position) "
        "order by one.way_id, one.position"
    )


TAG_KEYS = """
select distinct key
from (
    select tags from poi
    union all
    select tags from park
    union all
    select tags from water
    union all
    select tags from road
    union all
    select tags from region
    union all
    select tags from aoi
    union all
    select tags from address
    union all
    select tags from other_place
) as tagged
cross join lateral jsonb_object_keys(tagged.tags) as key
order by key
"""
