-- Regions that people know (they have a Wikipedia page or a Wikidata item), whole, with a name of their own.
-- The label says what each is by its own tags, where they say more than `municipality`; else by the word that its country
-- has for the level, of those in `of_level`, whose source is the OpenStreetMap wiki, page "Key:boundary", table of
-- admin_level; else by its level and the smallest area of a higher one around it. The country is that of its own tags, or of
-- an area around it.
-- Parts of an outline meet in points at most, so what lies inside it lies inside one of them, each part of a region.
with of_level (country, admin_level, word) as (
    values
    ('AD', 7, 'parish'),
    ('AT', 4, 'state'),
    ('AT', 6, 'district'),
    ('AT', 8, 'municipality'),
    ('AU', 4, 'state'),
    ('BE', 4, 'region'),
    ('BE', 6, 'province'),
    ('BE', 8, 'municipality'),
    ('BR', 4, 'state'),
    ('BR', 8, 'municipality'),
    ('CA', 4, 'province'),
    ('CH', 4, 'canton'),
    ('CH', 6, 'district'),
    ('CH', 8, 'municipality'),
    ('CZ', 6, 'region'),
    ('CZ', 7, 'district'),
    ('CZ', 8, 'municipality'),
    ('DE', 4, 'state'),
    ('DE', 6, 'district'),
    ('DE', 8, 'municipality'),
    ('DK', 4, 'region'),
    ('DK', 7, 'municipality'),
    ('EE', 6, 'county'),
    ('EE', 7, 'municipality'),
    ('ES', 4, 'autonomous community'),
    ('ES', 6, 'province'),
    ('ES', 8, 'municipality'),
    ('FI', 7, 'sub-region'),
    ('FI', 8, 'municipality'),
    ('FR', 4, 'region'),
    ('FR', 6, 'department'),
    ('FR', 7, 'arrondissement'),
    ('FR', 8, 'commune'),
    ('GB', 4, 'country'),
    ('HU', 6, 'county'),
    ('HU', 8, 'municipality'),
    ('IE', 6, 'county'),
    ('IN', 4, 'state'),
    ('IN', 5, 'district'),
    ('IT', 4, 'region'),
    ('IT', 6, 'province'),
    ('IT', 8, 'municipality'),
    ('JP', 4, 'prefecture'),
    ('JP', 7, 'municipality'),
    ('LI', 6, 'electoral district'),
    ('LI', 8, 'municipality'),
    ('LU', 6, 'canton'),
    ('LU', 8, 'commune'),
    ('LV', 5, 'municipality'),
    ('MC', 10, 'quarter'),
    ('MX', 4, 'state'),
    ('MX', 6, 'municipality'),
    ('NL', 4, 'province'),
    ('NL', 8, 'municipality'),
    ('NO', 4, 'county'),
    ('NO', 7, 'municipality'),
    ('PL', 4, 'voivodeship'),
    ('PL', 6, 'county'),
    ('PL', 7, 'municipality'),
    ('PT', 6, 'district'),
    ('PT', 7, 'municipality'),
    ('PT', 8, 'parish'),
    ('RO', 4, 'county'),
    ('SE', 4, 'county'),
    ('SE', 7, 'municipality'),
    ('SI', 8, 'municipality'),
    ('SK', 4, 'region'),
    ('SK', 8, 'district'),
    ('SK', 9, 'municipality'),
    ('SM', 6, 'municipality'),
    ('US', 4, 'state'),
    ('US', 6, 'county')
),
outline_part as materialized (
    select part.geom
    from st_dump(st_geomfromwkb(decode(:outline, 'hex'), 4326)) as part
),
told as (
    select
        region.*,
        region.tags ->> 'boundary' = 'administrative' as is_border,
        upper(
            coalesce(
                substr(region.tags ->> 'ISO3166-2', 1, 2),
                region.tags ->> 'ISO3166-1:alpha2',
                substr(region.tags ->> 'ISO3166-1', 1, 2),
                region.tags ->> 'is_in:country_code'
            )
        ) as country
    from region
),
named as (
    select
        told.osm_key,
        told.name,
        told.class,
        told.geom,
        told.repaired,
        told.admin_level,
        told.is_border,
        told.place,
        told.country,
        coalesce(told.wikipedia, told.wikidata) is not null as known,
        (
            select said.word
            from (
                values
                (1, told.tags ->> 'border_type'),
                (2, told.tags ->> 'designation'),
                (3, told.tags ->> 'admin_title'),
                (4, told.place)
            ) as said (number, word)
            where
                said.word ~ '^[a-z][a-z_ -]{2,29}$'
                and said.word not in ('administrative', 'municipality', 'nation', 'territorial', 'locality', 'yes')
            order by said.number
            limit 1
        ) as own_word,
        'municipality' in (told.tags ->> 'border_type', told.tags ->> 'designation', told.place) as municipality,
        count(*) over (
            partition by told.class, lower(btrim(regexp_replace(normalize(told.name, nfkc), '\s+', ' ', 'g')))
        ) as namesakes
    from told
    where told.name is not null
),
whole as (
    select named.*
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
),
labelled as (
    select
        whole.osm_key,
        whole.name,
        whole.name || ' (' || coalesce(
            replace(case when whole.is_border then whole.own_word else whole.place end, '_', ' '),
            of_level.word,
            case when whole.is_border and whole.admin_level = 2 then 'country' end,
            case when whole.municipality then 'municipality' end,
            'administrative area'
            || coalesce(' of level ' || whole.admin_level, '')
            || coalesce(' in ' || parent.name, '')
        ) || ')' as label
    from whole
    left join lateral (
        select
            (array_agg(around.name order by around.admin_level desc, around.osm_key)
            filter (where around.name is not null and around.admin_level < whole.admin_level))[1] as name,
            (array_agg(around.country order by around.admin_level desc nulls last, around.osm_key)
            filter (where around.country is not null))[1] as country
        from told as around
        where
            around.osm_key <> whole.osm_key
            and around.geom && whole.geom
            and st_covers(around.geom, st_pointonsurface(whole.geom))
    ) as parent on true
    left join of_level
        on
            whole.is_border
            and whole.admin_level = of_level.admin_level
            and coalesce(whole.country, parent.country) = of_level.country
),
counted as (
    select
        labelled.*,
        count(*) over (partition by lower(labelled.label)) as alike
    from labelled
)
select
    counted.osm_key as value,
    counted.label,
    counted.name as name
from counted
where counted.alike = 1
order by counted.osm_key
