"""Second path of Compare_POI_Count and Compare_Type_Diversity: what four areas of interest hold, counted by points."""

from collections.abc import Callable
from typing import Any

import shapely

from app.questions.second_path.answering import Parameters, SecondAnswer, first_refusal, second_path
from app.questions.second_path.geodesy import is_in_box
from app.questions.second_path.knowledge import CLEARLY_SMALLER, EDGE_METRES, four_areas
from app.questions.second_path.layers import Layers
from app.questions.second_path.names import normal_form
from app.questions.second_path.verdicts import Verdict, wrong_rule

LEAST_POINTS = 5
"""How many points of interest an area must hold for their kinds to be compared."""
Measure = Callable[[Layers, list[int]], int]


def covered_points(layers: Layers, area: int) -> tuple[list[int], list[int]]:
    """The positions of the POIs that an area covers, and of those too near to its boundary."""
    poi, shape = layers["poi"], layers["aoi"].geometries[area]
    if not len(poi):
        return [], []
    inside = is_in_box(poi.coordinates, shapely.bounds(shape), 0.0)
    inside[inside] = shapely.covers(shape, shapely.points(poi.coordinates[inside]))
    near = layers["aoi"].boundary(area).within(poi.coordinates, EDGE_METRES - 1e-3)
    return inside.nonzero()[0].tolist(), [index for index, _ in near]


def _number(layers: Layers, points: list[int]) -> int:
    return len(points)


def _kinds(layers: Layers, points: list[int]) -> int:
    return len({layers["poi"].rows[one].klass for one in points})


def _compared(layers: Layers, parameters: Parameters, measure: Measure, least: int) -> SecondAnswer:
    aoi, poi = layers["aoi"], layers["poi"]
    positions, unfit = four_areas(layers, parameters)
    points = {area: covered_points(layers, area) for area in positions}
    counts = {area: measure(layers, covered) for area, (covered, _) in points.items()}
    least_sure = {
        area: measure(layers, sorted({*covered} - {*near})) for area, (covered, near) in points.items()
    }
    most_possible = {
        area: measure(layers, sorted({*covered, *near})) for area, (covered, near) in points.items()
    }
    by_count = sorted(positions, key=lambda area: (-counts[area], aoi.keys[area]))
    most, second = counts[by_count[0]], counts[by_count[1]]
    others = max(most_possible[area] for area in by_count[1:])
    facts: dict[str, Any] = {
        "counts": {aoi.keys[area]: counts[area] for area in positions},
        "possible": {aoi.keys[area]: most_possible[area] for area in positions},
        "sure": least_sure[by_count[0]],
    }
    refusal = first_refusal(
        (
            any(poi.rows[one].repaired for covered, _ in points.values() for one in covered),
            "repaired_geometry",
        ),
        (any(len(covered) < least for covered, _ in points.values()), "too_few_points"),
        (most == 0, "zero"),
        (second > CLEARLY_SMALLER * most, "margin"),
        (others > CLEARLY_SMALLER * least_sure[by_count[0]], "near_boundary"),
    )
    key = aoi.rows[by_count[0]]
    value = {"text": key.name, "objects": [key.osm_key], "count": most}
    return SecondAnswer(value, unfit or refusal, facts)


@second_path("Compare_POI_Count")
def most_points(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The name of that of four areas which covers the most POIs."""
    return _compared(layers, parameters, _number, 0)


@second_path("Compare_Type_Diversity")
def most_kinds(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The name of that of four areas whose POIs are of the most main classes."""
    return _compared(layers, parameters, _kinds, LEAST_POINTS)


@wrong_rule("Compare_POI_Count")
@wrong_rule("Compare_Type_Diversity")
def _clearly_fewer(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    aoi = layers["aoi"]
    bearers = aoi.by_name.get(normal_form(text), [])
    if len(bearers) != 1:
        return False, f"{len(bearers)} areas bear this name, not one"
    key = aoi.keys[bearers[0]]
    possible, most = answer.facts["possible"], answer.facts["sure"]
    if key not in possible:
        return False, f"{key} of this name is none of the four areas compared"
    return possible[
        key
    ] <= CLEARLY_SMALLER * most, f"{key} has {possible[key]} at most, the key {most} surely"
