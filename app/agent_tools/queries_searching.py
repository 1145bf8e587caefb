"""The statements of place_search, on the tables of the snapshot that is first in search_path. Values by binds.

`likeness` is the share of trigrams that two names have in common.
"""

from sqlalchemy import text

LEAST_LIKENESS = text("select set_config('pg_trgm.similarity_threshold', :least, true)")

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
    select *
    from best
    order by best.likeness desc, best.metres, best.osm_key
    limit :most
)

select
    kept.number,
    kept.osm_key,
    kept.form,
    kept.likeness,
    kept.metres,
    near.city,
    concat_ws(
        ' ', near.housenumber, near.street, near.suburb, near.city, near.postcode, near.state,
        (
            select string_agg(region.name, ' ' order by region.osm_key)
            from region
            where st_intersects(region.geom, kept.geom)
        )
    ) as surroundings
from kept
left join poi_address as near on kept.osm_key = near.osm_key
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
    best.likeness,
    best.form = given.form as is_equal
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
    address.osm_key,
    address.street,
    address.city,
    concat_ws(' ', address.suburb, address.city, address.postcode, address.state) as surroundings,
    st_distance(
        address.geog, cast(st_setsrid(st_makepoint(:lon, :lat), 4326) as geography)
    ) as metres
from jsonb_to_recordset(cast(:doors as jsonb)) as given (street text, housenumber text)
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
order by metres, address.osm_key
limit :most
""")

# The longest way of each street stands for the street.
ROADS = text("""
with longest as (
    select distinct on (road.name)
        road.osm_key,
        road.name,
        road.geom,
        road.geog
    from unnest(cast(:streets as text[])) as given (street)
    inner join road on given.street = road.name
    where
        cast(:region as text) is null
        or exists (
            select 1
            from region
            where
                region.osm_key = :region
                and st_intersects(region.geom, road.geom)
        )
    order by road.name, st_length(road.geog) desc, road.osm_key
)

select
    longest.osm_key,
    longest.name as street,
    door.city,
    st_distance(
        longest.geog, cast(st_setsrid(st_makepoint(:lon, :lat), 4326) as geography)
    ) as metres,
    concat_ws(
        ' ', door.surroundings,
        (
            select string_agg(region.name, ' ' order by region.osm_key)
            from region
            where st_intersects(region.geom, longest.geom)
        )
    ) as surroundings
from longest
left join lateral (
    select
        address.city,
        concat_ws(' ', address.suburb, address.city, address.postcode, address.state) as surroundings
    from address
    where address.street = longest.name
    order by st_distance(address.geog, longest.geog), address.osm_key
    limit 1
) as door on true
order by longest.name
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
