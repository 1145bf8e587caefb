-- Named areas whose name no other named area has.
with named as (
    select
        aoi.osm_key,
        aoi.name,
        aoi.repaired,
        count(*) over (partition by lower(btrim(regexp_replace(normalize(aoi.name, nfkc), '\s+', ' ', 'g')))) as namesakes
    from aoi
)
select
    named.osm_key as value,
    named.name as label,
    named.name as name
from named
where
    named.namesakes = 1
    and not named.repaired
order by named.osm_key
