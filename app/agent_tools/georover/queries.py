"""The statements of GeoRover's tools, on the tables of the snapshot that is first in search_path. Values by binds.

Each look-up goes by an index on geography; distances are those on the spheroid.
"""

from sqlalchemy import text

_POINT = "cast(st_setsrid(st_makepoint(:lon, :lat), 4326) as geography)"
_WHOSE = """
coalesce(
    'run by ' || lower(nullif(btrim({row}.tags ->> 'operator'), '')),
    'called ' || lower(nullif(btrim({row}.name), ''))
)
"""
"""Whose a place is: of places that are one station, this is the same."""

# Places of a class within the radius, and those beyond it that are linked to them, step by step: the stations that they
# make are whole. `linked`: the places that are the same one's and near.
MEMBERS_AROUND = text(f"""
with recursive member as (
    select poi_class.osm_key
    from poi_class
    where
        poi_class.class = :class
        and st_dwithin(poi_class.geog, {_POINT}, :radius)
    union
    select other.osm_key
    from member
    inner join poi as one on member.osm_key = one.osm_key
    inner join poi_class as near
        on
            near.class = :class
            and st_dwithin(near.geog, one.geog, :linked)
    inner join poi as other on near.osm_key = other.osm_key
    where {_WHOSE.format(row="other")} = {_WHOSE.format(row="one")}
)

select
    one.osm_key,
    nullif(btrim(one.name), '') as name,
    st_distance(one.geog, {_POINT}) as metres,
    array(
        select other.osm_key
        from poi_class as near
        inner join poi as other on near.osm_key = other.osm_key
        where
            near.class = :class
            and st_dwithin(near.geog, one.geog, :linked)
            and {_WHOSE.format(row="other")} = {_WHOSE.format(row="one")}
    ) as linked
from member
inner join poi as one on member.osm_key = one.osm_key
order by one.osm_key
""")

POIS_AROUND = text(f"""
select
    poi.osm_key,
    st_distance(poi.geog, {_POINT}) as metres
from poi
where
    st_dwithin(poi.geog, {_POINT}, :radius)
    and poi.classes && cast(:classes as text[])
order by metres, poi.osm_key
""")
