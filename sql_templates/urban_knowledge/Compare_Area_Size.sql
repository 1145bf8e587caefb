/*
id: Compare_Area_Size
version: 4
title: the largest, second, third or smallest of four named areas
answer_type: option
scorer: option
parameters:
  aois: {type: objects, layer: aoi, pick: unique_aoi, choose: 4}
  rank: {type: form, pick: area_rank}
derive: area_of_rank_option
variants:
  published: {strategy: others, layer: aoi}
  hard: {strategy: others, layer: aoi}
phrasings: compare_area_size
margins: {ratio: 0.9}
requires: [aoi, other_place]
search: none
*/
select
    row_number() over (order by measured.area desc, measured.osm_key) as place,
    measured.*,
    :rank as rank
from (
    select
        aoi.osm_key,
        aoi.name,
        st_area(aoi.geog) as area
    from aoi
    where aoi.osm_key = any(string_to_array(:aois, ','))
) as measured
order by place
