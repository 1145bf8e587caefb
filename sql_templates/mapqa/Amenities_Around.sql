/*
id: Amenities_Around
version: 1
title: which kinds of amenities lie within a distance
answer_type: names
scorer: mapqa_names
dimension: amenities_around
parameters:
  anchor: {type: object, layer: poi, pick: place}
derive: amenities_around
phrasings: amenities_around
constants: {around_metres: 100, edge_metres: 5}
limits: {most: 8}
requires: [poi, other_place]
search: circle
*/
-- The place itself counts, too. `mercator`: metres of the Web Mercator projection, by which the published answers go. What
-- layer poi leaves out comes along as `left_out`, so that a doubtful question can be refused. `known_kinds`: those that the
-- map has. A place with nothing around it gives one row without an amenity.
with kind as materialized (
    select listed.name
    from (
        values
        ('arts_centre'),
        ('atm'),
        ('bank'),
        ('bar'),
        ('cafe'),
        ('cinema'),
        ('doctors'),
        ('fast_food'),
        ('fuel'),
        ('kindergarten'),
        ('library'),
        ('pharmacy'),
        ('place_of_worship'),
        ('police'),
        ('post_office'),
        ('pub'),
        ('restaurant'),
        ('school')
    ) as listed (name)
)

select
    row_number() over (order by near.amenity, near.distance, near.osm_key) as place,
    near.osm_key,
    near.amenity,
    near.repaired,
    near.left_out,
    near.distance,
    near.mercator,
    st_x(anchor.geom) as lon,
    st_y(anchor.geom) as lat,
    (
        select array_agg(kind.name order by kind.name)
        from kind
        where exists (
            select
            from poi_class
            where poi_class.class = kind.name
        )
    ) as known_kinds
from poi as anchor
left join lateral (
    select
        found.osm_key,
        found.amenity,
        found.repaired,
        found.left_out,
        st_distance(anchor.geog, found.geog) as distance,
        st_distance(st_transform(anchor.geom, 3857), st_transform(found.geom, 3857)) as mercator
    from (
        select
            poi.osm_key,
            poi.tags ->> 'amenity' as amenity,
            poi.repaired,
            poi.geog,
            poi.geom,
            false as left_out
        from poi
        where st_dwithin(anchor.geog, poi.geog, :around_metres + :edge_metres)
        union all
        select
            other_place.osm_key,
            other_place.tags ->> 'amenity' as amenity,
            other_place.repaired,
            other_place.geog,
            other_place.geom,
            true as left_out
        from other_place
        where st_dwithin(anchor.geog, other_place.geog, :around_metres + :edge_metres)
    ) as found
    inner join kind on found.amenity = kind.name
) as near on true
where anchor.osm_key = :anchor
order by place
limit 100
