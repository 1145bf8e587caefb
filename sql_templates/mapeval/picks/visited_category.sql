-- Kinds of places that people choose between and talk about, as far as the map has six of them.
select
    kind.class as value,
    count(poi_class.osm_key) as places
from (
    values
    ('bakery'),
    ('bar'),
    ('cafe'),
    ('fast_food'),
    ('hairdresser'),
    ('hotel'),
    ('museum'),
    ('pub'),
    ('restaurant'),
    ('supermarket')
) as kind (class)
inner join poi_class on kind.class = poi_class.class
group by kind.class
having count(poi_class.osm_key) >= 6
order by kind.class
