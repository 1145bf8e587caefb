/*
id: T3
version: 1
title: name of a place of a category within a distance in a direction
answer_type: name
scorer: name
dimension: range and direction
parameters:
  anchor: {type: object, layer: poi, pick: anchor_poi}
  category: {type: class, pick: food_category}
  sector: {type: sector, pick: sector}
  distance: {type: metres, pick: distance_band, none_means: no_outline}
derive: names_in_range
phrasings: names_in_range_in_sector
constants: {edge_metres: 5, edge_ratio: 0.01, half_width: 22.5, edge: 1}
margins: {least: 20}
limits: {answers: 20, share: 0.25}
requires: [poi]
search: circle
*/
-- `aside` is the signed angle from the sector's centre, in [-180, 180]; the sector is -22.5 <= aside < 22.5.
-- Places up to one degree outside come along, so that the derivation can see what is doubtful.
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
        turned.aside - 360 * round(turned.aside / 360) as aside
    from poi
    cross join lateral (
        select degrees(st_azimuth(anchor.geog, poi.geog)) - 45 * :sector as aside
    ) as turned
    where
        poi.classes && string_to_array(:category, ',')
        and poi.osm_key <> anchor.osm_key
        and poi.name is not null
        and st_dwithin(anchor.geog, poi.geog, :distance + greatest(:edge_metres, :edge_ratio * :distance))
        and abs(turned.aside - 360 * round(turned.aside / 360)) <= :half_width + :edge
) as near
where anchor.osm_key = :anchor
order by place
limit 21
