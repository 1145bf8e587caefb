-- Kinds of places that people look for, as far as the map has three of them. Cash machines are left out: many are told of
-- a bank only.
select
    kind.class as value,
    count(poi_class.osm_key) as places
from (
    values
    ('bakery'),
    ('bank'),
    ('cafe'),
    ('doctors'),
    ('fast_food'),
    ('fire_station'),
    ('fuel'),
    ('hairdresser'),
    ('hotel'),
    ('kindergarten'),
    ('library'),
    ('museum'),
    ('pharmacy'),
    ('post_office'),
    ('restaurant'),
    ('school'),
    ('supermarket'),
    ('viewpoint')
) as kind (class)
inner join poi_class on kind.class = poi_class.class
group by kind.class
having count(poi_class.osm_key) >= 3
order by kind.class
