/*
id: T18
version: 1
title: location of the nearest place of a narrowed category
answer_type: location
scorer: location
dimension: nearest
parameters:
  category: {type: filter, pick: narrowed_category, none_means: no_filter}
  anchor: {type: object, layer: poi, pick: anchor_poi}
derive: nearest_location
phrasings: nearest_location
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi, address]
search: circle
*/
-- `category` is class, tag and values: restaurant,cuisine,pizza. A tag may hold several values, parted by semicolons.
-- Eight nearest on the sphere by the index, then in order on the spheroid: the two orders differ by a hair.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*
from poi as anchor
cross join lateral (
    select
        candidate.osm_key,
        candidate.name,
        candidate.repaired,
        st_x(candidate.geom) as lon,
        st_y(candidate.geom) as lat,
        st_distance(anchor.geog, candidate.geog) as distance,
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
    from (
        select
            poi.osm_key,
            poi.name,
            poi.repaired,
            poi.geom,
            poi.geog
        from poi_class
        inner join poi on poi_class.osm_key = poi.osm_key
        where
            poi_class.class = split_part(:category, ',', 1)
            and string_to_array(split_part(:category, ',', 3), '|')
            && regexp_split_to_array(btrim(poi.tags ->> split_part(:category, ',', 2)), '\s*;\s*')
            and poi.osm_key <> anchor.osm_key
        order by poi_class.geog <-> anchor.geog
        limit 8
    ) as candidate
    left join poi_address on candidate.osm_key = poi_address.osm_key
) as near
where anchor.osm_key = :anchor
order by place
limit 3
