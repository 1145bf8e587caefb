"""What the strategies read of the map that the connection's search path names."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sqlalchemy import Connection

from app.benchmarks.mapeval.distractors.plane import Floats
from app.questions.queries import ROOM_AROUND
from app.questions.strategies import Sources

PLACES_OF_CLASS = """
select
    poi.osm_key,
    poi.name,
    st_x(poi.geom) as lon,
    st_y(poi.geom) as lat,
    poi.tags ->> 'opening_hours' as opening_hours,
    (
        select count(*)
        from place_name
        where
            place_name.form = replace(
                lower(btrim(regexp_replace(normalize(poi.name, nfkc), '\\s+', ' ', 'g'))), 'ß', 'ss'
            )
    ) as bearers
from poi_class
inner join poi on poi_class.osm_key = poi.osm_key
where
    poi_class.class = %(class)s
    and (
        %(tag)s = ''
        or %(value)s = any(regexp_split_to_array(btrim(poi.tags ->> %(tag)s), '\\s*;\\s*'))
    )
order by poi.osm_key
"""
"""The places of a class, or those with a value of a tag, and how many objects of the map have the name of each."""


def read_places(connection: Connection, category: str) -> list[Mapping[str, Any]]:
    """The places of a class, or of a class narrowed by a tag: `class` or `class,tag,value`."""
    asked = dict(zip(("class", "tag", "value"), (*category.split(","), "", ""), strict=False))
    return [dict(row._mapping) for row in connection.exec_driver_sql(PLACES_OF_CLASS, asked)]


def read_rooms(sources: Sources, osm_keys: Sequence[str]) -> Floats:
    """How many metres of map are around each place; -1 for one outside of the outline."""
    binds = {"osm_keys": sorted(osm_keys), "outline": sources.snapshot.outline}
    rows = sources.connection.exec_driver_sql(ROOM_AROUND, binds)
    rooms = {row.osm_key: row.room if row.inside else -1.0 for row in rows}
    return np.array([rooms[key] for key in osm_keys])
