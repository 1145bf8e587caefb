-- Anchors that a fact names alone: no source says the same of any other place of the map. Of the classes of anchor_poi,
-- as points or as areas.
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
    told.words as words,
    told.credit as credit,
    told.shown as shown,
    poi.class as class
from told
inner join poi on told.osm_key = poi.osm_key
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
