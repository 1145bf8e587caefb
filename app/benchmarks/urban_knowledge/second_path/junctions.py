"""Second path of Find_Junctions: a road's junctions in an area, by nodes that roads share, never by crossings.

Lines are cut in a plane around the area (azimuthal equidistant, metres): at 5 km it is off by 1 mm in a kilometre.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import shapely
from pyproj import Proj

from app.benchmarks.urban_knowledge.second_path.places_and_areas import Sharers, of_all, of_areas
from app.benchmarks.urban_knowledge.second_path.roads import (
    bears_a_road,
    is_drivable,
    reads_like_another,
    road_of,
)
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
from app.questions.second_path.reading import RoadNode
from app.questions.second_path.verdicts import Verdict, wrong_rule

AROUND = 50.0
"""Metres around an area within which a road still counts as in it."""
DOUBT = 0.9
"""Metres about that distance within which nothing is sure: a tenth less than asked, since planes differ."""
LONGEST_SHARE = 0.795
"""What part of the road in the area its longest piece must make up: 0.8, less what planes differ by."""
_ON_LINE = 0.01
"""Metres from a line at which a point is on it."""


@dataclass(frozen=True)
class Stretch:
    """A road in an area and around it, in a plane of metres around the area."""

    name: str
    ways: list[int]
    area: int
    plane: Any
    """From lon/lat to the plane."""
    back: Any
    """And back."""
    ground: Any
    """The area, in the plane."""

    def place(self, node: RoadNode) -> Any:
        """A shared node in the plane."""
        return shapely.transform(shapely.from_wkb(node.wkb), self.plane)


def stretch_of(layers: Layers, parameters: Parameters) -> Stretch:
    """The road and the area that the parameter `stretch` names; raises Refused where there are none."""
    road_key, _, area_key = parameter(parameters, "stretch", str).partition(" ")
    name, ways = road_of(layers, road_key)
    aoi = layers["aoi"]
    area = aoi.position.get(area_key)
    if area is None:
        raise Refused("unknown_object", layer="aoi", osm_key=area_key)
    if layers["road"].keys[ways[0]] != road_key:
        raise Refused("bad_parameters", parameter="stretch", found=road_key)
    shape = aoi.geometries[area]
    middle = shapely.centroid(shape)
    projection = Proj(proj="aeqd", lat_0=middle.y, lon_0=middle.x, ellps="WGS84")

    def plane(places: Any) -> Any:
        return np.column_stack(projection(places[:, 0], places[:, 1]))

    def back(places: Any) -> Any:
        return np.column_stack(projection(places[:, 0], places[:, 1], inverse=True))

    return Stretch(name, ways, area, plane, back, shapely.transform(shape, plane))


def unfit_stretch(layers: Layers, stretch: Stretch, sharers: Sharers) -> str | None:
    """Why the road or the area may not be asked about, if so."""
    road, aoi = layers["road"], layers["aoi"]
    row = aoi.rows[stretch.area]
    if layers.outline is None:
        return "no_outline"
    wide = shapely.transform(shapely.buffer(stretch.ground, AROUND + 1.0, quad_segs=64), stretch.back)
    return first_refusal(
        (any(road.rows[one].repaired for one in stretch.ways) or row.repaired, "repaired_geometry"),
        (reads_like_another(road, stretch.name), "name_not_unique"),
        (sharers(layers, row) != 1, "name_not_unique"),
        (not shapely.contains_properly(layers.outline, wide), "leaves_outline"),
    )


def crossed_at(layers: Layers, stretch: Stretch) -> dict[RoadNode, dict[str, str]]:
    """The road's junctions wherever they are, with the other roads that share the node."""
    found: dict[RoadNode, dict[str, str]] = {}
    for way in stretch.ways:
        for node in layers.road_nodes.get(layers["road"].keys[way], []):
            others = roads_at(layers, node)
            others.pop(stretch.name, None)
            if others:
                found[node] = others
    return found


def roads_at(layers: Layers, node: RoadNode) -> dict[str, str]:
    """The named drivable roads that share a node, each with the first key of its ways there."""
    road = layers["road"]
    found: dict[str, str] = {}
    for key in sorted((f"w{way_id}" for way_id in node.way_ids), reverse=True):
        row = road.rows[road.position[key]] if key in road.position else None
        if row is not None and is_named(row) and is_drivable(row):
            found[row.name or ""] = key
    return found


def longest_piece(layers: Layers, stretch: Stretch) -> tuple[Any, float]:
    """The longest piece of the road in the area and around it, and what part of all pieces it makes up."""
    lines = shapely.transform(layers["road"].geometries[stretch.ways], stretch.plane)
    cut = shapely.intersection(
        shapely.line_merge(shapely.multilinestrings(lines)),
        shapely.buffer(stretch.ground, AROUND, quad_segs=64),
    )
    straight = [part for part in shapely.get_parts(cut) if shapely.get_dimensions(part) == 1]
    pieces = shapely.get_parts(shapely.line_merge(shapely.multilinestrings(straight)))
    if not len(pieces):
        raise Refused("no_candidate")
    lengths = shapely.length(pieces)
    return pieces[int(lengths.argmax())], float(lengths.max() / lengths.sum())


def first_and_last_junction(layers: Layers, parameters: Parameters, sharers: Sharers) -> SecondAnswer:
    """The two roads at the ends of the longest piece of a road in an area."""
    stretch = stretch_of(layers, parameters)
    unfit = unfit_stretch(layers, stretch, sharers)
    piece, share = longest_piece(layers, stretch)
    junctions = crossed_at(layers, stretch)
    off = {node: float(shapely.distance(stretch.ground, stretch.place(node))) for node in junctions}
    along = sorted(
        (float(shapely.line_locate_point(piece, stretch.place(node))), node.node_id, node)
        for node in junctions
        if shapely.distance(piece, stretch.place(node)) < _ON_LINE
    )
    facts: dict[str, Any] = {
        "share": share,
        "junctions": [[node_id, *sorted(junctions[node])] for _, node_id, node in along],
        "met": sorted(set().union(*junctions.values())),
    }
    refusal = unfit or first_refusal(
        (share < LONGEST_SHARE, "in_parts"),
        (bool(shapely.is_closed(piece)), "closed_road"),
        (any(abs(metres - AROUND) < DOUBT for metres in off.values()), "near_area_edge"),
    )
    if len(along) < 2:
        return SecondAnswer({}, refusal or "no_candidate", facts)
    ends = [junctions[along[0][2]], junctions[along[-1][2]]]
    if any(len(end) > 1 for end in ends):
        return SecondAnswer({}, refusal or "ambiguous_junction", facts)
    names = sorted(name for end in ends for name in end)
    if normal_form(names[0]) == normal_form(names[1]):
        refusal = refusal or "one_cross_road"
    objects = sorted(key for end in ends for key in end.values())
    value = {"text": f"{names[0]} and {names[1]}", "objects": objects, "names": names}
    return SecondAnswer(value, refusal, facts)


for _since, _sharers in ((1, of_areas), (6, of_all)):
    second_path("urban_knowledge", "Find_Junctions", _since)(
        partial(first_and_last_junction, sharers=_sharers)
    )


@wrong_rule("urban_knowledge", "Find_Junctions")
def _no_such_junctions(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Both are roads, and one of them at least never meets the road."""
    parts = text.split(" and ")
    pairs = [(" and ".join(parts[:i]), " and ".join(parts[i:])) for i in range(1, len(parts))]
    road = layers["road"]
    known = [pair for pair in pairs if all(bears_a_road(road, name) for name in pair)]
    if len(known) != 1:
        return False, f"{len(known)} ways to read it as two roads of the map, not one"
    met = {normal_form(name) for name in answer.facts["met"]}
    strangers = [name for name in known[0] if normal_form(name) not in met]
    if not strangers:
        return False, "both roads share a node with the road"
    return True, f"{strangers[0]} shares no node with the road"
