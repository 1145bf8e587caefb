-- What visitors want to know of a place, as far as the map has three values of it.
select
    attribute.key as value,
    attribute.words as label
from (
    values
    ('brand', 'brand'),
    ('cuisine', 'cuisine'),
    ('religion', 'religion'),
    ('smoking', 'rule about smoking'),
    ('sport', 'sport'),
    ('stars', 'number of stars'),
    ('wheelchair', 'wheelchair accessibility')
) as attribute (key, words)
where (
    select count(distinct poi.tags ->> attribute.key)
    from poi
    where poi.tags ->> attribute.key <> ''
) >= 3
order by attribute.key
