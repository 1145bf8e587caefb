"""Which changes of a map can change the Knowledge Module's questions, by derivation."""

from collections.abc import Iterator, Sequence

from app.benchmarks.urban_knowledge.derivations.roads import LEAST_WRONG
from app.benchmarks.urban_knowledge.readings.roads import BETWEEN
from app.questions.evidence import Key
from app.questions.refresh.dependencies import (
    SLACK,
    Around,
    Asked,
    Dependency,
    Ground,
    Place,
    UpToSecond,
    register_dependency,
)
from app.templates.header import Header


class Scene(Around):
    """What lies around a hidden place, whatever it is."""

    watched = ("poi:", "other_place:")

    def searched(self, header: Header, one: Asked) -> float:
        """As far as the scene is shown, and as far as nothing of the place's class may be."""
        return max(header.constants["scene_metres"], header.constants["clear_metres"]) + 1 + SLACK


class NearAreas(Ground):
    """The areas and places that the parameters name, with what may lie inside, or around them."""

    def __init__(self, layer: str) -> None:
        self.watched = (f"{layer}:",)

    def places(self, header: Header, one: Asked, objects: Sequence[Key]) -> Iterator[Place]:
        """As far beyond a border as nothing is sure."""
        yield from ((key, header.constants["edge_metres"] + SLACK) for key in objects)


class RoadInArea(Ground):
    """A road in an area and around it: the evidence names its ways, and nodes where roads meet are watched apart.

    Which readings matter depends on all ways near the road's own.
    """

    watched = ("road:",)

    def places(self, header: Header, one: Asked, objects: Sequence[Key]) -> Iterator[Place]:
        """The ways that the evidence names, where anybody asked which readings matter."""
        if one.readings:
            yield from ((("road", key), BETWEEN + SLACK) for key in one.osm_keys)

    def edges(self, header: Header, one: Asked, objects: Sequence[Key]) -> Iterator[tuple[Key, float]]:
        """The area, which is the first object, and what is around it."""
        yield objects[0], _around(header)


class Connections(RoadInArea):
    """As a road in an area, with all roads there, where wrong options may lie that are not connected."""

    def places(self, header: Header, one: Asked, objects: Sequence[Key]) -> Iterator[Place]:
        """The area, too, unless the question can be asked whatever roads there are that are not connected."""
        yield from super().places(header, one, objects)
        direct, second_hop = one.facts["direct"], one.facts["second"]
        if direct > header.limits["few"] and second_hop < LEAST_WRONG:
            yield objects[0], _around(header)


def _around(header: Header) -> float:
    return header.constants["around_metres"] + header.constants["edge_metres"] + SLACK


register_dependency("urban_knowledge", Dependency(UpToSecond(), told="distances"), "nearest_option")
register_dependency(
    "urban_knowledge", Dependency(Scene(), offers_classes=True), "scene_option", "kind_in_scene_option"
)
register_dependency("urban_knowledge", Dependency(NearAreas("aoi")), "cover_option")
register_dependency(
    "urban_knowledge", Dependency(NearAreas("poi"), counts_places=True), "pois_of_rank_option"
)
register_dependency("urban_knowledge", Dependency(NearAreas("poi")), "kinds_of_rank_option")
register_dependency(
    "urban_knowledge",
    Dependency(RoadInArea(), heed="roads", meets_roads=True, pairs_names=True),
    "junctions_option",
)
register_dependency(
    "urban_knowledge",
    Dependency(Connections(), heed="roads", told="margin", meets_roads=True),
    "connection_option",
)
register_dependency("urban_knowledge", Dependency(offers_classes=True), "class_option", "kind_option")
register_dependency("urban_knowledge", Dependency(orders_addresses=True), "address_in_order_option")
register_dependency("urban_knowledge", Dependency(hints_name_objects=True), "distance_in_context_option")
register_dependency(
    "urban_knowledge",
    Dependency(),
    "area_of_rank_option",
    "landuse_option",
    "instance_option",
    "coordinates_option",
    "address_option",
    "name_at_address_option",
    "length_option",
    "distance_option",
)
