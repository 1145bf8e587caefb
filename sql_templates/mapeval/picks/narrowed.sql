-- Kinds of places narrowed by one tag, as far as the map has three of them. `bind` is class, tag and value, which the
-- tool nearby takes as they are.
with kind (class, noun) as (
    values
    ('bakery', 'bakery'),
    ('bank', 'bank'),
    ('bar', 'bar'),
    ('cafe', 'café'),
    ('fast_food', 'fast food place'),
    ('hotel', 'hotel'),
    ('museum', 'museum'),
    ('pharmacy', 'pharmacy'),
    ('post_office', 'post office'),
    ('pub', 'pub'),
    ('restaurant', 'restaurant'),
    ('supermarket', 'supermarket')
),

remark (tag, value, words) as (
    values
    ('outdoor_seating', 'yes', 'with outdoor seating'),
    ('takeaway', 'yes', 'with takeaway'),
    ('wheelchair', 'yes', 'with wheelchair access'),
    ('internet_access', 'wlan', 'with Wi-Fi'),
    ('cuisine', 'american', 'with American cuisine'),
    ('cuisine', 'burger', 'serving burgers'),
    ('cuisine', 'chinese', 'with Chinese cuisine'),
    ('cuisine', 'indian', 'with Indian cuisine'),
    ('cuisine', 'italian', 'with Italian cuisine'),
    ('cuisine', 'japanese', 'with Japanese cuisine'),
    ('cuisine', 'kebab', 'serving kebab'),
    ('cuisine', 'mexican', 'with Mexican cuisine'),
    ('cuisine', 'pizza', 'serving pizza'),
    ('cuisine', 'regional', 'with regional cuisine'),
    ('cuisine', 'sushi', 'serving sushi'),
    ('cuisine', 'thai', 'with Thai cuisine')
)

select
    kind.class || ':' || remark.tag || '=' || remark.value as value,
    kind.class || ',' || remark.tag || ',' || remark.value as bind,
    kind.noun || ' ' || remark.words as label,
    count(*) as places
from kind
cross join remark
inner join poi_class on kind.class = poi_class.class
inner join poi
    on
        poi_class.osm_key = poi.osm_key
        and remark.value = any(regexp_split_to_array(lower(btrim(poi.tags ->> remark.tag)), '\s*;\s*'))
group by kind.class, kind.noun, remark.tag, remark.value, remark.words
having count(*) >= 3
order by value
