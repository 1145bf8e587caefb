-- Named places whose name no other place of the map has; the text says the class. The option is the name, of
-- those that have one class, and one that says something. Options are of one key of tags (shop, amenity, …), where that has
-- four classes or more on this map; else of any of the lesser keys.
with named as (
    select
        poi.osm_key,
        poi.name,
        poi.category,
        poi.repaired,
        replace(poi.class, '_', ' ') as label,
        cardinality(poi.classes) > 1 as several,
        poi.class in (
            'shop', 'office', 'craft', 'healthcare', 'tourism', 'historic', 'amenity', 'leisure',
            'attraction', 'company', 'building', 'yes', 'other'
        ) as vague,
        count(*) over (partition by replace(lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')) as namesakes
    from poi
    where poi.name is not null
),

large as (
    select named.category
    from named
    where
        not named.several
        and not named.vague
    group by named.category
    having count(distinct named.label) >= 4
)

select
    named.osm_key as value,
    named.label as label,
    named.name as name,
    named.vague,
    case when not named.several and not named.vague then named.name end as option,
    named.label as option_group,
    coalesce(large.category, 'lesser') as option_kind,
    named.name as option_says,
    named.label as question_says
from named
left join large on named.category = large.category
where
    named.namesakes = 1
    and not named.repaired
order by named.osm_key
