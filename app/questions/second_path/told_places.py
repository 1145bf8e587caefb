"""Which places and regions questions may speak of: those that their name tells apart."""

from app.questions.second_path.answering import Parameters, Refused, first_refusal, parameter
from app.questions.second_path.geodesy import measure
from app.questions.second_path.layers import Layers, is_named
from app.questions.second_path.names import normal_form
from app.questions.second_path.nearby import place_of

FOUR = 4


def told_place(layers: Layers, parameters: Parameters, name: str) -> tuple[int, float, float]:
    """Position, lon and lat of the place that the parameter means; raises Refused where its name does not tell it."""
    found = place_of(layers, parameters, name)
    check_name(layers, found[0])
    return found


def check_name(layers: Layers, position: int) -> None:
    """Raise Refused where a place has no name, or something else has it, too."""
    row = layers["poi"].rows[position]
    if not is_named(row):
        raise Refused("unnamed_place", osm_key=row.osm_key)
    bearers = layers.bearing[normal_form(row.name or "")]
    if bearers != {row.osm_key}:
        raise Refused("name_not_unique", osm_key=row.osm_key, bearers=sorted(bearers))


def four_places(layers: Layers, parameters: Parameters) -> list[int]:
    """The positions of the four places that are compared; raises Refused for other sets."""
    return compared_places(layers, parameters, FOUR)


def compared_places(layers: Layers, parameters: Parameters, count: int) -> list[int]:
    """The positions of so many places that are compared, in their given order; raises Refused for other sets."""
    poi, keys = layers["poi"], parameter(parameters, "places", list)
    positions = [poi.position[key] for key in dict.fromkeys(keys) if key in poi.position]
    if len(positions) != count:
        raise Refused("bad_parameters", parameter="places", found=keys)
    for one in positions:
        if poi.rows[one].repaired:
            raise Refused("repaired_geometry", osm_key=poi.keys[one])
        check_name(layers, one)
    return positions


def metres_between(layers: Layers, one: int, other: int) -> tuple[float, float]:
    """Metres from one place to another, and the azimuth of the way at its start."""
    poi = layers["poi"]
    lon, lat = poi.coordinates[one].tolist()
    metres, azimuth = measure(lon, lat, poi.coordinates[[other], 0], poi.coordinates[[other], 1])
    return float(metres[0]), float(azimuth[0])


def told_region(layers: Layers, parameters: Parameters) -> int:
    """The position of the region; raises Refused where its name does not tell it, or the map cuts it."""
    region, key = layers["region"], parameter(parameters, "region", str)
    position = region.position.get(key)
    if position is None:
        raise Refused("unknown_object", layer="region", osm_key=key)
    row = region.rows[position]
    unfit = first_refusal(
        (not is_named(row), "unnamed_region"),
        (row.repaired, "repaired_geometry"),
        (is_named(row) and len(region.by_name[normal_form(row.name or "")]) > 1, "name_not_unique"),
    )
    if unfit is not None:
        raise Refused(unfit, osm_key=key)
    return position


def place_called(layers: Layers, text: str, compared: list[int]) -> int | None:
    """The position of the place of that name among those that are compared; None where there is not just one."""
    bearers = layers.bearing.get(normal_form(text), set())
    found = [one for one in compared if layers["poi"].keys[one] in bearers]
    return found[0] if len(bearers) == len(found) == 1 else None
