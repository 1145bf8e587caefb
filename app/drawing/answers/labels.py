"""The labels of a record as somebody reads them: by their text, and where they seem to be."""

import unicodedata
from dataclasses import dataclass
from math import hypot

from app.drawing.record import DrawnLabel, Record

POINTS = ("place", "park", "water", "ground", "region")
"""Kinds of labels that name one spot; those of roads and streams follow lines."""
Spot = tuple[float, float]


@dataclass(frozen=True)
class Unclear:
    """A picture does not tell the answer beyond doubt: a word that says why, for counts of reasons."""

    reason: str


def folded(text: str) -> str:
    """A text as people compare names: without case, accents and differences of width."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(one for one in plain if not unicodedata.combining(one)).split())


def find_spot(record: Record, osm_key: str) -> DrawnLabel | Unclear:
    """The whole label of a thing at a spot.

    `not_drawn`: it has none. `not_unique`: another label reads the same, so that nobody can tell which is meant.
    """
    own = [one for one in record.labels if one.osm_key == osm_key and one.kind in POINTS and one.whole]
    if not own:
        return Unclear("not_drawn")
    text = folded(own[0].text)
    others = [one for one in record.labels if folded(one.text) == text and one.osm_key != osm_key]
    return Unclear("not_unique") if others or len(own) > 1 else own[0]


def middle_of(label: DrawnLabel) -> Spot:
    """The middle of the letters."""
    left, top, right, bottom = label.box
    return (left + right) / 2, (top + bottom) / 2


def spots_of(one: DrawnLabel, other: DrawnLabel) -> list[tuple[Spot, Spot]]:
    """Both ways in which two labels can be measured: from what they name, and from their letters."""
    return [(one.at, other.at), (middle_of(one), middle_of(other))]


def pixels_between(one: Spot, other: Spot) -> float:
    """Pixels from spot to spot."""
    return hypot(other[0] - one[0], other[1] - one[1])
