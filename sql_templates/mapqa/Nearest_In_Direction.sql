/*
id: Nearest_In_Direction
version: 1
title: the nearest amenity of a kind in a main direction
answer_type: name
scorer: name
dimension: direction_nearest
parameters:
  anchor: {type: object, layer: poi, pick: place}
  category: {type: class, pick: amenity}
  direction: {type: form, pick: compass}
derive: nearest_in_direction
phrasings: nearest_in_direction
constants: {reach: 30000, edge_degrees: 0.0001, half_width: 45, edge: 1}
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi]
search: circle
*/
-- North is wherever the latitude is greater, as in the published files (`side` is above 0 there); places about as far north
-- as the anchor come along. `of_all` counts the nearest of all sides, of which a tool lists 20. `aside` is how many degrees a place lies off the direction: the key `sector` takes those up to
-- 45. Everything up to 30 km away is looked at, and the nearest eight of the side and of the sector come along.
with turned as (
    select
        direction.name,
        direction.azimuth
    from (values ('north', 0), ('east', 90), ('south', 180), ('west', 270)) as direction (name, azimuth)
    where direction.name = :direction
)

select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.osm_key,
    near.name,
    near.repaired,
    near.lon,
    near.lat,
    near.distance,
    near.side,
    near.aside,
    near.of_all,
    near.anchor_name,
    near.is_own_class
from (
    select
        found.osm_key,
        found.name,
        found.repaired,
        found.lon,
        found.lat,
        found.distance,
        found.side,
        found.aside,
        found.of_all,
        anchor.name as anchor_name,
        :category = any(anchor.classes) as is_own_class,
        row_number() over (order by found.distance, found.osm_key) as of_side,
        row_number() over (
            partition by found.aside <= :half_width + :edge
            order by found.distance, found.osm_key
        ) as of_sector
    from poi as anchor
    cross join turned
    cross join lateral (
        select
            poi.osm_key,
            poi.name,
            poi.repaired,
            row_number() over (order by measured.distance, poi.osm_key) as of_all,
            measured.lon,
            measured.lat,
            measured.distance,
            case turned.name
                when 'north' then measured.lat - st_y(anchor.geom)
                when 'south' then st_y(anchor.geom) - measured.lat
                when 'east' then measured.lon - st_x(anchor.geom)
                else st_x(anchor.geom) - measured.lon
            end as side,
            abs(measured.turn - 360 * round(measured.turn / 360)) as aside
        from poi_class
        inner join poi on poi_class.osm_key = poi.osm_key
        cross join lateral (
            select
                st_x(poi.geom) as lon,
                st_y(poi.geom) as lat,
                st_distance(anchor.geog, poi.geog) as distance,
                degrees(st_azimuth(anchor.geog, poi.geog)) - turned.azimuth as turn
        ) as measured
        where
            poi_class.class = :category
            and poi_class.osm_key <> anchor.osm_key
            and st_dwithin(anchor.geog, poi_class.geog, :reach)
    ) as found
    where
        anchor.osm_key = :anchor
        and found.side > -:edge_degrees
) as near
where
    near.of_side <= 8
    or near.aside <= :half_width + :edge and near.of_sector <= 8
order by place
