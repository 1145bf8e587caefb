-- Classes that people have a word for (`bind` lists them), of which some place of this map has a fact.
select
    category.value,
    case category.value when 'gallery' then 'art_gallery,gallery' else category.value end as bind,
    count(distinct poi.osm_key) as extent
from (
    values
    ('alpine_hut'), ('aquarium'), ('arts_centre'), ('artwork'), ('attraction'), ('bank'), ('cafe'), ('car_sharing'),
    ('castle'), ('charging_station'), ('cinema'), ('clinic'), ('college'), ('community_centre'), ('courthouse'),
    ('fast_food'), ('fire_station'), ('fuel'), ('gallery'), ('garden'), ('hospital'), ('hostel'), ('hotel'),
    ('kindergarten'), ('library'), ('marina'), ('memorial'), ('monastery'), ('monument'), ('museum'),
    ('nature_reserve'), ('park'), ('parking'), ('place_of_worship'),
    ('playground'), ('police'), ('post_office'), ('pub'), ('restaurant'), ('school'), ('sports_centre'), ('stadium'),
    ('station'), ('theatre'), ('theme_park'), ('townhall'), ('tower'), ('university'), ('viewpoint'), ('zoo')
) as category (value)
inner join poi_class
    on
        category.value = poi_class.class
        or (category.value = 'gallery' and poi_class.class = 'art_gallery')
inner join poi on poi_class.osm_key = poi.osm_key
where
    poi.name is not null
    and exists (
        select 1
        from trigpoint.map_fact as told
        where
            told.set_id = :facts
            and told.osm_key = poi.osm_key
            and told.chosen
    )
group by category.value
order by category.value
