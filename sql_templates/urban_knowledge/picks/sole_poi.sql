-- Named places whose name no other place of the map has, with the street that their own tags say; the text is their
-- address. `sharers` counts the other named places that may be in the same house: of the same street, with numbers that
-- meet (5 and 5a, 3-7 and 5). Those that share with nobody, and their names with nothing, may stand as options of each
-- other's questions.
with named as (
    select
        poi.osm_key,
        poi.name,
        poi.street,
        poi.housenumber,
        poi.repaired,
        poi.suburb,
        poi.city,
        poi.postcode,
        poi.state,
        poi.country,
        replace(lower(btrim(regexp_replace(normalize(poi.street, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss') as street_form,
        count(*) over (partition by replace(lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')) as namesakes
    from poi
    where poi.name is not null
),

housed as (
    select
        named.osm_key,
        named.street_form,
        min(found.digits[1]::numeric) as low,
        max(found.digits[1]::numeric) as high
    from named
    cross join lateral regexp_matches(named.housenumber, '[0-9]+', 'g') as found (digits)
    where named.street_form is not null
    group by named.osm_key, named.street_form
),

shared as (
    select
        one.osm_key,
        count(other.osm_key) as sharers
    from housed as one
    left join housed as other
        on
            one.street_form = other.street_form
            and one.low <= other.high
            and one.high >= other.low
            and one.osm_key <> other.osm_key
    group by one.osm_key
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
    named.suburb,
    named.city,
    named.postcode,
    named.state,
    coalesce(named.country, map.country) as country,
    coalesce(shared.sharers, 0) as sharers,
    case
        when
            shared.sharers = 0
            and named.housenumber ~ '^\s*[0-9]'
            and (
                select count(*)
                from place_name
                where place_name.form = replace(lower(btrim(regexp_replace(normalize(named.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')
            ) = 1
            then named.name
    end as option,
    named.name as option_says,
    named.street as question_says
from named
cross join map
left join shared on named.osm_key = shared.osm_key
where
    named.namesakes = 1
    and named.street is not null
    and not named.repaired
order by named.osm_key
