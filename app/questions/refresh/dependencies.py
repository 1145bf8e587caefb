"""What of a map a stored question depends on: where, and which layers and classes, a change could change it. Pure.

Benchmarks' packages register one dependency for each of their derivations. Questions of a derivation without one are
asked again on every refresh. Stored footprints hold the same for whoever looks at a map, as polygons: a circle's is
drawn inside it, and that of a road in an area lacks the ground around the area. Here a place is an object and how many
metres around it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from app.core.registers import Register
from app.questions.derivations.base import clearance, tolerance_within
from app.questions.evidence import Key
from app.templates.header import Header

SLACK = 1.0
"""Metres beyond those that decide."""

Heed = Literal["content", "told", "drawn", "roads"]
"""What of an object counts: all of it; its name, class and shape; its class and shape; all of a road, and of any other
name, class and shape."""
Place = tuple[Key, float | None]
"""An object and how many metres around it count; None: the whole map."""


class Watch(NamedTuple):
    """A class of a layer (empty: every class) that counts within so many metres of an object; None: anywhere."""

    layer: str
    klass: str
    around: Key
    metres: float | None
    named: bool = False
    """Whether only what has a name counts."""
    least: float = 0.0
    """Square metres, or metres with all of the same name, below which nothing counts."""


class Asked(NamedTuple):
    """A stored question as far as it must be known to tell what it watches."""

    id: str
    position: int
    template: str
    snapshot_id: int
    text: str | None
    """Where the map may tell its parameters otherwise though their objects are as they were; else None."""
    shown: int
    """How many options it has."""
    options: Sequence[str] | None
    """Of a question whose dependency says `offers_classes`; else None."""
    parameters: Mapping[str, Any]
    facts: Mapping[str, Any]
    """As its dependency wants: metres to the `nearest` and the `second` place, or square metres or metres of the
    `second` largest; or the margin that its proof tells; else nothing."""
    answers: int
    """Of a question whose dependency says `accepts_a_share`, how many objects its gold has, tolerated ones too."""
    classes: Sequence[str]
    osm_keys: Sequence[str]
    name_keys: Sequence[str]
    uses_outline: bool
    register: str | None = None
    readings: Mapping[str, Any] = MappingProxyType({})
    """Which readings matter, as the proof tells it; nothing where nobody asked."""


class Ground:
    """Where a derivation's SELECT looks besides the objects that the evidence names. This one: nowhere."""

    watched: Sequence[str] | None = ()
    """Classes, or whole layers (`poi:`), that count there whatever a question asks about; None: the question's own."""

    def places(self, header: Header, one: Asked, objects: Sequence[Key]) -> Iterator[Place]:
        """Where what is watched counts. `objects` are those that the parameters name."""
        yield from ()

    def edges(self, header: Header, one: Asked, objects: Sequence[Key]) -> Iterator[tuple[Key, float]]:
        """Objects, and how many metres around each must lie as they do to the outline."""
        of_roads = header.requires[0] == "road"
        yield from (
            (key, SLACK) for key in ([("road", key) for key in one.osm_keys] if of_roads else objects)
        )


class Around(Ground):
    """A circle around the first object."""

    watched: Sequence[str] | None = None

    def radius(self, header: Header, one: Asked) -> float | None:
        """How far from its anchor a question sees; None: anywhere."""
        return self.searched(header, one)

    def searched(self, header: Header, one: Asked) -> float:
        """How many metres around its anchor the outline must reach."""
        raise NotImplementedError

    def places(self, header: Header, one: Asked, objects: Sequence[Key]) -> Iterator[Place]:
        """The circle."""
        yield objects[0], self.radius(header, one)

    def edges(self, header: Header, one: Asked, objects: Sequence[Key]) -> Iterator[tuple[Key, float]]:
        """The circle, as far as it must lie inside the outline."""
        yield objects[0], self.searched(header, one)


class WithinDistance(Around):
    """A circle whose radius is the parameter `distance`."""

    def searched(self, header: Header, one: Asked) -> float:
        """The distance, and how near to the circle nothing is sure."""
        binds = {**header.constants, "distance": one.parameters["distance"]}
        return float(one.parameters["distance"]) + tolerance_within(binds) + SLACK


class UpToSecond(Around):
    """A circle as far as the second nearest place, whose distance the proof tells."""

    def radius(self, header: Header, one: Asked) -> float | None:
        """As far as the second; without a second, anything anywhere could be it."""
        second = one.facts.get("second")
        return None if second is None else second + SLACK

    def searched(self, header: Header, one: Asked) -> float:
        """As far as a second one would be too near."""
        nearest = float(one.facts["nearest"])
        return nearest + clearance(nearest, header.margins) + SLACK


class InRegion(Ground):
    """The regions that the parameters name, and a little around their borders."""

    watched = None

    def places(self, header: Header, one: Asked, objects: Sequence[Key]) -> Iterator[Place]:
        """Each region, as far beyond its border as the header's constants say."""
        near = max(header.constants.get(name, 0.0) for name in ("edge_metres", "along_metres"))
        yield from ((key, near + SLACK) for key in objects)


@dataclass(frozen=True)
class Dependency:
    """What the questions of one derivation depend on, besides the objects that their evidence names."""

    ground: Ground = field(default_factory=Ground)
    """Where the SELECT looks."""
    heed: Heed = "content"
    """What counts of an area or a region, and of what is in it; of all else all counts. How many tags a region, an area
    or a road has is told anew without asking."""
    only_named: bool = False
    """Whether only what has a name counts."""
    counts_places: bool = False
    """Whether places are counted, so that another of the same name near by makes the count doubtful."""
    first_and_second: bool = False
    """Whether, of what counts in a region, the largest and the one behind it decide."""
    told: Literal["nothing", "distances", "margin"] = "nothing"
    """What of a question's proof the ground needs, as `facts`: metres to the nearest and the second, or the margin."""
    offers_classes: bool = False
    """Whether wrong options are classes of places, which must occur on the map."""
    orders_addresses: bool = False
    """Whether options are addresses in the order of the country, which the map's first place with one may tell."""
    accepts_a_share: bool = False
    """Whether no more may be right than a share of all places of the category, which a pick counts."""
    hints_name_objects: bool = False
    """Whether the text names objects that stand in for others of the same name."""
    meets_roads: bool = False
    """Whether the name keys are those of roads that meet the road, so that nodes where they meet count."""
    pairs_names: bool = False
    """Whether a name key may be two names, as `A and B`."""


DEPENDENCIES = Register[Dependency]("dependencies", "dependency")


def register_dependency(benchmark: str, dependency: Dependency, *derivations: str) -> None:
    """Say what the questions of these derivations of a benchmark depend on."""
    for name in derivations:
        DEPENDENCIES.add(benchmark, name, dependency)
