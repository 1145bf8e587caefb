-- Named areas whose name nothing else on the map has, but for roads. The option is the land-use class, of those that one tag says, once.
with named as (
    select
        aoi.osm_key,
        aoi.name,
        replace(replace(lower(aoi.class), '&', ' & '), 'greenland', 'green land') as class,
        aoi.repaired,
        (
            select count(*)
            from unnest(array['amenity', 'leisure', 'tourism', 'aeroway', 'railway', 'landuse', 'natural']) as used (key)
            cross join lateral unnest(string_to_array(aoi.tags ->> used.key, ';')) as said (value)
        ) as uses,
        (
            select count(*)
            from place_name
            where place_name.form = replace(lower(btrim(regexp_replace(normalize(aoi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')
        ) as namesakes
    from aoi
)
select
    named.osm_key as value,
    named.name as label,
    named.name as name,
    case when named.uses = 1 then named.class end as option,
    named.class as option_says,
    named.name as question_says
from named
where
    named.namesakes = 1
    and not named.repaired
order by named.osm_key
