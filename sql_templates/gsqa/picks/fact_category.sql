-- Classes that people have a word for, of which some place of this map has a fact.
select
    category.value,
    replace(category.value, '_', ' ') as label,
    count(distinct poi.osm_key) as extent
from (
    values
    ('alpine_hut'), ('aquarium'), ('art_gallery'), ('arts_centre'), ('artwork'), ('bank'), ('cafe'), ('car_sharing'),
    ('castle'), ('charging_station'), ('cinema'), ('clinic'), ('college'), ('community_centre'), ('courthouse'),
    ('fast_food'), ('fire_station'), ('fuel'), ('gallery'), ('hospital'), ('hostel'), ('hotel'), ('kindergarten'),
    ('library'), ('marina'), ('memorial'), ('monastery'), ('monument'), ('museum'), ('parking'), ('place_of_worship'),
    ('playground'), ('police'), ('post_office'), ('pub'), ('restaurant'), ('school'), ('sports_centre'), ('stadium'),
    ('station'), ('theatre'), ('theme_park'), ('townhall'), ('tower'), ('university'), ('viewpoint'), ('zoo')
) as category (value)
inner join poi_class on category.value = poi_class.class
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
