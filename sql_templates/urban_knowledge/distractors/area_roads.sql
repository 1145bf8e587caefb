-- Named drivable roads in the area and around it, and those that share a node with the road wherever on the map
-- (`meets`).
with met as (
    select distinct other.name
    from road as subject
    inner join road as way on subject.name = way.name and way.drivable
    inner join road_node as node on node.way_ids @> array[way.osm_id]
    cross join lateral unnest(node.way_ids) as shared (osm_id)
    cross join lateral (
        select
            road.name,
            road.drivable
        from road
        where road.osm_key = 'w' || shared.osm_id
        order by road.osm_key
        limit 1
    ) as other
    where
        other.drivable
        and btrim(other.name) <> ''
        and subject.name <> other.name
        and subject.osm_key = split_part(:stretch, ' ', 1)
),
near as (
    select
        other.name,
        min(other.osm_key) as osm_key
    from road as subject
    inner join aoi as area on area.osm_key = split_part(:stretch, ' ', 2)
    inner join road as other
        on
            other.drivable
            and btrim(other.name) <> ''
            and subject.name <> other.name
            and st_dwithin(area.geog, other.geog, :around_metres)
    where subject.osm_key = split_part(:stretch, ' ', 1)
    group by other.name
)
select
    row_number() over (order by coalesce(near.name, met.name)) as place,
    '' as pool_group,
    near.osm_key,
    coalesce(near.name, met.name) as label,
    met.name is not null as meets
from near
full join met on near.name = met.name
order by place
