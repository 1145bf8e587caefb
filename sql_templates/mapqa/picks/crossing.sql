-- Pairs of named roads that meet at one node alone. A road is what has one name; where two roads share several nodes,
-- nobody can tell which of them a question means.
with met as (
    select
        node.node_id,
        way.name,
        min(way.osm_key) as osm_key
    from road_node as node
    cross join lateral unnest(node.way_ids) as shared (osm_id)
    inner join road as way on way.osm_key = 'w' || shared.osm_id
    where way.name ~ '[[:alpha:]].*[[:alpha:]].*[[:alpha:]]'
    group by node.node_id, way.name
),

pair as (
    select
        one.name,
        other.name as other_name,
        min(one.osm_key) as osm_key,
        min(other.osm_key) as other_key,
        count(*) as nodes
    from met as one
    inner join met as other
        on
            one.node_id = other.node_id
            and one.name < other.name
    group by one.name, other.name
)

select
    array[pair.osm_key, pair.other_key] as value,
    pair.osm_key || ',' || pair.other_key as bind,
    pair.name || ' and ' || pair.other_name as label,
    array[pair.name, pair.other_name] as names
from pair
where pair.nodes = 1
order by pair.osm_key, pair.other_key
