-- Named drivable roads in the area and around it that share no node with the road, wherever on the map.
select
    row_number() over (order by other.name) as place,
    '' as pool_group,
    min(other.osm_key) as osm_key,
    other.name as label
from road as subject
inner join aoi as area on area.osm_key = split_part(:stretch, ' ', 2)
inner join road as other
    on
        other.drivable
        and btrim(other.name) <> ''
        and subject.name <> other.name
        and st_dwithin(area.geog, other.geog, :around_metres)
where
    subject.osm_key = split_part(:stretch, ' ', 1)
    and not exists (
        select
        from road as way
        inner join road_node as node on node.way_ids @> array[way.osm_id]
        cross join lateral unnest(node.way_ids) as met (osm_id)
        inner join road as own on own.osm_key = 'w' || met.osm_id
        where
            other.name = way.name
            and way.drivable
            and own.drivable
            and subject.name = own.name
    )
group by other.name
order by place
