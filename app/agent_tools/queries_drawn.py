"""The statements about what is drawn of an answer, on the tables of the snapshot that is first in search_path."""

from sqlalchemy import text

from app.agent_tools.queries_shapes import shape_of

# The shape of a place as GeoJSON; `fine` is in degrees, what is smaller is left out.
SHAPE = text(shape_of("key", "st_asgeojson(st_simplifypreservetopology(shape.geom, :fine), 6) as shape"))

# What lies around, the largest first: parks and waters by their area, streams after them, roads by class and length.
AROUND = text("""
with box as (
    select st_makeenvelope(:west, :south, :east, :north, 4326) as geom
),

areas as (
    select
        'park' as kind,
        park.geom,
        st_area(park.geom) as size
    from box
    inner join park on park.geom && box.geom
    union all
    select
        case when st_dimension(water.geom) = 2 then 'water' else 'stream' end as kind,
        water.geom,
        st_area(water.geom) as size
    from box
    inner join water on water.geom && box.geom
),

roads as (
    select
        case when road.class = any(:major) then 'major' else 'minor' end as kind,
        road.geom,
        st_length(road.geom) as size
    from box
    inner join road on road.geom && box.geom
    where :all_roads or road.class = any(:major)
),

drawn as (
    (
        select
            areas.kind,
            areas.geom
        from areas
        order by areas.size desc, areas.kind
        limit :most
    )
    union all
    (
        select
            roads.kind,
            roads.geom
        from roads
        order by roads.kind, roads.size desc
        limit :most
    )
)

select
    drawn.kind,
    st_asgeojson(st_simplify(drawn.geom, :fine, true), 6) as shape
from drawn
""")
