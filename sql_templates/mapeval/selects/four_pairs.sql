-- Eight places are four pairs, in the order in which they are given; how far the two of each pair are apart.
with member as (
    select
        given.osm_key,
        given.number,
        poi.name,
        poi.geog
    from unnest(string_to_array(:places, ',')) with ordinality as given (osm_key, number)
    inner join poi on given.osm_key = poi.osm_key
)

select
    row_number() over (order by st_distance(one.geog, other.geog), one.osm_key) as place,
    one.osm_key,
    one.name as one_name,
    other.name as other_name,
    one.name || ' and ' || other.name as name,
    st_distance(one.geog, other.geog) as distance
from member as one
inner join member as other on one.number + 1 = other.number
where one.number % 2 = 1
order by place
