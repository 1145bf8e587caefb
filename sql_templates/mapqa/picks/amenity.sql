-- Kinds of amenities that people look for, as far as the map has three of them with names. Values that are rare or that
-- nobody would look for, which MapQA's files have many of (`map`, `bear_box`), are left out.
select
    kind.class as value,
    count(poi.osm_key) as places
from (
    values
    ('arts_centre'),
    ('atm'),
    ('bank'),
    ('bar'),
    ('cafe'),
    ('casino'),
    ('cinema'),
    ('clinic'),
    ('community_centre'),
    ('dentist'),
    ('doctors'),
    ('fast_food'),
    ('fire_station'),
    ('fuel'),
    ('hospital'),
    ('kindergarten'),
    ('library'),
    ('nightclub'),
    ('pharmacy'),
    ('place_of_worship'),
    ('police'),
    ('post_office'),
    ('pub'),
    ('restaurant'),
    ('school'),
    ('theatre'),
    ('townhall'),
    ('university')
) as kind (class)
inner join poi on kind.class = poi.tags ->> 'amenity'
where
    kind.class = any(poi.classes)
    and btrim(poi.name) <> ''
group by kind.class
having count(poi.osm_key) >= 3
order by kind.class
