-- Categories narrowed by one tag, as far as this map has them: the kind of a museum, what is cooked, a service, emergency
-- care. `bind` is class, tag and the values that count; `extent` is how many named places there are. Of kinds and cuisines
-- those are asked for that people have a word for, and that two places of the map have. What is a fact is no filter.
with place (class, noun) as (
    values
    ('cafe', 'café'),
    ('fast_food', 'fast food place'),
    ('restaurant', 'restaurant')
),

service (tag, value, accepted, remark) as (
    values
    ('delivery', 'yes', 'yes|only', 'with delivery'),
    ('drive_through', 'yes', 'yes|only', 'with drive-through'),
    (
        'outdoor_seating',
        'yes',
        'yes|terrace|garden|sidewalk|pedestrian_zone|patio',
        'with outdoor seating'
    ),
    ('takeaway', 'yes', 'yes|only', 'with takeaway')
),

cuisine (value, word) as (
    values
    ('african', 'African'),
    ('american', 'American'),
    ('arab', 'Arab'),
    ('argentinian', 'Argentinian'),
    ('asian', 'Asian'),
    ('australian', 'Australian'),
    ('austrian', 'Austrian'),
    ('bagel', 'bagel'),
    ('barbecue', 'barbecue'),
    ('brazilian', 'Brazilian'),
    ('breakfast', 'breakfast'),
    ('british', 'British'),
    ('burger', 'burger'),
    ('cake', 'cake'),
    ('caribbean', 'Caribbean'),
    ('chicken', 'chicken'),
    ('chinese', 'Chinese'),
    ('crepe', 'crêpe'),
    ('cuban', 'Cuban'),
    ('curry', 'curry'),
    ('dessert', 'dessert'),
    ('donut', 'doughnut'),
    ('ethiopian', 'Ethiopian'),
    ('filipino', 'Filipino'),
    ('finnish', 'Finnish'),
    ('fish', 'fish'),
    ('fish_and_chips', 'fish-and-chips'),
    ('french', 'French'),
    ('georgian', 'Georgian'),
    ('german', 'German'),
    ('greek', 'Greek'),
    ('grill', 'grill'),
    ('hungarian', 'Hungarian'),
    ('ice_cream', 'ice cream'),
    ('indian', 'Indian'),
    ('indonesian', 'Indonesian'),
    ('irish', 'Irish'),
    ('italian', 'Italian'),
    ('jamaican', 'Jamaican'),
    ('japanese', 'Japanese'),
    ('juice', 'juice'),
    ('kebab', 'kebab'),
    ('korean', 'Korean'),
    ('latin_american', 'Latin American'),
    ('lebanese', 'Lebanese'),
    ('malaysian', 'Malaysian'),
    ('mediterranean', 'Mediterranean'),
    ('mexican', 'Mexican'),
    ('middle_eastern', 'Middle Eastern'),
    ('moroccan', 'Moroccan'),
    ('nepalese', 'Nepalese'),
    ('noodle', 'noodle'),
    ('nordic', 'Nordic'),
    ('pancake', 'pancake'),
    ('pasta', 'pasta'),
    ('pastry', 'pastry'),
    ('persian', 'Persian'),
    ('peruvian', 'Peruvian'),
    ('pizza', 'pizza'),
    ('polish', 'Polish'),
    ('portuguese', 'Portuguese'),
    ('ramen', 'ramen'),
    ('regional', 'regional-cuisine'),
    ('russian', 'Russian'),
    ('salad', 'salad'),
    ('sandwich', 'sandwich'),
    ('scandinavian', 'Scandinavian'),
    ('seafood', 'seafood'),
    ('soup', 'soup'),
    ('spanish', 'Spanish'),
    ('sri_lankan', 'Sri Lankan'),
    ('steak_house', 'steak'),
    ('sushi', 'sushi'),
    ('swiss', 'Swiss'),
    ('syrian', 'Syrian'),
    ('tapas', 'tapas'),
    ('thai', 'Thai'),
    ('tibetan', 'Tibetan'),
    ('turkish', 'Turkish'),
    ('ukrainian', 'Ukrainian'),
    ('vegan', 'vegan'),
    ('vegetarian', 'vegetarian'),
    ('vietnamese', 'Vietnamese'),
    ('waffle', 'waffle')
),

kind (value, word) as (
    values
    ('agriculture', 'agricultural'),
    ('archaeological', 'archaeological'),
    ('archaeology', 'archaeology'),
    ('art', 'art'),
    ('automobile', 'car'),
    ('aviation', 'aviation'),
    ('children', 'children''s'),
    ('ethnography', 'ethnographic'),
    ('geology', 'geology'),
    ('history', 'history'),
    ('industry', 'industrial'),
    ('local', 'local'),
    ('maritime', 'maritime'),
    ('military', 'military'),
    ('music', 'music'),
    ('natural_history', 'natural history'),
    ('nature', 'nature'),
    ('open_air', 'open-air'),
    ('railway', 'railway'),
    ('science', 'science'),
    ('sport', 'sports'),
    ('technology', 'technology'),
    ('toy', 'toy'),
    ('transport', 'transport')
),

filter (class, tag, value, accepted, label) as (
    select
        place.class,
        service.tag,
        service.value,
        service.accepted,
        place.noun || ' ' || service.remark
    from place
    cross join service
    union all
    select
        place.class,
        'cuisine',
        cuisine.value,
        cuisine.value as accepted,
        cuisine.word || ' ' || place.noun
    from place
    cross join cuisine
    union all
    select
        'museum',
        'museum',
        kind.value,
        kind.value as accepted,
        kind.word || ' museum'
    from kind
    union all
    select
        'hospital',
        'emergency',
        'yes',
        'yes',
        'hospital with emergency service'
)

select
    filter.class || ':' || filter.tag || '=' || filter.value as value,
    filter.class || ',' || filter.tag || ',' || filter.accepted as bind,
    filter.label,
    filter.class as class,
    count(*) as extent
from filter
inner join poi
    on
        filter.class = any(poi.classes)
        and poi.name is not null
        and string_to_array(filter.accepted, '|') && regexp_split_to_array(btrim(poi.tags ->> filter.tag), '\s*;\s*')
where not exists (
    select 1
    from fact_key
    where fact_key.key = filter.tag
)
group by filter.class, filter.tag, filter.value, filter.accepted, filter.label
having count(*) >= 2
order by value
