-- What is looked for: food, or a class that anchors have too; as far as the map has places of it. `bind` lists the
-- classes that count; `extent` is how many named places there are of them.
select
    category.value,
    category.bind,
    count(poi.name) as extent
from (
    values
    ('aquarium', 'aquarium'),
    ('attraction', 'attraction'),
    ('cafe', 'cafe'),
    ('fast_food', 'fast_food'),
    ('food', 'cafe,fast_food,restaurant'),
    ('gallery', 'art_gallery,gallery'),
    ('garden', 'garden'),
    ('hospital', 'hospital'),
    ('hotel', 'hotel'),
    ('museum', 'museum'),
    ('nature_reserve', 'nature_reserve'),
    ('park', 'park'),
    ('restaurant', 'restaurant'),
    ('stadium', 'stadium'),
    ('theme_park', 'theme_park'),
    ('university', 'university'),
    ('viewpoint', 'viewpoint'),
    ('zoo', 'zoo')
) as category (value, bind)
inner join poi on poi.classes && string_to_array(category.bind, ',')
group by category.value, category.bind
order by category.value
