-- Regions whose name no other region has, and that lie in the map whole.
with named as (
    select
        region.*,
        count(*) over (
            partition by replace(lower(btrim(regexp_replace(normalize(region.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')
        ) as namesakes
    from region
    where btrim(region.name) <> ''
)
select
    named.osm_key as value,
    named.name || ' (' || replace(named.class, '_', ' ') || ')' as label,
    named.name as name
from named
where
    named.namesakes = 1
    and not named.repaired
    and not named.at_edge
    and named.class <> 'administrative'
order by named.osm_key
