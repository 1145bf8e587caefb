"""Second path of Identify_Connections: roads that share a node with a road in an area, or are two hops away."""

from functools import partial
from hashlib import md5
from typing import Any

import shapely

from app.benchmarks.urban_knowledge.second_path.junctions import (
    AROUND,
    DOUBT,
    Stretch,
    crossed_at,
    roads_at,
    stretch_of,
    unfit_stretch,
)
from app.benchmarks.urban_knowledge.second_path.places_and_areas import Sharers, of_all, of_areas
from app.benchmarks.urban_knowledge.second_path.roads import bears_a_road, ways_of
from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.layers import Layers
from app.questions.second_path.names import normal_form
from app.questions.second_path.reading import RoadNode
from app.questions.second_path.verdicts import Verdict, wrong_rule

FEW = 2
"""Up to how many connected roads it is not asked which one is not connected: three are wanted beside it."""


def _metres_off(stretch: Stretch, node: RoadNode) -> float:
    return float(shapely.distance(stretch.ground, stretch.place(node)))


def _is_inside(stretch: Stretch, node: RoadNode) -> bool:
    return _metres_off(stretch, node) <= AROUND


def _is_doubtful(stretch: Stretch, node: RoadNode) -> bool:
    return abs(_metres_off(stretch, node) - AROUND) < DOUBT


def _second_hops(
    layers: Layers, stretch: Stretch, direct: set[str], met: set[str]
) -> tuple[set[str], list[RoadNode]]:
    """The roads that share a node there with a connected one and never meet the road; all such nodes."""
    keys = [layers["road"].keys[way] for name in direct for way in ways_of(layers["road"], name)]
    found: set[str] = set()
    nodes = []
    for node in {node for key in keys for node in layers.road_nodes.get(key, [])}:
        others = set(roads_at(layers, node)) - met - {stretch.name}
        if others:
            nodes.append(node)
            found |= others if _is_inside(stretch, node) else set()
    return found, nodes


def connected_road(layers: Layers, parameters: Parameters, sharers: Sharers) -> SecondAnswer:
    """A road that is connected, or one that is not and is two hops away."""
    stretch = stretch_of(layers, parameters)
    form = parameter(parameters, "form", str)
    if form not in ("connected", "not_connected"):
        raise Refused("bad_parameters", parameter="form", found=form)
    junctions = crossed_at(layers, stretch)
    met = {name for names in junctions.values() for name in names}
    direct = {name for node, names in junctions.items() if _is_inside(stretch, node) for name in names}
    second, hops = _second_hops(layers, stretch, direct, met)
    facts: dict[str, Any] = {"met": sorted(met), "direct": sorted(direct), "second": sorted(second)}
    refusal = unfit_stretch(layers, stretch, sharers) or first_refusal(
        (not direct, "no_candidate"),
        (form == "not_connected" and len(direct) <= FEW, "other_form"),
        (form == "not_connected" and not second, "no_second_hop"),
        (any(_is_doubtful(stretch, node) for node in (*junctions, *hops)), "near_area_edge"),
    )
    asked = direct if form == "connected" else second
    if not asked:
        return SecondAnswer({}, refusal, facts)
    value = parameters["stretch"]
    key = min(
        asked, key=lambda name: (md5(f"{value}{name}".encode(), usedforsecurity=False).hexdigest(), name)
    )
    first = layers["road"].keys[ways_of(layers["road"], key)[0]]
    return SecondAnswer({"text": key, "objects": [first]}, refusal, facts)


for _since, _sharers in ((1, of_areas), (6, of_all)):
    second_path("urban_knowledge", "Identify_Connections", _since)(partial(connected_road, sharers=_sharers))


@wrong_rule("urban_knowledge", "Identify_Connections")
def _connected_otherwise(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Asked for a connected road: it meets the road nowhere. Asked for one that is not: it does, where it is asked."""
    if not bears_a_road(layers["road"], text):
        return False, "no drivable road bears this name"
    among = "met" if parameters["form"] == "connected" else "direct"
    shares = normal_form(text) in {normal_form(name) for name in answer.facts[among]}
    if parameters["form"] == "connected":
        return not shares, f"it shares {'a' if shares else 'no'} node with the road"
    return shares, f"it shares {'a' if shares else 'no'} node with the road there"
