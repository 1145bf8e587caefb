/*
id: Landuse_AOI
version: 1
title: the land-use class of a named area
answer_type: option
scorer: option
dimension: function
parameters:
  aoi: {type: object, layer: aoi, pick: used_aoi}
derive: landuse_option
distractors: {strategy: alike}
phrasings: landuse_aoi
requires: [aoi]
search: none
*/
-- `uses` counts the values of the tags that could say a class.
select
    row_number() over (order by aoi.osm_key) as place,
    aoi.osm_key,
    aoi.name,
    aoi.class,
    (
        select count(*)
        from unnest(array['amenity', 'leisure', 'tourism', 'aeroway', 'railway', 'landuse', 'natural']) as used (key)
        cross join lateral unnest(string_to_array(aoi.tags ->> used.key, ';')) as said (value)
    ) as uses
from aoi
where aoi.osm_key = :aoi
order by place
