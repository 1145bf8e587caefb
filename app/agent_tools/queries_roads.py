"""The statements of directions, on the tables of the snapshot that is first in search_path. Values by binds."""

from sqlalchemy import TextClause, text

from app.questions.second_path.reading import MODES

# The edges that are named by way and position, in the order in which they are named.
EDGES = text("""
select
    road_edge.from_node,
    road_edge.to_node,
    road_edge.length_m,
    road_edge.name,
    road_edge.ref,
    road_edge.class as type,
    road_edge.roundabout,
    road_edge.car_forward_kmh,
    road_edge.car_backward_kmh,
    road_edge.bicycle_forward_kmh,
    road_edge.bicycle_backward_kmh,
    road_edge.foot_forward_kmh,
    road_edge.foot_backward_kmh,
    st_asbinary(road_edge.geom) as wkb
from
    unnest(cast(:ways as bigint[]), cast(:positions as int[]))
    with ordinality as wanted (way_id, position, number)
inner join road_edge
    on
        wanted.way_id = road_edge.way_id
        and wanted.position = road_edge.position
order by wanted.number
""")


def _ways_out(mode: str) -> TextClause:
    return text(f"""
select
    here.node_id,
    road_edge.way_id,
    road_edge.position,
    road_edge.roundabout
from
    unnest(cast(:nodes as bigint[]), cast(:lons as float8[]), cast(:lats as float8[]))
    as here (node_id, lon, lat)
inner join road_edge on st_setsrid(st_makepoint(here.lon, here.lat), 4326) && road_edge.geom
where
    (here.node_id = road_edge.from_node and road_edge.{mode}_forward_kmh is not null)
    or (here.node_id = road_edge.to_node and road_edge.{mode}_backward_kmh is not null)
""")


WAYS_OUT = {mode: _ways_out(mode) for mode in MODES}
"""By mode: the edges on which one may leave each of the nodes, each node with its place."""

# Places with a name within :metres of the edges, each once.
LANDMARKS = text("""
with wanted as (
    select cast(road_edge.geom as geography) as geog
    from
        unnest(cast(:ways as bigint[]), cast(:positions as int[])) as named (way_id, position)
    inner join road_edge
        on
            named.way_id = road_edge.way_id
            and named.position = road_edge.position
)

select distinct
    poi.osm_key,
    poi.name,
    poi.class as type,
    st_x(poi.geom) as lon,
    st_y(poi.geom) as lat
from wanted
inner join poi on st_dwithin(poi.geog, wanted.geog, :metres)
where poi.name is not null
order by poi.osm_key
""")
