"""Import stage: statements that compare the road networks of two snapshots, and that measure one.

Values by binds; schema names quoted by app.db.naming. Which connected part an edge is in is not compared, since an edge
far away may change it. Names are not told again: the changes of layer road tell them.
"""

from app.db.naming import quoted

_DRAWN = ("from_node", "to_node", "length_m")
_TOLD = (
    "name", "ref", "class", "surface", "roundabout",
    "car_forward_kmh", "car_backward_kmh", "car_destination",
    "bicycle_forward_kmh", "bicycle_backward_kmh", "bicycle_destination",
    "foot_forward_kmh", "foot_backward_kmh", "foot_destination",
)  # fmt: skip
_BY_NODE = {"turn_restriction": "r", "road_barrier": "n"}
"""Layers of points with their letter in a key."""
_KEYS = {"turn_restriction": ("relation_id", "class"), "road_barrier": ("node_id",)}
_CONTENT = {
    "turn_restriction": ("from_ways", "via_node", "via_ways", "to_ways", "car", "bicycle", "foot"),
    "road_barrier": ("class", "car", "bicycle", "foot"),
}


def insert_changed_network(layer: str, old: str, new: str) -> str:
    """The objects of one layer of the network that differ; `old` and `new` are schemas. Edges are told by their way."""
    return (
        _insert_changed_edges(old, new) if layer == "road_edge" else _insert_changed_points(layer, old, new)
    )


def _insert_changed_edges(old: str, new: str) -> str:
    before, after = f"{quoted(old)}.road_edge", f"{quoted(new)}.road_edge"
    return f"""
insert into trigpoint.snapshot_change (
    comparison_id, layer, osm_key, kinds, old_class, new_class, classes, names, area
)
with
differing as (
    select
        way_id,
        old.position is null or new.position is null
        or {_differ(_DRAWN)} or not ST_OrderingEquals(old.geom, new.geom) as drawn_anew,
        old.position is not null and new.position is not null and {_differ(_TOLD)} as told_anew,
        ST_Collect(array_remove(array[old.geom, new.geom], null)) as area
    from {before} as old
    full join {after} as new using (way_id, position)
    where
        old.position is null
        or new.position is null
        or {_differ((*_DRAWN, *_TOLD))}
        or not ST_OrderingEquals(old.geom, new.geom)
),

ways as (
    select
        way_id,
        bool_or(drawn_anew) as drawn_anew,
        bool_or(told_anew) as told_anew,
        ST_Collect(area) as area,
        (select one.class from {before} as one where one.way_id = differing.way_id limit 1) as old_class,
        (select one.class from {after} as one where one.way_id = differing.way_id limit 1) as new_class
    from differing
    group by way_id
)

select
    %(comparison_id)s,
    'road_edge',
    'w' || way_id::text,
    case
        when old_class is null then array['added']
        when new_class is null then array['removed']
        else array_remove(array[
            case when told_anew then 'retagged' end,
            case when drawn_anew then 'reshaped' end
        ], null)
    end,
    old_class,
    new_class,
    array(select distinct one from unnest(array[old_class, new_class]) as one where one is not null order by one),
    array[]::text[],
    area
from ways
"""


def _insert_changed_points(layer: str, old: str, new: str) -> str:
    before, after = (f"{quoted(schema)}.{layer}" for schema in (old, new))
    keys = _KEYS[layer]
    return f"""
insert into trigpoint.snapshot_change (
    comparison_id, layer, osm_key, kinds, old_class, new_class, classes, names, area
)
with
differing as (
    select
        {keys[0]} as id,
        not ST_OrderingEquals(old.geom, new.geom) as away,
        {_differ(_CONTENT[layer])} as told_anew,
        case when old.geom is not null then {"class" if "class" in keys else "old.class"} end as old_class,
        case when new.geom is not null then {"class" if "class" in keys else "new.class"} end as new_class,
        ST_Collect(array_remove(array[old.geom, new.geom], null)) as area
    from {before} as old
    full join {after} as new using ({", ".join(keys)})
    where
        old.geom is null
        or new.geom is null
        or not ST_OrderingEquals(old.geom, new.geom)
        or {_differ(_CONTENT[layer])}
),

objects as (
    select
        id,
        bool_or(away) as away,
        bool_or(told_anew) as told_anew,
        min(old_class) as old_class,
        min(new_class) as new_class,
        ST_Collect(area) as area
    from differing
    group by id
)

select
    %(comparison_id)s,
    '{layer}',
    '{_BY_NODE[layer]}' || id::text,
    case
        when old_class is null then array['added']
        when new_class is null then array['removed']
        else array_remove(array[
            case when away then 'moved' end,
            case when told_anew or not coalesce(away, false) then 'retagged' end
        ], null)
    end,
    old_class,
    new_class,
    array(select distinct one from unnest(array[old_class, new_class]) as one where one is not null order by one),
    array[]::text[],
    area
from objects
"""


def measure_network_layer(layer: str, schema: str) -> str:
    """One row as `comparing_queries.measure_layer` has it; of edges their length, of none an area."""
    metres = "sum(length_m)" if layer == "road_edge" else "0.0::double precision"
    return f"""
with
classes as (
    select
        class,
        count(*) as n,
        {metres} as metres
    from {quoted(schema)}.{layer}
    group by class
)

select
    coalesce(sum(n), 0)::bigint as rows,
    0.0::double precision as square_metres,
    coalesce(sum(metres), 0) as metres,
    coalesce(jsonb_object_agg(class, n), '{{}}') as classes,
    0 as named,
    null as top_name,
    0 as top_named
from classes
"""


def _differ(columns: tuple[str, ...]) -> str:
    """Whether any of these columns is not the same on both sides."""
    before, after = (", ".join(f"{side}.{column}" for column in columns) for side in ("old", "new"))
    return f"(({before}) is distinct from ({after}))"
