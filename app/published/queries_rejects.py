"""What an import could not take, of published maps."""

from sqlalchemy import text

MOST_REJECTS = 1000

REJECTS = text("""
select
    layer,
    osm_key,
    name,
    reason,
    detail,
    st_x(place) as lon,
    st_y(place) as lat,
    alike
from map_rejects(:snapshot_id, :most)
""")

OUTLINE = text("""
select st_asgeojson(st_simplify(snapshot.outline, 0.0005), 5) as outline
from snapshot
where snapshot.id = :snapshot_id
""")
