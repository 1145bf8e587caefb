/*
id: T14
version: 1
title: location of a place of a narrowed category within a distance
answer_type: location
scorer: location
dimension: range
parameters:
  category: {type: filter, pick: narrowed_category, none_means: no_filter}
  anchor: {type: object, layer: poi, pick: anchor_poi}
  distance: {type: metres, pick: distance_band, none_means: no_outline}
derive: locations_in_range
phrasings: locations_in_range
constants: {edge_metres: 5, edge_ratio: 0.01}
limits: {answers: 20, share: 0.25}
requires: [poi, address]
search: circle
*/
-- `category` is class, tag and values: restaurant,cuisine,pizza. A tag may hold several values, parted by semicolons.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*
from poi as anchor
cross join lateral (
    select
        poi.osm_key,
        poi.name,
        poi.repaired,
        st_x(poi.geom) as lon,
        st_y(poi.geom) as lat,
        st_distance(anchor.geog, poi.geog) as distance,
        case
            when poi_address.osm_key is not null
                then jsonb_strip_nulls(
                    jsonb_build_object(
                        'source', poi_address.source,
                        'osm_key', case when poi_address.source = 'near' then poi_address.address_key end,
                        'metres', case when poi_address.source = 'near' then poi_address.distance_m end,
                        'housenumber', poi_address.housenumber,
                        'street', poi_address.street,
                        'suburb', poi_address.suburb,
                        'city', poi_address.city,
                        'postcode', poi_address.postcode,
                        'state', poi_address.state,
                        'country', poi_address.country
                    )
                )
        end as address
    from poi_class
    inner join poi on poi_class.osm_key = poi.osm_key
    left join poi_address on poi.osm_key = poi_address.osm_key
    where
        poi_class.class = split_part(:category, ',', 1)
        and string_to_array(split_part(:category, ',', 3), '|')
        && regexp_split_to_array(btrim(poi.tags ->> split_part(:category, ',', 2)), '\s*;\s*')
        and poi.osm_key <> anchor.osm_key
        and st_dwithin(anchor.geog, poi_class.geog, :distance + greatest(:edge_metres, :edge_ratio * :distance))
) as near
where anchor.osm_key = :anchor
order by place
limit 21
