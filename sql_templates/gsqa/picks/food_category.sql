-- What is looked for. `bind` lists the classes that count; `extent` is how many named places there are of them.
with category (value, bind) as (
    values
    ('cafe', 'cafe'),
    ('fast_food', 'fast_food'),
    ('food', 'cafe,fast_food,restaurant'),
    ('restaurant', 'restaurant')
)
select
    category.value,
    category.bind,
    count(poi.osm_key) as extent
from category
left join poi
    on
        poi.classes && string_to_array(category.bind, ',')
        and poi.name is not null
group by category.value, category.bind
order by category.value
