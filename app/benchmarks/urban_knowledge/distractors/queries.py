"""What strategies of wrong options read of a map, apart from templates' SELECTs."""

ROADS_MET = """
select
    subject.osm_key,
    array_agg(distinct other.name) as names
from road as subject
inner join road as way
    on
        subject.name = way.name
        and way.drivable
inner join road_node as node on node.way_ids @> array[way.osm_id]
cross join lateral unnest(node.way_ids) as shared (osm_id)
inner join road as other
    on
        other.osm_key = 'w' || shared.osm_id
        and other.drivable
        and btrim(other.name) <> ''
        and subject.name <> other.name
where subject.osm_key = any(%(osm_keys)s)
group by subject.osm_key
"""
"""Of roads, each under a key of one of its ways, the named drivable ones that share a node with it, wherever."""
