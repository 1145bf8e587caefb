"""Second path of roads between places, and places by roads, in a picture. Metres."""

import shapely

from app.benchmarks.mapeval_visual.second_path.seen import FOUR, four_places, place_named, seen_place
from app.questions.second_path.answering import Parameters, Refused, SecondAnswer, parameter, second_path
from app.questions.second_path.geodesy import Boundary
from app.questions.second_path.layers import Layers
from app.questions.second_path.verdicts import Verdict, wrong_rule

BENCHMARK = "mapeval_visual"


def _ways(layers: Layers, parameters: Parameters, key: str) -> list[int]:
    """The positions of the ways that are drawn of the road to which a way belongs; raises Refused where none is."""
    road, drawn = layers["road"], {*parameter(parameters, "drawn_roads", list)}
    position = road.position.get(key)
    if position is None or key not in drawn:
        raise Refused("no_answer", osm_key=key)
    name = road.rows[position].name
    return [
        road.position[one]
        for one in drawn
        if one in road.position and road.rows[road.position[one]].name == name
    ]


@second_path(BENCHMARK, "Road_Between")
def road_between(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The only one of four roads that the straight line between the places crosses."""
    poi, road = layers["poi"], layers["road"]
    ends = [seen_place(layers, parameters, name) for name in ("origin", "destination")]
    keys = list(dict.fromkeys(parameter(parameters, "roads", list)))
    if len(keys) != FOUR:
        raise Refused("bad_parameters", parameter="roads", found=keys)
    line = shapely.LineString([poi.geometries[one] for one in ends])
    crossed = {
        key: bool(shapely.intersects(road.geometries[_ways(layers, parameters, key)], line).any())
        for key in keys
    }
    names = {" ".join((road.rows[road.position[key]].name or "").split()): key for key in keys}
    facts = {"crossed": crossed, "names": names}
    found = [key for key, is_crossed in crossed.items() if is_crossed]
    if len(found) != 1:
        return SecondAnswer({}, "not_one_right", facts)
    row = road.rows[road.position[found[0]]]
    return SecondAnswer({"text": row.name, "objects": [row.osm_key]}, None, facts)


@wrong_rule(BENCHMARK, "Road_Between")
def is_not_crossed(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the road is one of the four, and the line does not cross it."""
    key = answer.facts["names"].get(text)
    if key is None:
        return False, "no road of this name is offered"
    return not answer.facts["crossed"][key], "the line crosses it" if answer.facts["crossed"][
        key
    ] else "not crossed"


@second_path(BENCHMARK, "Place_By_Road")
def place_by_road(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The one of four places that is nearest to the road."""
    poi, road = layers["poi"], layers["road"]
    ways = _ways(layers, parameters, parameter(parameters, "road", str))
    edge = Boundary(shapely.multilinestrings(shapely.get_parts(road.geometries[ways])))
    far = {
        one: float(edge.distance(*poi.coordinates[one].tolist())) for one in four_places(layers, parameters)
    }
    first = min(far, key=lambda one: (far[one], poi.keys[one]))
    row = poi.rows[first]
    facts = {"far": {poi.keys[one]: metres for one, metres in far.items()}, "nearest": far[first]}
    return SecondAnswer({"text": row.name, "objects": [row.osm_key]}, None, facts)


@wrong_rule(BENCHMARK, "Place_By_Road")
def lies_farther_off(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the place is compared, and farther from the road than the answer."""
    one = place_named(layers, text, four_places(layers, parameters))
    if one is None:
        return False, "no place of this name is compared"
    metres = answer.facts["far"][layers["poi"].keys[one]]
    return metres > answer.facts["nearest"], f"{metres:.0f} m from the road"
