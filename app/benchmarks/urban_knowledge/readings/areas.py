"""Readings of questions about areas: what four areas hold, how large they are, what their land is used for."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import shapely

from app.benchmarks.urban_knowledge.second_path.counts import covered_points
from app.benchmarks.urban_knowledge.second_path.places_and_areas import four_areas, of_all, rank_of, steps_of
from app.questions.readings import REFERENCE_POINT, Reading, readings
from app.questions.readings.features import left_out_by, readings_without
from app.questions.readings.grounds import grounds_of
from app.questions.second_path import Layers, SecondAnswer

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


def _number(layers: Layers, points: set[int]) -> int:
    return len(points)


def _kinds(layers: Layers, points: set[int]) -> int:
    return len({layers["poi"].rows[one].klass for one in points})


Inside = Mapping[int, set[int]]
"""By position of an area: the positions of the places that count in it."""


def read_count(
    layers: Layers, parameters: Parameters, answer: SecondAnswer, count: Count, with_itself: bool
) -> Reading:
    """Places across a border may count or not, and those that not everybody may enter; `with_itself`: so may areas."""
    areas, _ = four_areas(layers, parameters, of_all)
    inside = {area: set(covered_points(layers, area)[0]) for area in areas}
    across = {area: _across(layers, area) for area in areas}
    counts = {area: count(layers, inside[area]) for area in areas}
    order = sorted(areas, key=lambda area: (-counts[area], layers["aoi"].keys[area]))
    steps = steps_of(parameters, order)
    surely = {area: count(layers, inside[area] - across[area]) for area in areas}
    maybe = {area: count(layers, inside[area] | across[area]) for area in areas}
    key = order[rank_of(parameters)]
    matter = set()
    for reading, fewer in _left_out(layers, inside, with_itself):
        left = {area: count(layers, points) for area, points in fewer.items()}
        if any(left[after] >= left[one] for one, after in steps if key in (one, after)):
            matter.add(reading)
    if any(maybe[after] >= surely[one] for one, after in steps):
        return Reading(frozenset({*matter, REFERENCE_POINT}), refused=True)
    return Reading(frozenset(matter))


def _left_out(layers: Layers, inside: Inside, with_itself: bool) -> Iterator[tuple[str, Inside]]:
    """Readings by which fewer places count, and those that still do."""
    poi, keys = layers["poi"], layers["aoi"].keys
    for reading in sorted(readings_without(poi, set().union(*inside.values()))):
        yield (
            reading,
            {
                area: {one for one in points if reading not in left_out_by(poi, one)}
                for area, points in inside.items()
            },
        )
    if with_itself:
        yield (
            "without_itself",
            {area: {one for one in points if poi.keys[one] != keys[area]} for area, points in inside.items()},
        )


for _template, _count in (("Compare_POI_Count", _number), ("Compare_Type_Diversity", _kinds)):
    for _since, _with_itself in ((1, False), (5, True)):
        readings("urban_knowledge", _template, since=_since)(
            partial(read_count, count=_count, with_itself=_with_itself)
        )


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
