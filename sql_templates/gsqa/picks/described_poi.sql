-- Anchors that a fact names alone: no source says the same of any other place of the map. Of the classes of anchor_poi;
-- wide grounds only where they are mapped as a point.
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
)

select
    told.osm_key || ' ' || told.attribute as value,
    told.descriptor as bind,
    'the ' || replace(poi.class, '_', ' ') || ' whose ' || told.words || ', as given by ' || told.credit
    || ', is ' || told.shown as label
from told
inner join poi on told.osm_key = poi.osm_key
where
    told.chosen
    and told.first_bearer = told.last_bearer
    and poi.name is not null
    and not poi.repaired
    and (
        poi.class in ('attraction', 'viewpoint', 'art_gallery', 'museum', 'gallery', 'hotel')
        or (
            not poi.is_area
            and poi.class in (
                'aquarium', 'theme_park', 'zoo', 'university', 'park', 'nature_reserve', 'garden', 'stadium', 'hospital'
            )
        )
    )
order by told.osm_key, told.attribute
