-- Addresses of other places within twice the reach of the place, in an order that depends on both places alone. They say
-- the same parts, and none is on the place's street unless its number is surely another: 5 and 5a, or 5 and 3-7, may be
-- one house. `alike`: those around a point that lies at random within the reach of the place, so that the place is no
-- more in their middle than any of them.
select
    row_number() over (order by near.turn, near.osm_key) as place,
    '' as pool_group,
    near.osm_key,
    near.street as says,
    near.street,
    near.housenumber,
    near.suburb,
    near.city,
    near.postcode,
    near.state,
    near.country,
    near.alike
from poi as subject
cross join lateral (
    select
        st_project(
            subject.geog,
            (:reach_metres) * sqrt(('x' || substr(md5(subject.osm_key), 1, 8))::bit(32)::bigint / 4294967296.0),
            2 * pi() * ('x' || substr(md5(subject.osm_key), 9, 8))::bit(32)::bigint / 4294967296.0
        ) as geog
) as middle
cross join lateral (
    select
        poi.osm_key,
        poi.street,
        st_dwithin(middle.geog, poi.geog, :reach_metres) as alike,
        poi.housenumber,
        poi.suburb,
        poi.city,
        poi.postcode,
        poi.state,
        coalesce(
            poi.country,
            (
                select one.country
                from poi as one
                where one.country is not null
                order by one.osm_key
                limit 1
            )
        ) as country,
        row_number() over (order by md5(subject.osm_key || poi.osm_key), poi.osm_key) as turn
    from poi
    where
        st_dwithin(subject.geog, poi.geog, 2 * :reach_metres)
        and poi.osm_key <> subject.osm_key
        and not poi.repaired
        and not exists (
            select 1
            from poi as namesake
            where
                namesake.name = poi.name
                and namesake.osm_key <> poi.osm_key
        )
        and poi.name is not null
        and poi.street is not null
        and poi.housenumber ~ '^\s*[0-9]'
        and (poi.suburb is null) = (subject.suburb is null)
        and (poi.city is null) = (subject.city is null)
        and (poi.postcode is null) = (subject.postcode is null)
        and (
            replace(lower(btrim(regexp_replace(normalize(poi.street, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')
            <> replace(lower(btrim(regexp_replace(normalize(subject.street, nfkc), '\s+', ' ', 'g'))), 'ß', 'ss')
            or (
                substring(poi.housenumber from '[0-9]+')::numeric <> substring(subject.housenumber from '[0-9]+')::numeric
                and poi.housenumber !~ '[0-9][^0-9]+[0-9]'
                and subject.housenumber !~ '[0-9][^0-9]+[0-9]'
            )
        )
) as near
where
    subject.osm_key = :poi
    and near.turn <= :most
order by place
