-- Regions that people know (they have a Wikipedia page or a Wikidata item), whole, with a name of their own.
-- Parts of an outline meet in points at most, so what lies inside it lies inside one of them, each part of a region.
with outline_part as materialized (
    select part.geom
    from st_dump(st_geomfromwkb(decode(:outline, 'hex'), 4326)) as part
),
named as (
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
    named.name || ' ('
    || case when named.class = 'administrative' then 'administrative area' else replace(named.class, '_', ' ') end
    || ')' as label,
    named.name as name
from named
where
    named.namesakes = 1
    and named.known
    and not named.repaired
    and not exists (
        select
        from st_dump(named.geom) as part
        where
            not exists (
                select
                from outline_part
                where
                    outline_part.geom ~ part.geom
                    and st_covers(outline_part.geom, part.geom)
            )
    )
order by named.osm_key
