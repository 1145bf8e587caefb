-- Named places whose name no other place of the map has; the text says name and street. The option is the class, of
-- those that have one, and one that says something. Options are of one key of tags (shop, amenity, …), where that has
-- four classes or more on this map; else of any of the lesser keys.
with named as (
    select
        poi.osm_key,
        poi.name,
        poi.category,
        poi.class,
        poi.street,
        poi.housenumber,
        poi.state,
        poi.country,
        poi.repaired,
        replace(poi.class, '_', ' ') as label,
        cardinality(poi.classes) > 1 as several,
        poi.class in (
            'shop', 'office', 'craft', 'healthcare', 'tourism', 'historic', 'amenity', 'leisure',
            'attraction', 'company', 'building', 'yes', 'other'
        ) as vague,
        spelt.form,
        count(*) over (partition by spelt.form) as namesakes
    from poi
    cross join lateral (
        select replace(lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss') as form
    ) as spelt
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
),

-- What the tags of all that has a name call it, in whatever layer: a class that is said there may be true of that name.
said as (
    select
        named.form,
        array_agg(distinct replace(one.text, '_', ' ')) as texts
    from (
        select
            place_name.form,
            thing.tags
        from (
            select osm_key, tags from poi
            union all
            select osm_key, tags from park
            union all
            select osm_key, tags from water
            union all
            select osm_key, tags from region
            union all
            select osm_key, tags from aoi
            union all
            select osm_key, tags from other_place
        ) as thing
        inner join place_name on thing.osm_key = place_name.osm_key
    ) as named
    cross join lateral jsonb_each_text(named.tags) as tag (key, value)
    cross join lateral unnest(array[tag.key] || string_to_array(tag.value, ';')) as one (text)
    where tag.value <> 'no'
    group by named.form
),

map as (
    -- the country that the first place to name one names: it tells whether a house number stands before its street
    select
        (
            select poi.country
            from poi
            where poi.country is not null
            order by poi.osm_key
            limit 1
        ) as country
)

select
    named.osm_key as value,
    named.name as name,
    named.street,
    named.housenumber,
    named.state,
    coalesce(named.country, map.country) as country,
    named.vague,
    named.class,
    not named.several and not named.vague as is_option,
    coalesce(large.category, 'lesser') as option_kind,
    said.texts as option_also,
    concat_ws(' ', named.name, named.street) as question_says
from named
cross join map
left join large on named.category = large.category
left join said on named.form = said.form
where
    named.namesakes = 1
    and not named.repaired
order by named.osm_key
