"""Import stage: the statements of covering.py, on the tables of the snapshot in search_path. Values by binds."""

COVERED_RUNS = """
with sides as materialized (
    select (ST_Dump(%(box)s::geometry)).geom as geom
),

objects as (
    select geom from poi
    union all
    select geom from address
    union all
    select geom from other_place
    union all
    select geom from road
    union all
    select geom from park
    union all
    select geom from water
    union all
    select geom from aoi
),

spans as (
    select
        objects.geom,
        sides.geom as side,
        floor(ST_XMin(objects.geom) * %(columns)s / 360.0)::int as west,
        floor(ST_XMax(objects.geom) * %(columns)s / 360.0)::int as east,
        floor(ST_YMin(objects.geom) * %(rows)s / 180.0)::int as south,
        floor(ST_YMax(objects.geom) * %(rows)s / 180.0)::int as north
    from sides
    inner join objects on sides.geom && objects.geom
),

large as (
    select ST_Scale(part.geom, %(columns)s / 360.0, %(rows)s / 180.0) as geom
    from spans
    cross join lateral ST_Dump(ST_ClipByBox2D(spans.geom, spans.side::box2d)) as part
    where spans.west < spans.east or spans.south < spans.north
),

cells as (
    select
        west as i,
        south as j
    from spans
    where west = east and south = north
    union
    select
        cell.i,
        cell.j
    from large
    cross join lateral ST_SquareGrid(1, large.geom) as cell
    where ST_Intersects(cell.geom, large.geom)
),

numbered as (
    select
        i,
        j,
        i - row_number() over (partition by j order by i) as run
    from cells
)

select
    j,
    min(i),
    max(i)
from numbered
group by j, run
order by j, min(i)
"""
"""Cells that hold an object or a part of one, as runs in rows: row, first column, last column.

An object within one cell needs no geometry. Of what crosses the antimeridian each side is asked by itself. Regions are
not asked: a border says nothing of what is mapped within it.
"""

REGIONS_IN = """
select ST_AsBinary(geom)
from region
where admin_level is not null and not repaired and geom && %(box)s::geometry
order by osm_key
"""
"""Whole administrative areas that may share ground with the box."""
