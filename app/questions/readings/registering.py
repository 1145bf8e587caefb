"""Readings: in which sensible ways a question may be understood, and under which of them its answer is another.

Benchmarks' packages register a function for each template by `@readings("gsqa", "T5")`, or with `since=2` where it
reads the questions of that version of the template and later ones. A template of which nothing is registered
is never asked in everyday words: nobody knows what its questions could mean.

Two answers are the same where ids, counts and options are equal, and numbers within full credit (SAME_SHARE).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.core.registers import VersionedRegister
from app.questions.gold import UNANSWERABLE, VALUE
from app.questions.second_path import Layers, SecondAnswer, TemplateVersion
from app.questions.text_forms import Points, point_in_words

SAME_SHARE = 0.01
"""By what share a number may differ for full credit, as the scorers of numbers have it."""
REFERENCE_POINT = "reference_point"
"""Why a question is refused, and how a reading is named that takes another point of an area."""


KINDS: Mapping[str, str] = {
    REFERENCE_POINT: "another point of an area: its centroid or a vertex of its outline",
    "sphere": "distances, directions, areas and lengths on a sphere of 6371.0088 km",
    "plane": "distances, directions, areas and lengths in a plane around the anchor or the region",
    "wider_sector": "a direction reaches 45 degrees to either side, not 22.5",
    "whole": "what lies partly inside counts whole",
    "clipped": "only the part inside counts",
    "wholly_inside": "only what lies inside whole counts",
    "without_itself": "the region itself does not count as something in it",
    "counted_twice": "ground that two objects cover counts twice",
    "mapped_once": "a place on the ground of another of its name and kind is a part of that place",
    "with_nameless": "what has no name counts too, each object by itself",
    "border_in": "ways along the border count",
    "border_out": "ways along the border do not count",
    "any_way": "named ways that are not for cars are roads, too",
    "bridges": "a road that passes over or under another one meets it",
    "unnamed_between": "a road is met that lies behind a roundabout or a slip road without a name",
    "without_private": "what may not be entered by everybody does not count",
    "without_intermittent": "water that is not always there does not count",
    "without_disused": "what is no longer used does not count",
    "carriageways_once": "two carriageways of one road, each a way of its own, count once",
    "other_use": "ground of a kind that fits two classes of land use is of the other one",
}
"""Every reading by name, and what it takes otherwise."""

TAGS_OF_READINGS = ("access", "intermittent", "seasonal", "disused", "abandoned")
"""Tags by which a reading leaves an object out."""

Coordinates = Mapping[str, tuple[float, float]]
"""By the osm_key of an area: lon and lat, in degrees, of the point of it that is meant."""


@dataclass(frozen=True)
class Reading:
    """What was found of a question: the readings that matter, by name, and what follows from them.

    `told` are the points that the text must tell. `refused` says that not even these make the answer sure. `reach` is
    how many metres around the objects that a question names changes of the map could change what matters.
    """

    matter: frozenset[str] = frozenset()
    told: Coordinates = field(default_factory=dict)
    refused: bool = False
    reach: float = 0.0

    @property
    def allows_everyday(self) -> bool:
        """Whether everyday words leave no doubt: nothing matters but a point that the text tells."""
        return not self.refused and self.matter <= {REFERENCE_POINT}

    def as_json(self) -> dict[str, Any]:
        """As it is stored with the proof."""
        return {
            "matter": sorted(self.matter),
            **({"told": {key: list(point) for key, point in sorted(self.told.items())}} if self.told else {}),
            **({"reach": self.reach} if self.reach else {}),
        }


Reader = Callable[[Layers, Mapping[str, Any], SecondAnswer], Reading]
_READERS: Mapping[str, VersionedRegister[Reader]] = {
    VALUE: VersionedRegister[Reader]("readings", "readings"),
    UNANSWERABLE: VersionedRegister[Reader]("readings", "readings of unanswerable questions"),
}
"""By the kind of gold."""


def readings(
    benchmark: str, *templates: str, since: int = 1, kind: str = VALUE
) -> Callable[[Reader], Reader]:
    """Register the decorated function as what finds the readings of these templates from that version on."""

    def register(function: Reader) -> Reader:
        for template in templates:
            _READERS[kind].add(benchmark, template, since, function)
        return function

    return register


def read_question(
    layers: Layers, asked: TemplateVersion, parameters: Mapping[str, Any], answer: SecondAnswer
) -> Reading | None:
    """Which readings matter for a question whose answer the second path gave; None where no function is registered.

    That there is no answer is proved on wider ground than most readings have: none matters where no function is
    registered for that.
    """
    reader = _READERS[asked.kind].find(asked.benchmark, asked.template, asked.version)
    if reader is None:
        return None if asked.kind == VALUE else Reading()
    return reader(layers, parameters, answer)


def is_same_number(wanted: float, got: float) -> bool:
    """Whether a number gets full credit where another is right."""
    return abs(got - wanted) <= SAME_SHARE * abs(wanted)


def texts_of_coordinates(told: Coordinates, points: Points = "decimal") -> dict[str, str]:
    """By osm_key: how a text tells a point."""
    return {key: point_in_words(lon, lat, points) for key, (lon, lat) in told.items()}
