"""Second path of Compare_POI_Count and Compare_Type_Diversity: what four areas of interest hold, counted by points."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import shapely

from app.benchmarks.urban_knowledge.second_path.places_and_areas import (
    CLEARLY_SMALLER,
    EDGE_METRES,
    Sharers,
    four_areas,
    of_all,
    of_areas,
    rank_of,
    steps_of,
)
from app.questions.second_path.answering import Parameters, SecondAnswer, first_refusal, second_path
from app.questions.second_path.geodesy import is_in_box
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


def _compared(
    layers: Layers, parameters: Parameters, measure: Measure, least: int, sharers: Sharers
) -> SecondAnswer:
    aoi, poi = layers["aoi"], layers["poi"]
    positions, unfit = four_areas(layers, parameters, sharers)
    points = {area: covered_points(layers, area) for area in positions}
    counts = {area: measure(layers, covered) for area, (covered, _) in points.items()}
    least_sure = {
        area: measure(layers, sorted({*covered} - {*near})) for area, (covered, near) in points.items()
    }
    most_possible = {
        area: measure(layers, sorted({*covered, *near})) for area, (covered, near) in points.items()
    }
    by_count = sorted(positions, key=lambda area: (-counts[area], aoi.keys[area]))
    key = aoi.rows[by_count[rank_of(parameters)]]
    steps = steps_of(parameters, by_count)
    facts: dict[str, Any] = {
        "counts": {aoi.keys[area]: counts[area] for area in positions},
        "possible": {aoi.keys[area]: most_possible[area] for area in positions},
        "sure": {aoi.keys[area]: least_sure[area] for area in positions},
        "key": key.osm_key,
    }
    refusal = first_refusal(
        (
            any(poi.rows[one].repaired for covered, _ in points.values() for one in covered),
            "repaired_geometry",
        ),
        (any(len(covered) < least for covered, _ in points.values()), "too_few_points"),
        (any(counts[one] == 0 for one, _ in steps), "zero"),
        (any(counts[after] > CLEARLY_SMALLER * counts[one] for one, after in steps), "margin"),
        (
            any(
                least_sure[one] == 0 or most_possible[after] > CLEARLY_SMALLER * least_sure[one]
                for one, after in steps
            ),
            "near_boundary",
        ),
    )
    value = {"text": key.name, "objects": [key.osm_key], "count": counts[aoi.position[key.osm_key]]}
    return SecondAnswer(value, unfit or refusal, facts)


def points_of_rank(layers: Layers, parameters: Parameters, sharers: Sharers) -> SecondAnswer:
    """The name of that of four areas which has the wanted rank by the number of POIs that it covers."""
    return _compared(layers, parameters, _number, 0, sharers)


def kinds_of_rank(layers: Layers, parameters: Parameters, sharers: Sharers) -> SecondAnswer:
    """The name of that of four areas which has the wanted rank by the number of main classes of its POIs."""
    return _compared(layers, parameters, _kinds, LEAST_POINTS, sharers)


def points_mapped_once_of_rank(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The same, where no name of the four is anything else's, and no POI in them is mapped twice."""
    found = points_of_rank(layers, parameters, of_all)
    areas, _ = four_areas(layers, parameters, of_all)
    twice = any(
        not layers["poi"].twins.keys().isdisjoint(points)
        for area in areas
        for points in covered_points(layers, area)
    )
    return replace(found, refusal="twice_mapped") if twice and not found.refusal else found


second_path("urban_knowledge", "Compare_POI_Count")(partial(points_of_rank, sharers=of_areas))
second_path("urban_knowledge", "Compare_POI_Count", since=3)(points_mapped_once_of_rank)
for _since, _sharers in ((1, of_areas), (3, of_all)):
    second_path("urban_knowledge", "Compare_Type_Diversity", _since)(partial(kinds_of_rank, sharers=_sharers))


@wrong_rule("urban_knowledge", "Compare_POI_Count")
@wrong_rule("urban_knowledge", "Compare_Type_Diversity")
def _clearly_another_number(
    layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str
) -> Verdict:
    aoi = layers["aoi"]
    bearers = aoi.by_name.get(normal_form(text), [])
    if len(bearers) != 1:
        return False, f"{len(bearers)} areas bear this name, not one"
    one, key = aoi.keys[bearers[0]], answer.facts["key"]
    possible, sure = answer.facts["possible"], answer.facts["sure"]
    if one not in possible:
        return False, f"{one} of this name is none of the four areas compared"
    if one == key:
        return False, f"{one} of this name is the area asked for"
    why = f"{one} has {sure[one]} to {possible[one]}, the key {sure[key]} to {possible[key]}"
    fewer = possible[one] <= CLEARLY_SMALLER * sure[key] and sure[key] > 0
    return fewer or (possible[key] <= CLEARLY_SMALLER * sure[one] and sure[one] > 0), why
