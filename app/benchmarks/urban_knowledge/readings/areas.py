"""Readings of questions about areas and roads: what four areas hold, how large they are, how long a road is."""

from collections.abc import Callable, Mapping
from typing import Any

import shapely

from app.benchmarks.urban_knowledge.second_path.counts import covered_points
from app.benchmarks.urban_knowledge.second_path.places_and_areas import four_areas, of_all, rank_of, steps_of
from app.benchmarks.urban_knowledge.second_path.roads import CLEARLY_OTHER, road_of
from app.questions.readings import REFERENCE_POINT, Reading, readings
from app.questions.readings.features import left_out_by, readings_without
from app.questions.readings.grounds import grounds_of
from app.questions.second_path import Layers, SecondAnswer
from app.questions.second_path.geodesy import spheroid_length

Parameters = Mapping[str, Any]
Count = Callable[[Layers, set[int]], int]


@readings(
    "urban_knowledge",
    "Retrieve_POI_Address",
    "Retrieve_POI_Name",
    "Retrieve_AOI_Address",
    "Retrieve_AOI_Name",
    "Landuse_AOI",
    "Classify_POI",
    "Find_Instances_By_Type",
    "Infer_POI_From_Scene",
    "Compare_Area_Size",
)
def read_nothing(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """What a place is and what its tags say does not depend on how one measures; what is around it the text says.

    Of areas that are compared by size each is a tenth smaller than the one before, and a plane around an area of at
    most 25 km², or a sphere, changes it by less than a hundredth.
    """
    return Reading()


OF_TWO_USES: Mapping[str, frozenset[str]] = {
    "amenity": frozenset(
        """car_rental casino charging_station cinema community_centre fuel library nightclub nursing_home pharmacy
        post_office social_facility veterinary""".split()
    ),
    "landuse": frozenset(
        "allotments brownfield construction depot grass meadow port recreation_ground".split()
    ),
    "leisure": frozenset("fitness_centre marina nature_reserve".split()),
    "natural": frozenset("fell grassland heath scrub tundra wetland".split()),
    "tourism": frozenset(
        """bed_and_breakfast camp_site caravan_site guest_house hostel hotel motel picnic_site resort viewpoint
        zoo""".split()
    ),
}
"""By key: what a second class of land use fits as well, such as a marina (water; sports and recreation) or a hotel
(culture and tourism; commercial)."""


@readings("urban_knowledge", "Landuse_AOI", since=4)
def read_land_use(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """Ground of some kinds could be of another class as well, which the note of a precise text decides."""
    aoi = layers["aoi"]
    tags = aoi.rows[aoi.position[parameters["aoi"]]].tags
    doubtful = any(values.intersection(tags.get(key, "").split(";")) for key, values in OF_TWO_USES.items())
    return Reading(frozenset({"other_use"}) if doubtful else frozenset())


@readings("urban_knowledge", "Compare_POI_Count")
def read_count(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """Places across a border may count or not, and those that not everybody may enter."""
    return _compare(layers, parameters, lambda _, points: len(points))


@readings("urban_knowledge", "Compare_Type_Diversity")
def read_diversity(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """As the number of places."""
    return _compare(layers, parameters, lambda of, points: len({of["poi"].rows[one].klass for one in points}))


def _compare(layers: Layers, parameters: Parameters, count: Count) -> Reading:
    areas, _ = four_areas(layers, parameters, of_all)
    inside = {area: set(covered_points(layers, area)[0]) for area in areas}
    across = {area: _across(layers, area) for area in areas}
    counts = {area: count(layers, inside[area]) for area in areas}
    order = sorted(areas, key=lambda area: (-counts[area], layers["aoi"].keys[area]))
    steps = steps_of(parameters, order)
    surely = {area: count(layers, inside[area] - across[area]) for area in areas}
    maybe = {area: count(layers, inside[area] | across[area]) for area in areas}
    matter = set()
    for reading in sorted(readings_without(layers["poi"], set().union(*inside.values()))):
        left = {
            area: count(layers, {one for one in points if reading not in left_out_by(layers["poi"], one)})
            for area, points in inside.items()
        }
        key = order[rank_of(parameters)]
        if any(left[after] >= left[one] for one, after in steps if key in (one, after)):
            matter.add(reading)
    if any(maybe[after] >= surely[one] for one, after in steps):
        return Reading(frozenset({*matter, REFERENCE_POINT}), refused=True)
    return Reading(frozenset(matter))


def _across(layers: Layers, area: int) -> set[int]:
    """The places whose points lie on both sides of an area's border."""
    grounds, shape = grounds_of(layers), layers["aoi"].geometries[area]
    border = shapely.boundary(shape)
    found = set()
    for one in grounds.meeting(border):
        covered = shapely.covers(shape, shapely.points(grounds.points(one)))
        if covered.any() and not covered.all():
            found.add(one)
    return found


@readings("urban_knowledge", "Query_Length")
def read_length(layers: Layers, parameters: Parameters, answer: SecondAnswer) -> Reading:
    """Without ways that not everybody may use, the length is still nearest to the same option; so it is by any measure,
    which changes it by less than a hundredth."""
    road, length = layers["road"], answer.value["length"]
    _, ways = road_of(layers, parameters["road"])
    metres = {one: spheroid_length(road.geometries[one]) for one in ways}
    matter = {
        reading
        for reading in readings_without(road, ways)
        if sum(metres[one] for one in ways if reading in left_out_by(road, one)) >= CLEARLY_OTHER / 2 * length
    }
    return Reading(frozenset(matter))
