"""Second path: what questions about points around an anchor share. Metres on WGS84 geodesics."""

from collections.abc import Sequence
from typing import Any

from app.questions.second_path.answering import Parameters, Refused, parameter
from app.questions.second_path.geodesy import Found, margin
from app.questions.second_path.layers import Layer, Layers

Facts = dict[str, Any]


def place_of(layers: Layers, parameters: Parameters, name: str) -> tuple[int, float, float]:
    """Position, lon and lat of the POI that the parameter `name` means; raises Refused where it cannot serve."""
    poi = layers["poi"]
    key = parameter(parameters, name, str)
    position = poi.position.get(key)
    if position is None:
        raise Refused("unknown_object", layer="poi", osm_key=key)
    if poi.rows[position].repaired:
        raise Refused("repaired_geometry", osm_key=key)
    lon, lat = poi.coordinates[position].tolist()
    return position, lon, lat


def described(layer: Layer, found: Found) -> dict[str, Any]:
    """A found point as gold holds it."""
    lon, lat = layer.coordinates[found.position].tolist()
    row = layer.rows[found.position]
    return {"osm_key": row.osm_key, "name": row.name, "lon": lon, "lat": lat, "distance": found.distance}


def outline_refusal(layers: Layers, lon: float, lat: float, reach: float, facts: Facts) -> str | None:
    """Why the circle of `reach` metres may leave the outline, if so; adds outline_distance to `facts`."""
    facts["search_radius"] = reach
    room = layers.room(lon, lat)
    if room is None:
        return "no_outline"
    inside, facts["outline_distance"] = room
    return None if inside and facts["outline_distance"] >= reach else "leaves_outline"


def nearest_facts(found: Sequence[Found]) -> Facts:
    """The distances that a question about a nearest is decided by; `found` by distance, not empty."""
    nearest = found[0].distance
    facts: Facts = {"nearest": nearest, "margin": margin(nearest)}
    if len(found) > 1:
        facts["second"] = found[1].distance
    return facts


def rivals(found: Sequence[Found]) -> list[Found]:
    """Those of `found` (by distance, not empty) that are nearer than the nearest's distance and its margin."""
    reach = found[0].distance + margin(found[0].distance)
    return [one for one in found if one.distance < reach]
