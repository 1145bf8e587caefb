-- What somebody may want of a place to eat or drink, where at least five of the map's places have it: what tags say, and
-- the five most common cuisines.
with place as (
    select poi.tags
    from poi
    where
        poi.class in ('restaurant', 'cafe', 'fast_food', 'bar', 'pub', 'biergarten', 'ice_cream', 'bakery', 'food_court')
        and poi.tags ? 'opening_hours'
),

cuisine as (
    select
        place.tags ->> 'cuisine' as word,
        count(*) as places
    from place
    where place.tags ->> 'cuisine' ~ '^[a-z_]+$'
    group by place.tags ->> 'cuisine'
    order by places desc, word
    limit 5
),

wish as (
    select
        told.tag as value,
        told.words as label
    from (
        values
        ('wheelchair', 'a way in for wheelchairs without help'),
        ('outdoor_seating', 'seats outside'),
        ('takeaway', 'food to take away'),
        ('diet:vegetarian', 'vegetarian dishes'),
        ('internet_access', 'wireless internet')
    ) as told (tag, words)
    where
        (
            select count(*)
            from place
            where place.tags ->> told.tag in ('yes', 'only', 'wlan')
        ) >= 5
    union all
    select
        'cuisine ' || cuisine.word as value,
        'dishes of the cuisine "' || replace(cuisine.word, '_', ' ') || '"' as label
    from cuisine
    where cuisine.places >= 5
)

select
    wish.value,
    wish.label
from wish
order by wish.value
