"""Roads and their junctions, by the nodes that ways of the map share."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from shapely import Point

from tests.readers.knowledge_map import GEOD, Feature, MapFile, Shape, reach, square
from tests.readers.knowledge_text import Asked, Unclear

AROUND = 50.0
"""Metres around an area that count as in it."""
_LARGE = ("motorway", "trunk", "primary", "secondary", "tertiary")
BETWEEN = 30.0
"""Metres between two carriageways of one road, at most."""
DRIVABLE = frozenset(
    {
        *_LARGE,
        *(f"{one}_link" for one in _LARGE),
        "unclassified",
        "residential",
        "living_street",
        "service",
        "road",
    }
)
"""Kinds of ways that cars drive on: no path, no steps, nothing for feet, bicycles or horses, no track."""
ACCESS = ("motorcar", "motor_vehicle", "vehicle", "access")
"""Keys that say whether cars may, the first of them before all others."""


def drivable(world: MapFile) -> Iterator[Feature]:
    """Ways with a name that cars drive on."""
    for road in world.roads:
        allowed = next((road.tags[key] for key in ACCESS if key in road.tags), "yes")
        if road.name and road.tags["highway"] in DRIVABLE and allowed != "no":
            yield road


def has_twin(road: Feature, ways: Sequence[Feature]) -> bool:
    """Whether a one-way way is one of two carriageways: beside its middle runs another one-way way of the road."""
    middle = road.shape.interpolate(0.5, normalized=True)
    beside = square(middle, BETWEEN)
    return is_one_way(road) and any(
        0 < other.shape.project(middle) < other.shape.length and other.shape.intersects(beside)
        for other in ways
        if other is not road and is_one_way(other)
    )


def is_one_way(road: Feature) -> bool:
    """Whether cars may drive in one direction only."""
    return road.tags.get("oneway", "no") in ("yes", "1", "true", "-1")


def road_and_area(asked: Asked) -> tuple[str, Shape]:
    """The name of the road and the area that a text speaks of."""
    roads = [one for one in asked.mentions if any(feature.is_road for feature in one.features)]
    areas = [one for one in asked.mentions if any(feature.is_area for feature in one.features)]
    if len(roads) > 1:
        roads = [one for one in roads if one not in areas] or roads[:1]
    areas = [one for one in areas if one not in roads]
    if len(roads) != 1 or len(areas) != 1:
        raise Unclear(f"roads {[one.name for one in roads]}, areas {[one.name for one in areas]}")
    shapes = [one.shape for one in areas[0].features if one.is_area]
    if len(shapes) != 1:
        raise Unclear(f"{len(shapes)} areas are called {areas[0].name}")
    return roads[0].name, reach(shapes[0], AROUND)


def crossings(world: MapFile, road: str, area: Shape) -> Mapping[int, set[str]]:
    """By node of a road in an area: the names of the other roads that share it."""
    own = {
        number
        for way in drivable(world)
        if way.name == road
        for number, lon, lat in way.nodes
        if area.covers(Point(lon, lat))
    }
    found: dict[int, set[str]] = defaultdict(set)
    for way in drivable(world):
        if way.name != road:
            for number, _, _ in way.nodes:
                if number in own:
                    found[number].add(way.name)
    return found


def meets(world: MapFile, road: str, area: Shape) -> set[str]:
    """The names of all roads that share a node with a road in an area."""
    return set().union(*crossings(world, road, area).values())


def first_and_last(world: MapFile, road: str, area: Shape) -> Iterator[Sequence[str]]:
    """Pairs of the roads at the two junctions that lie farthest apart along a road, the names in their order."""
    there = crossings(world, road, area)
    if len(there) < 2:
        raise Unclear(f"{len(there)} junctions")
    links = _links(world, road, area)
    _, one, other = max(
        (far, one, other) for one in there for other, far in _along(links, one).items() if other in there
    )
    for first in there[one]:
        for last in there[other]:
            if first != last:
                yield sorted((first, last))


Links = Mapping[int, Mapping[int, float]]


def _links(world: MapFile, road: str, area: Shape) -> Links:
    """By node of a road in an area: the next nodes along it, and the metres to each."""
    found: dict[int, dict[int, float]] = defaultdict(dict)
    for way in drivable(world):
        if way.name != road:
            continue
        for (one, x, y), (other, u, v) in zip(way.nodes, way.nodes[1:], strict=False):
            if area.covers(Point(x, y)) and area.covers(Point(u, v)):
                found[one][other] = found[other][one] = float(GEOD.inv(x, y, u, v)[2])
    return found


def _along(links: Links, start: int) -> Mapping[int, float]:
    """The shortest way in metres along a road to each of its nodes."""
    found = {start: 0.0}
    open_nodes = {start}
    while open_nodes:
        node = min(open_nodes, key=found.__getitem__)
        open_nodes.remove(node)
        for following, metres in links.get(node, {}).items():
            if found[node] + metres < found.get(following, float("inf")):
                found[following] = found[node] + metres
                open_nodes.add(following)
    return found
