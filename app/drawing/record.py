"""What a picture shows, in pixels: every label, every symbol, every named road. Questions read this, never the map.

Boxes are left, top, right, bottom of the ink, in pixels from the top left corner, y down; right and bottom are the
first pixels without ink.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

VERSION = 1
PixelBox = tuple[int, int, int, int]


@dataclass(frozen=True)
class DrawnLabel:
    """A label. `text` is what can be read in the picture, `name` what the map says."""

    osm_key: str
    kind: str
    """`place`, `region`, `park`, `ground`, `water`, `road`, `ref` or `house`."""
    klass: str
    text: str
    name: str
    box: PixelBox
    whole: bool
    at: tuple[float, float]
    """The pixel of what it names: a place's symbol, the middle of an area's label, of the piece of line it follows."""


@dataclass(frozen=True)
class DrawnSymbol:
    """A symbol. Places of several classes share a symbol, and nobody can tell them by it."""

    osm_key: str
    symbol: str
    klass: str
    name: str | None
    labelled: bool
    box: PixelBox
    whole: bool


@dataclass(frozen=True)
class DrawnRoad:
    """A road with a name: all ways of this name that are drawn, joined and cut to the picture."""

    name: str
    osm_keys: Sequence[str]
    classes: Sequence[str]
    lines: Sequence[Sequence[tuple[float, float]]]
    labelled: bool


@dataclass(frozen=True)
class LeftOut:
    """A named thing in the frame that has no label in the picture, and why: `zoom`, `room` or `letters`."""

    osm_key: str
    kind: str
    klass: str
    name: str
    reason: str


@dataclass(frozen=True)
class Record:
    """The whole record of a picture."""

    frame: Mapping[str, Any]
    symbols: Sequence[DrawnSymbol]
    labels: Sequence[DrawnLabel]
    roads: Sequence[DrawnRoad]
    left_out: Sequence[LeftOut]
    scale_bar: Mapping[str, Any]
    """`metres`, `pixels`, and the `box` of bar and text."""
    licence: Mapping[str, Any]
    """`text` and `box`."""

    def as_json(self) -> dict[str, Any]:
        """As stored beside a picture."""
        return {"version": VERSION, **asdict(self)}


def read_record(told: Mapping[str, Any]) -> Record:
    """A record as `as_json` gave it, read from JSON."""
    return Record(
        frame=told["frame"],
        symbols=[DrawnSymbol(**{**one, "box": tuple(one["box"])}) for one in told["symbols"]],
        labels=[
            DrawnLabel(**{**one, "box": tuple(one["box"]), "at": tuple(one["at"])}) for one in told["labels"]
        ],
        roads=[
            DrawnRoad(**{**one, "lines": [[tuple(place) for place in line] for line in one["lines"]]})
            for one in told["roads"]
        ],
        left_out=[LeftOut(**one) for one in told["left_out"]],
        scale_bar={**told["scale_bar"], "box": tuple(told["scale_bar"]["box"])},
        licence={**told["licence"], "box": tuple(told["licence"]["box"])},
    )
