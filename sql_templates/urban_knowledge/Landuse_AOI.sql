/*
id: Landuse_AOI
version: 5
title: the land-use class of a named area
answer_type: option
scorer: option
parameters:
  aoi: {type: object, layer: aoi, pick: used_aoi}
derive: landuse_option
variants:
  published: {strategy: pool, pool: land_uses}
  hard: {strategy: alike}
phrasings: landuse_aoi
requires: [aoi, other_place]
search: none
*/
-- `uses` counts the values of the tags that could say a class. `unfit`: classes that other tags say, which no wrong option
-- may be; an empty value stands for any.
with other_use (class, key, value) as (
    values
    ('Agriculture&Forest', 'building', 'barn'),
    ('Agriculture&Forest', 'building', 'cowshed'),
    ('Agriculture&Forest', 'building', 'farm'),
    ('Agriculture&Forest', 'building', 'farm_auxiliary'),
    ('Agriculture&Forest', 'building', 'greenhouse'),
    ('Agriculture&Forest', 'building', 'stable'),
    ('Agriculture&Forest', 'crop', ''),
    ('Agriculture&Forest', 'produce', ''),
    ('Commercial', 'building', 'commercial'),
    ('Commercial', 'building', 'kiosk'),
    ('Commercial', 'building', 'office'),
    ('Commercial', 'building', 'retail'),
    ('Commercial', 'building', 'supermarket'),
    ('Commercial', 'craft', ''),
    ('Commercial', 'office', ''),
    ('Commercial', 'shop', ''),
    ('Culture&Tourism', 'building', 'castle'),
    ('Culture&Tourism', 'building', 'hotel'),
    ('Culture&Tourism', 'building', 'museum'),
    ('Culture&Tourism', 'building', 'theatre'),
    ('Culture&Tourism', 'historic', ''),
    ('Culture&Tourism', 'museum', ''),
    ('Education', 'building', 'college'),
    ('Education', 'building', 'kindergarten'),
    ('Education', 'building', 'school'),
    ('Education', 'building', 'university'),
    ('Education', 'school', ''),
    ('Government', 'building', 'civic'),
    ('Government', 'building', 'fire_station'),
    ('Government', 'building', 'government'),
    ('Government', 'building', 'public'),
    ('Government', 'building', 'townhall'),
    ('Government', 'government', ''),
    ('Government', 'military', ''),
    ('Government', 'office', 'government'),
    ('Industrial', 'building', 'industrial'),
    ('Industrial', 'building', 'manufacture'),
    ('Industrial', 'building', 'warehouse'),
    ('Industrial', 'craft', ''),
    ('Industrial', 'industrial', ''),
    ('Industrial', 'man_made', 'works'),
    ('Industrial', 'power', ''),
    ('Medical', 'building', 'hospital'),
    ('Medical', 'healthcare', ''),
    ('Park&GreenLand', 'boundary', 'national_park'),
    ('Park&GreenLand', 'boundary', 'protected_area'),
    ('Park&GreenLand', 'landcover', ''),
    ('Religious', 'building', 'cathedral'),
    ('Religious', 'building', 'chapel'),
    ('Religious', 'building', 'church'),
    ('Religious', 'building', 'monastery'),
    ('Religious', 'building', 'mosque'),
    ('Religious', 'building', 'religious'),
    ('Religious', 'building', 'synagogue'),
    ('Religious', 'building', 'temple'),
    ('Religious', 'religion', ''),
    ('Residential', 'building', 'apartments'),
    ('Residential', 'building', 'detached'),
    ('Residential', 'building', 'dormitory'),
    ('Residential', 'building', 'house'),
    ('Residential', 'building', 'residential'),
    ('Residential', 'residential', ''),
    ('Sports&Recreation', 'building', 'sports_centre'),
    ('Sports&Recreation', 'building', 'sports_hall'),
    ('Sports&Recreation', 'building', 'stadium'),
    ('Sports&Recreation', 'sport', ''),
    ('Transport', 'building', 'hangar'),
    ('Transport', 'building', 'parking'),
    ('Transport', 'building', 'train_station'),
    ('Transport', 'building', 'transportation'),
    ('Transport', 'highway', ''),
    ('Transport', 'public_transport', ''),
    ('Water', 'water', ''),
    ('Water', 'waterway', ''),
    ('Water', 'wetland', '')
)

select
    row_number() over (order by aoi.osm_key) as place,
    aoi.osm_key,
    aoi.name,
    replace(replace(lower(aoi.class), '&', ' & '), 'greenland', 'green land') as class,
    (
        select count(*)
        from unnest(array['amenity', 'leisure', 'tourism', 'aeroway', 'railway', 'landuse', 'natural']) as used (key)
        cross join lateral unnest(string_to_array(aoi.tags ->> used.key, ';')) as said (value)
    ) as uses,
    (
        select array_agg(distinct replace(replace(lower(other_use.class), '&', ' & '), 'greenland', 'green land'))
        from other_use
        cross join lateral unnest(string_to_array(aoi.tags ->> other_use.key, ';')) as said (value)
        where
            said.value <> 'no'
            and other_use.value in ('', said.value)
    ) as unfit
from aoi
where aoi.osm_key = :aoi
order by place
