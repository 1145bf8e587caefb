-- Named places whose name no other place of the map has, with the street that their own tags say. The text says
-- nothing of the address.
with named as (
    select
        poi.osm_key,
        poi.name,
        poi.class,
        poi.street,
        poi.repaired,
        count(*) over (partition by replace(lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')) as namesakes
    from poi
    where poi.name is not null
)
select
    named.osm_key as value,
    named.name as name,
    named.class
from named
where
    named.namesakes = 1
    and named.street is not null
    and not named.repaired
order by named.osm_key
