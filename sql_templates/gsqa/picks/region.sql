-- Regions that people know (they have a Wikipedia page or a Wikidata item), whole, with a name of their own.
with named as (
    select
        region.osm_key,
        region.name,
        region.class,
        region.geom,
        region.repaired,
        coalesce(region.wikipedia, region.wikidata) is not null as known,
        count(*) over (
            partition by region.class, lower(btrim(regexp_replace(normalize(region.name, nfkc), '\s+', ' ', 'g')))
        ) as namesakes
    from region
    where region.name is not null
)
select
    named.osm_key as value,
    named.name || ' (' || replace(named.class, '_', ' ') || ')' as label,
    named.name as name
from named
where
    named.namesakes = 1
    and named.known
    and not named.repaired
    and st_coveredby(named.geom, st_geomfromwkb(decode(:outline, 'hex'), 4326))
order by named.osm_key
