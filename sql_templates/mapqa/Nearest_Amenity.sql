/*
id: Nearest_Amenity
version: 1
title: the nearest amenity of a kind to the centre of an area
answer_type: name
scorer: name
dimension: nearest_amenity
parameters:
  anchor: {type: object, layer: poi, pick: area_place}
  category: {type: class, pick: amenity}
derive: nearest_name
phrasings: nearest_amenity
margins: {metres: 10, ratio: 0.02, least: 20}
requires: [poi, poi_area]
search: circle
*/
-- From the centroid of the area, as in the published files. Eight nearest on the sphere by the index, then in order on the
-- spheroid. `off_centre`: from the point of the area in layer poi, around which there must be room.
select
    row_number() over (order by near.distance, near.osm_key) as place,
    near.*,
    anchor.name as anchor_name,
    :category = any(anchor.classes) as is_own_class,
    st_distance(anchor.geog, centre.geog) as off_centre,
    st_x(centre.geom) as centre_lon,
    st_y(centre.geom) as centre_lat
from poi as anchor
inner join poi_area as area on anchor.osm_key = area.osm_key
cross join lateral (
    select
        middle.geom,
        middle.geom::geography as geog
    from (select st_centroid(area.geom) as geom) as middle
) as centre
cross join lateral (
    select
        poi.osm_key,
        poi.name,
        poi.repaired,
        st_x(poi.geom) as lon,
        st_y(poi.geom) as lat,
        st_distance(centre.geog, poi.geog) as distance
    from (
        select poi_class.osm_key
        from poi_class
        where
            poi_class.class = :category
            and poi_class.osm_key <> anchor.osm_key
        order by poi_class.geog <-> centre.geog
        limit 8
    ) as close_by
    inner join poi on close_by.osm_key = poi.osm_key
) as near
where anchor.osm_key = :anchor
order by place
limit 3
