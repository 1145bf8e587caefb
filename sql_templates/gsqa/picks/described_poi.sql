-- Anchors that a fact names alone: no source says the same of any other place of the map. Of the classes of anchor_poi,
-- as points or as areas. Texts also tell the city, or else the state or country, since a data set can have several maps.
with told as (
    select
        map_fact.osm_key,
        map_fact.attribute,
        map_fact.descriptor,
        map_fact.words,
        concat_ws(' ', map_fact.value, nullif(map_fact.unit, '')) as shown,
        map_fact.credit,
        map_fact.chosen,
        min(map_fact.osm_key) over (partition by map_fact.descriptor) as first_bearer,
        max(map_fact.osm_key) over (partition by map_fact.descriptor) as last_bearer
    from trigpoint.map_fact
    where map_fact.set_id = :facts
),

map as (
    -- the country of all places that name one, where it is one
    select case when min(upper(poi.country)) = max(upper(poi.country)) then min(upper(poi.country)) end as country
    from poi
)

select
    told.osm_key || ' ' || told.attribute as value,
    told.descriptor as bind,
    told.words as words,
    told.credit as credit,
    told.shown as shown,
    poi.class as class,
    coalesce(poi.city, around.city) as city,
    coalesce(poi.state, around.state) as state,
    coalesce(poi.country, around.country, map.country) as country
from told
inner join poi on told.osm_key = poi.osm_key
cross join map
cross join lateral (
    select
        (
            array_agg(region.name order by region.admin_level desc nulls last, region.osm_key)
            filter (where region.class in ('city', 'town', 'village', 'municipality'))
        )[1] as city,
        min(region.name) filter (where region.class = 'state') as state,
        min(
            coalesce(
                region.tags ->> 'ISO3166-1:alpha2',
                region.tags ->> 'ISO3166-1',
                substr(region.tags ->> 'ISO3166-2', 1, 2),
                region.name
            )
        ) filter (where region.admin_level = 2) as country
    from poi_region
    inner join region on poi_region.region_key = region.osm_key
    where
        poi_region.osm_key = poi.osm_key
        and region.name is not null
) as around
where
    told.chosen
    and told.first_bearer = told.last_bearer
    and poi.name is not null
    and not poi.repaired
    and poi.class in (
        'aquarium', 'attraction', 'viewpoint', 'art_gallery', 'theme_park', 'museum', 'gallery', 'zoo', 'hotel',
        'university', 'park', 'nature_reserve', 'garden', 'stadium', 'hospital'
    )
order by told.osm_key, told.attribute
