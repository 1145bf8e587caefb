-- Categories narrowed by one tag, as far as this map has them: the kind of a museum, what is cooked, a service, emergency
-- care. `bind` is class, tag and the values that count; `extent` is how many named places there are. Kinds and cuisines
-- come from the map's own tags, plain words only, and at least two places must have one. What is a fact is no filter.
with filter (class, noun, tag, value, accepted, remark) as (
    select
        place.class,
        place.noun,
        service.tag,
        service.value,
        service.accepted,
        service.remark
    from (
        values
        ('cafe', 'café'),
        ('fast_food', 'fast food place'),
        ('restaurant', 'restaurant')
    ) as place (class, noun)
    cross join (
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
    ) as service (tag, value, accepted, remark)
    union all
    select
        'hospital',
        'hospital',
        'emergency',
        'yes',
        'yes',
        'with emergency service'
    union all
    select distinct
        kind.class,
        kind.noun,
        kind.tag,
        word.value,
        word.value as accepted,
        kind.says || ' "' || replace(word.value, '_', ' ') || '"'
    from (
        values
        ('cafe', 'café', 'cuisine', 'with the cuisine'),
        ('fast_food', 'fast food place', 'cuisine', 'with the cuisine'),
        ('museum', 'museum', 'museum', 'of kind'),
        ('restaurant', 'restaurant', 'cuisine', 'with the cuisine')
    ) as kind (class, noun, tag, says)
    inner join poi on kind.class = any(poi.classes)
    cross join lateral regexp_split_to_table(btrim(poi.tags ->> kind.tag), '\s*;\s*') as word (value)
    where
        word.value ~ '^[a-z]+(_[a-z]+)*$'
        and word.value not in ('yes', 'no', 'other', 'unknown')
)

select
    filter.class || ':' || filter.tag || '=' || filter.value as value,
    filter.class || ',' || filter.tag || ',' || filter.accepted as bind,
    filter.noun || ' ' || filter.remark as label,
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
group by filter.class, filter.noun, filter.tag, filter.value, filter.accepted, filter.remark
having count(*) >= 2
order by value
