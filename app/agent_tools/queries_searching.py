"""The statements of place_search, on the tables of the snapshot that is first in search_path. Values by binds.

`likeness` is the share of trigrams that two names have in common.
"""

from sqlalchemy import text

_KEPT = """
best as (
    select distinct on (matched.number, matched.osm_key)
        matched.*,
        st_distance(
            cast(matched.geom as geography),
            cast(st_setsrid(st_makepoint(:lon, :lat), 4326) as geography)
        ) as metres
    from matched
    where
        cast(:region as text) is null
        or exists (
            select 1
            from region
            where
                region.osm_key = :region
                and st_intersects(region.geom, matched.geom)
        )
    order by matched.number, matched.osm_key, matched.likeness desc
),

kept as (
    select
        best.*,
        near.city,
        concat_ws(
            ' ', near.housenumber, near.street, near.suburb, near.city, near.postcode, near.state
        ) as address
    from best
    left join poi_address as near on best.osm_key = near.osm_key
    order by best.likeness desc, position(lower(near.city) in :said) > 0 desc nulls last, best.metres, best.osm_key
    limit :most
)

select
    kept.number,
    kept.osm_key,
    kept.form,
    kept.likeness,
    kept.metres,
    kept.city,
    concat_ws(
        ' ', kept.address,
        (
            select string_agg(region.name, ' ' order by region.osm_key)
            from region
            where st_intersects(region.geom, kept.geom)
        )
    ) as surroundings
from kept
order by kept.likeness desc, kept.metres, kept.osm_key
"""

# The names most like one of the forms, and those that hold it as words where `words_count`; of equal ones those that
# lie nearest to the point, where there is one.
NAMES = text(f"""
with sought as (
    select
        given.number,
        given.form,
        given.words_count
    from jsonb_to_recordset(cast(:forms as jsonb)) as given (number int, form text, words_count bool)
),

matched as (
    select
        sought.number,
        search_name.osm_key,
        search_name.form,
        greatest(
            similarity(search_name.form, sought.form),
            case when sought.words_count then 0.8 * strict_word_similarity(sought.form, search_name.form) end
        ) as likeness,
        search_name.geom
    from sought
    inner join search_name on search_name.form % sought.form or sought.form <% search_name.form
),

{_KEPT}
""")

# Short names that differ in one letter share few trigrams: these are found by patterns.
NAMES_LIKE = text(f"""
with matched as (
    select
        given.number,
        search_name.osm_key,
        search_name.form,
        0.0 as likeness,
        search_name.geom
    from jsonb_to_recordset(cast(:patterns as jsonb)) as given (number int, pattern text)
    inner join search_name on search_name.form like given.pattern
),

{_KEPT}
""")

STREETS = text("""
select
    given.number,
    best.street,
    best.form,
    best.likeness
from jsonb_to_recordset(cast(:forms as jsonb)) as given (number int, form text)
cross join lateral (
    select
        street_name.street,
        street_name.form,
        similarity(street_name.form, given.form) as likeness
    from street_name
    where street_name.form % given.form
    order by likeness desc, street_name.street
    limit 8
) as best
order by given.number, best.likeness desc, best.street
""")

DOORS = text("""
select
    given.number,
    given.likeness,
    address.osm_key,
    address.city,
    concat_ws(' ', address.suburb, address.city, address.postcode, address.state) as surroundings,
    st_distance(
        address.geog, cast(st_setsrid(st_makepoint(:lon, :lat), 4326) as geography)
    ) as metres
from jsonb_to_recordset(cast(:streets as jsonb)) as given (
    number int, street text, housenumber text, likeness double precision
)
inner join address
    on
        given.street = address.street
        and given.housenumber = lower(replace(address.housenumber, ' ', ''))
where
    cast(:region as text) is null
    or exists (
        select 1
        from region
        where
            region.osm_key = :region
            and st_intersects(region.geom, address.geom)
    )
order by given.likeness desc, position(lower(address.city) in :said) > 0 desc nulls last, metres, address.osm_key
limit :most
""")

# Of each street the longest way within a cell of about two kilometres: streets of one name lie in many towns.
ROADS = text("""
with longest as (
    select distinct on (given.number, road.name, cell.corner)
        given.number,
        given.likeness,
        road.osm_key,
        road.name,
        road.geom,
        road.geog,
        st_length(road.geog) as length,
        st_distance(
            road.geog, cast(st_setsrid(st_makepoint(:lon, :lat), 4326) as geography)
        ) as metres
    from jsonb_to_recordset(cast(:streets as jsonb)) as given (
        number int, street text, likeness double precision
    )
    inner join road on given.street = road.name
    cross join lateral (select st_snaptogrid(st_startpoint(road.geom), 0.02) as corner) as cell
    where
        cast(:region as text) is null
        or exists (
            select 1
            from region
            where
                region.osm_key = :region
                and st_intersects(region.geom, road.geom)
        )
    order by given.number, road.name, cell.corner, length desc, road.osm_key
),

kept as (
    select
        longest.*,
        cast(st_lineinterpolatepoint(longest.geom, 0.5) as geography) as middle
    from longest
    order by longest.likeness desc, longest.metres, longest.length desc, longest.osm_key
    limit 50
)

select
    kept.number,
    kept.likeness,
    kept.osm_key,
    kept.name as street,
    kept.metres,
    door.city,
    concat_ws(
        ' ', door.surroundings,
        (
            select string_agg(region.name, ' ' order by region.osm_key)
            from region
            where st_intersects(region.geom, cast(kept.middle as geometry))
        )
    ) as surroundings
from kept
left join lateral (
    select
        address.city,
        concat_ws(' ', address.suburb, address.city, address.postcode, address.state) as surroundings
    from address
    where st_dwithin(address.geog, kept.middle, 1000)
    order by address.geog <-> kept.middle
    limit 1
) as door on true
order by kept.likeness desc, kept.metres, kept.length desc, kept.osm_key
""")

REGION_NAMED = text("""
select
    search_name.osm_key,
    similarity(search_name.form, :form) as likeness
from search_name
where
    search_name.layer = 'region'
    and search_name.form % :form
    and similarity(search_name.form, :form) >= :least
order by likeness desc, search_name.osm_key
limit 1
""")
