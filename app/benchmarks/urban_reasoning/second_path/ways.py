"""Second path of Shortest_Way: the corners are looked for again, and both ways around are added up. Metres, degrees."""

from itertools import pairwise

import shapely

from app.benchmarks.urban_reasoning.second_path.shapes import Vertex
from app.benchmarks.urban_reasoning.second_path.two_places import decimal_text, judged, metres_on_sphere
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
from app.questions.second_path.reading import Row

DRIVABLE = frozenset(
    "living_street motorway motorway_link primary primary_link residential road secondary secondary_link service"
    " tertiary tertiary_link trunk trunk_link unclassified".split()
)
"""Classes of ways made for cars; a tag may close them."""
CLOSED_BY = ("motor_vehicle", "vehicle", "access")
SHORTEST, LONGEST, CLEARLY_LONGER = 30.0, 1500.0, 1.03


@second_path("urban_reasoning", "Shortest_Way")
def shortest_way(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The shorter of the two ways around a round of roads."""
    roads, keys = layers["road"], parameter(parameters, "network", list)
    if not 5 <= len(set(keys)) == len(keys) <= 6 or not set(keys) <= roads.position.keys():
        raise Refused("bad_parameters", parameter="network", found=keys)
    rows = [roads.rows[roads.position[key]] for key in keys]
    if not all(map(is_named, rows)):
        raise Refused("unnamed_place")
    names = [row.name or "" for row in rows]
    if len(set(map(normal_form, names))) < len(names):
        raise Refused("names_alike")
    ways = {name: _ways_called(layers, name) for name in names}
    corners = [_corner(layers, ways[one], ways[other]) for one, other in pairwise([names[-1], *names])]
    segments = dict(zip(names, pairwise([*corners, corners[0]]), strict=True))
    metres = {name: metres_on_sphere(*ends) for name, ends in segments.items()}
    half = len(names) // 2
    around = names[:half], names[: half - 1 : -1]
    routes = sorted((sum(metres[name] for name in route), route) for route in around)
    (length, best), (other, _) = routes
    refusal = first_refusal(
        (len(set(corners)) < len(corners), "points_alike"),
        (not SHORTEST <= min(metres.values()) <= max(metres.values()) <= LONGEST, "segment_out_of_range"),
        (other < length * CLEARLY_LONGER, "margin"),
    )
    facts = {
        "metres_of_segments": {name: round(metres[name], 1) for name in sorted(names)},
        "ways": [{"segments": route, "metres": round(size, 1)} for size, route in routes],
    }
    value = {
        "route": best,
        "segments": {name: sorted([lat, lon] for lon, lat in segments[name]) for name in sorted(names)},
        "start": [corners[0][1], corners[0][0]],
        "goal": [corners[half][1], corners[half][0]],
        "length": length,
        **judged("NV", f"{', then '.join(best)} ({length:.0f} m)", facts),
    }
    return SecondAnswer(value, refusal, {"second": other})


def _ways_called(layers: Layers, name: str) -> set[str]:
    """The keys of the drivable ways of a road."""
    roads = layers["road"]
    return {
        roads.keys[one]
        for one in roads.by_name.get(normal_form(name), [])
        if roads.rows[one].name == name and is_drivable(roads.rows[one])
    }


def is_drivable(row: Row) -> bool:
    """Whether a way is made for cars, and not closed to them."""
    return row.klass in DRIVABLE and all(row.tags.get(key) != "no" for key in CLOSED_BY)


def _corner(layers: Layers, one: set[str], other: set[str]) -> Vertex:
    """Where two roads meet, as printed: the node of the smallest id that a way of each has."""
    nodes = {node.node_id: node for key in one for node in layers.road_nodes.get(key, [])}
    met = [node for node in nodes.values() if other & {f"w{way}" for way in node.way_ids}]
    if not met:
        raise Refused("no_answer")
    ((lon, lat),) = shapely.from_wkb(min(met, key=lambda node: node.node_id).wkb).coords
    return float(decimal_text(lon)), float(decimal_text(lat))
