"""Import stage: statements that compare two snapshots. Values by binds; schema names quoted by app.db.naming."""

from app.db.naming import quoted
from osm_import.comparing_network import insert_changed_network, measure_network_layer
from osm_import.tag_tables import NETWORK_LAYERS

COMPARABLE = """
select
    id,
    name,
    schema_name,
    state,
    data_timestamp,
    layer_schema_version,
    layers,
    outline_source,
    outline::text as outline
from trigpoint.snapshot
where state in ('published', 'held')
order by state = 'published' desc, data_timestamp desc nulls last, id desc
"""
"""Those that are whole. A name means its newest published map, else its newest held one."""

PIN = "select pg_advisory_xact_lock_shared(trigpoint.snapshot_lock(%(id)s))"
"""Held by the transaction: whoever drops a snapshot needs the same lock for itself alone."""
STATE = "select state from trigpoint.snapshot where id = %(id)s"

BEGIN_COMPARISON = """
insert into trigpoint.snapshot_comparison (old_id, new_id, created_at)
values (%(old_id)s, %(new_id)s, %(now)s)
on conflict (old_id, new_id) do nothing
returning id
"""
"""Gives no row where the pair was compared; waits for whoever compares it just now."""

FIND_COMPARISON = """
select id, counts, figures
from trigpoint.snapshot_comparison
where old_id = %(old_id)s and new_id = %(new_id)s
"""

COUNT_CHANGES = """
select
    layer,
    coalesce(new_class, old_class) as class,
    count(*) as changed,
    count(*) filter (where 'added' = any(kinds)) as added,
    count(*) filter (where 'removed' = any(kinds)) as removed,
    count(*) filter (where 'moved' = any(kinds)) as moved,
    count(*) filter (where 'retagged' = any(kinds)) as retagged,
    count(*) filter (where 'reshaped' = any(kinds)) as reshaped
from trigpoint.snapshot_change
where comparison_id = %(id)s
group by layer, coalesce(new_class, old_class)
order by layer, class
"""

FINISH_COMPARISON = """
update trigpoint.snapshot_comparison
set
    counts = %(counts)s,
    figures = %(figures)s
where id = %(id)s
"""

DROP_COMPARISONS = """
delete from trigpoint.snapshot_comparison
where old_id = %(id)s or new_id = %(id)s
"""

DROP_OLD_COMPARISONS = """
delete from trigpoint.snapshot_comparison
where
    id in (
        select snapshot_comparison.id
        from trigpoint.snapshot_comparison
        inner join trigpoint.snapshot on snapshot_comparison.new_id = snapshot.id
        where snapshot.name = %(name)s
        order by snapshot_comparison.id desc
        offset %(keep)s
    )
"""

SHARED_GROUND = """
select
    ST_Area(maps.old::geography) / 1e6 as old_km2,
    ST_Area(maps.new::geography) / 1e6 as new_km2,
    ST_Area(ST_Intersection(maps.old, maps.new)::geography) / 1e6 as both_km2
from (select %(old)s::geometry as old, %(new)s::geometry as new) as maps
"""


def insert_changes(layer: str, old: str, new: str, grounds: bool) -> str:
    """One layer's objects that differ, found by hash joins over keys and hashes; `old` and `new` are schemas.

    A line or an area is moved where its centre is more than `moved_metres` away, a point where it is elsewhere at all.
    With `grounds`, which both maps must have, a place whose area is another is reshaped.
    """
    if layer == "road_node":
        return _insert_changed_nodes(old, new)
    if layer in NETWORK_LAYERS:
        return insert_changed_network(layer, old, new)
    of_ground = (
        _OF_GROUND.format(old=quoted(old), new=quoted(new)) if layer == "poi" and grounds else _NO_GROUND
    )
    before, after = f"{quoted(old)}.{quoted(layer)}", f"{quoted(new)}.{quoted(layer)}"
    classes = "{side}.classes" if layer == "poi" else "array[{side}.class]"
    return f"""
insert into trigpoint.snapshot_change (
    comparison_id, layer, osm_key, kinds, old_class, new_class, classes, names, area
)
with
changed as materialized (
    select osm_key
    from {before} as old
    full join {after} as new using (osm_key)
    where old.content_hash is distinct from new.content_hash or old.repaired is distinct from new.repaired
    union
    select osm_key from ({of_ground}) as ground
),

grounds as ({of_ground}),

sides as (
    select
        changed.osm_key,
        old.class as old_class,
        new.class as new_class,
        old.osm_key is null as added,
        new.osm_key is null as removed,
        {classes.format(side="old")} || {classes.format(side="new")} as classes,
        array[old.name, old.name_en, old.official_name, new.name, new.name_en, new.official_name]
        || old.alt_names || new.alt_names as names,
        (old.name, old.class, old.tags) is distinct from (new.name, new.class, new.tags) as retagged,
        ST_AsBinary(old.geom) <> ST_AsBinary(new.geom) as drawn_anew,
        old.repaired <> new.repaired as mended,
        ST_Dimension(new.geom) = 0 and ST_Dimension(old.geom) = 0
        or ST_Distance(ST_Centroid(old.geom)::geography, ST_Centroid(new.geom)::geography) > %(moved_metres)s as away,
        old.geom as old_geom,
        new.geom as new_geom,
        grounds.osm_key is not null as other_ground,
        grounds.geom as ground
    from changed
    left join {before} as old using (osm_key)
    left join {after} as new using (osm_key)
    left join grounds using (osm_key)
)

select
    %(comparison_id)s,
    '{layer}',
    osm_key,
    case
        when added then array['added']
        when removed then array['removed']
        else array_remove(array[
            case when drawn_anew and away then 'moved' end,
            case when retagged then 'retagged' end,
            case when mended or (drawn_anew and not away) or (other_ground and not drawn_anew) then 'reshaped' end
        ], null)
    end,
    old_class,
    new_class,
    {_DISTINCT.format(of="classes")},
    {_DISTINCT.format(of="names")},
    case
        when ground is not null then ST_Collect(array_remove(array[old_geom, new_geom, ground], null))
        when drawn_anew then ST_Union(old_geom, new_geom)
        else coalesce(new_geom, old_geom)
    end
from sides
"""


_NO_GROUND = "select null::text as osm_key, null::geometry as geom where false"
_OF_GROUND = """
select
    osm_key,
    ST_Collect(array_remove(array[old_ground.geom, new_ground.geom], null)) as geom
from {old}.poi_area as old_ground
full join {new}.poi_area as new_ground using (osm_key)
where (old_ground.content_hash, old_ground.repaired) is distinct from (new_ground.content_hash, new_ground.repaired)
"""
"""Places whose area differs, or that are an area on one map alone, with the ground of both maps."""


def _insert_changed_nodes(old: str, new: str) -> str:
    """Nodes of roads have no hash; they are reshaped where other roads meet there."""
    before, after = f"{quoted(old)}.road_node", f"{quoted(new)}.road_node"
    return f"""
insert into trigpoint.snapshot_change (
    comparison_id, layer, osm_key, kinds, old_class, new_class, classes, names, area
)
select
    %(comparison_id)s,
    'road_node',
    'n' || node_id::text,
    case
        when old.geom is null then array['added']
        when new.geom is null then array['removed']
        else array_remove(array[
            case when not ST_OrderingEquals(old.geom, new.geom) then 'moved' end,
            case when old.way_ids <> new.way_ids then 'reshaped' end
        ], null)
    end,
    case when old.geom is not null then 'junction' end,
    case when new.geom is not null then 'junction' end,
    array['junction'],
    array[]::text[],
    case
        when ST_OrderingEquals(old.geom, new.geom) is false then ST_Union(old.geom, new.geom)
        else coalesce(new.geom, old.geom)
    end
from {before} as old
full join {after} as new using (node_id)
where old.way_ids is distinct from new.way_ids or ST_OrderingEquals(old.geom, new.geom) is false
"""


def measure_layer(layer: str, schema: str) -> str:
    """One row: rows, square metres, metres, rows by class, named rows, and the name that most rows have."""
    if layer == "road_node":
        return f"""
select
    count(*) as rows,
    0.0::double precision as square_metres,
    0.0::double precision as metres,
    jsonb_build_object('junction', count(*)) as classes,
    0 as named,
    null as top_name,
    0 as top_named
from {quoted(schema)}.road_node
"""
    if layer in NETWORK_LAYERS:
        return measure_network_layer(layer, schema)
    rows = f"{quoted(schema)}.{quoted(layer)}"
    return f"""
with
classes as (
    select
        class,
        count(*) as n,
        count(name) as named,
        sum(ST_Area(geog)) as square_metres,
        sum(ST_Length(geog)) as metres
    from {rows}
    group by class
),

names as (
    select
        name,
        count(*) as n
    from {rows}
    where name is not null
    group by name
    order by n desc, name
    limit 1
)

select
    coalesce(sum(n), 0)::bigint as rows,
    coalesce(sum(square_metres), 0) as square_metres,
    coalesce(sum(metres), 0) as metres,
    coalesce(jsonb_object_agg(class, n), '{{}}') as classes,
    coalesce(sum(named), 0)::bigint as named,
    (select names.name from names) as top_name,
    coalesce((select names.n from names), 0) as top_named
from classes
"""


def extent(schema: str) -> str:
    """The box of all rows, as hexadecimal EWKB; null where there are none."""
    tables = " union all ".join(
        f"select ST_SetSRID(ST_Extent(geom)::geometry, 4326) as box from {quoted(schema)}.{table}"
        for table in ("poi", "address", "road", "road_node", "park", "aoi")
    )
    return f"select ST_Envelope(ST_Collect(box))::text from ({tables}) as boxes"


_DISTINCT = "array(select distinct one from unnest({of}) as one where one is not null order by one)"
