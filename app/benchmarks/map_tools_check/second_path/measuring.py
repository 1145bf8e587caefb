"""Second path of Distance_Between, Direction_To and Area_Of. Metres, degrees clockwise from north, square metres."""

from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.layers import Layers, is_named
from app.questions.second_path.names import normal_form
from app.questions.second_path.told_places import metres_between, told_place

CLOSEST = 200.0
SMALLEST = 500.0


def _measured(layers: Layers, parameters: Parameters) -> tuple[float, float, str | None]:
    """Metres, azimuth, and why they may not be asked for."""
    origin, *_ = told_place(layers, parameters, "origin")
    destination, *_ = told_place(layers, parameters, "destination")
    metres, azimuth = metres_between(layers, origin, destination)
    return metres, azimuth, first_refusal((metres < CLOSEST, "too_close"))


@second_path("map_tools_check", "Distance_Between")
def distance_between(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """How far two places are apart."""
    metres, _, refusal = _measured(layers, parameters)
    return SecondAnswer({"distance": metres}, refusal)


@second_path("map_tools_check", "Direction_To")
def direction_to(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """In which direction one place lies from another."""
    metres, azimuth, refusal = _measured(layers, parameters)
    return SecondAnswer({} if refusal else {"azimuth": azimuth}, refusal, {"metres": metres})


@second_path("map_tools_check", "Area_Of")
def area_of(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """How large a named area is."""
    aoi, key = layers["aoi"], parameter(parameters, "area", str)
    position = aoi.position.get(key)
    if position is None:
        raise Refused("unknown_object", layer="aoi", osm_key=key)
    row, metres = aoi.rows[position], aoi.area(position)
    bearers = layers.bearing.get(normal_form(row.name or ""), set())
    refusal = first_refusal(
        (not is_named(row), "unnamed_place"),
        (row.repaired, "repaired_geometry"),
        (bearers != {key}, "name_not_unique"),
        (metres < SMALLEST, "too_small"),
    )
    return SecondAnswer({"area": metres}, refusal)
