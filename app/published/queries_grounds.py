"""Where a version's public questions and their answers lie; row-level security leaves out the hidden ones."""

from sqlalchemy import text

GRID = text("""
with place as (
    select
        question.snapshot_id,
        true as is_question,
        st_x(st_centroid(footprint.area)) as lon,
        st_y(st_centroid(footprint.area)) as lat
    from footprint
    inner join question on footprint.version_id = question.version_id and footprint.question_id = question.id
    where
        footprint.version_id = :version_id
        and footprint.area is not null
    union all
    select
        question.snapshot_id,
        false as is_question,
        cast(answer.place ->> 'lon' as float8) as lon,
        cast(answer.place ->> 'lat' as float8) as lat
    from gold
    inner join question on gold.version_id = question.version_id and gold.question_id = question.id
    cross join lateral jsonb_path_query(gold.value, '$.objects[*] ? (exists (@.lon))') as answer (place)
    where
        gold.version_id = :version_id
        and gold.is_default
),

extent as (
    select
        place.snapshot_id,
        min(place.lon) as west,
        min(place.lat) as south,
        max(place.lon) as east,
        max(place.lat) as north,
        cos(radians((min(place.lat) + max(place.lat)) / 2)) as narrow
    from place
    group by place.snapshot_id
),

cut as (
    select
        extent.*,
        greatest((extent.east - extent.west) * extent.narrow, extent.north - extent.south, 0.001) / :cells as cell
    from extent
)

select
    snapshot.name,
    snapshot.data_timestamp,
    cut.west,
    cut.south,
    cut.east,
    cut.north,
    case
        when snapshot.outline is not null
            then st_asgeojson(st_simplify(snapshot.outline, cut.cell / 4), 5)
    end as outline,
    avg(place.lon) as lon,
    avg(place.lat) as lat,
    count(*) filter (where place.is_question) as questions,
    count(*) filter (where not place.is_question) as answers
from place
inner join cut on place.snapshot_id = cut.snapshot_id
inner join snapshot on place.snapshot_id = snapshot.id
group by
    snapshot.id,
    snapshot.name,
    snapshot.data_timestamp,
    snapshot.outline,
    cut.west,
    cut.south,
    cut.east,
    cut.north,
    cut.cell,
    floor((place.lon - cut.west) * cut.narrow / cut.cell),
    floor((cut.north - place.lat) / cut.cell)
order by snapshot.id, lat desc, lon
""")

TILE = text("""
select tile_of_version(:version_id, :z, :x, :y) || answer_tile_of_version(:version_id, :z, :x, :y)
""")
"""Layers stand one behind the other."""
