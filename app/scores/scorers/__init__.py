"""The scorers, one a file; importing this package registers them all."""

from app.scores.scorers import (
    angle,
    area,
    count,
    distance,
    fact,
    length,
    location,
    mapqa_distance,
    mapqa_names,
    name,
    option,
    urban_bearing,
    urban_distance,
    urban_order,
    urban_relation,
    urban_route,
)

__all__ = [
    "angle",
    "area",
    "count",
    "distance",
    "fact",
    "length",
    "location",
    "mapqa_distance",
    "mapqa_names",
    "name",
    "option",
    "urban_bearing",
    "urban_distance",
    "urban_order",
    "urban_relation",
    "urban_route",
]
