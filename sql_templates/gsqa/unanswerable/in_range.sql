-- What could answer a question for places within a distance, whoever answers it: places of the category or of a class
-- that people may take for it, named or not, and those that layer poi leaves out. Without any there is one row, which
-- says whether the anchor is an area.
select
    row_number() over (order by near.osm_key) as place,
    near.osm_key,
    anchor.is_area,
    anchor.class as anchor_class
from poi as anchor
cross join lateral (
    select
        array_agg(distinct kind.class) as classes
    from (
        select unnest(string_to_array(:category, ',')) as class
        union all
        select unnest(string_to_array(alike.classes, ' ')) as class
        from (
            values
            ('bakery bar biergarten cafe coffee fast_food food_court ice_cream pastry pub restaurant'),
            ('art_gallery arts_centre attraction gallery museum planetarium'),
            ('aquarium zoo'),
            ('bed_and_breakfast guest_house hostel hotel motel resort'),
            ('clinic doctors hospital'),
            ('college university'),
            ('attraction viewpoint'),
            ('common garden golf_course nature_reserve park playground recreation_ground'),
            ('sports_centre stadium'),
            ('theme_park water_park')
        ) as alike (classes)
        where string_to_array(alike.classes, ' ') && string_to_array(:category, ',')
    ) as kind
) as wide
left join lateral (
    select poi.osm_key
    from poi
    where
        poi.classes && wide.classes
        and poi.osm_key <> anchor.osm_key
        and st_dwithin(anchor.geog, poi.geog, :distance + greatest(:edge_metres, :edge_ratio * :distance))
    union all
    select other_place.osm_key
    from other_place
    where
        other_place.class = any(wide.classes)
        and st_dwithin(anchor.geog, other_place.geog, :distance + greatest(:edge_metres, :edge_ratio * :distance))
    limit 3
) as near on true
where anchor.osm_key = :anchor
order by place
