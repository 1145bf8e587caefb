"""What questions for a place share: which rows may answer, and how gold holds names or locations.

Rows of questions "towards" a second anchor carry `apart`, how many metres the anchors are apart; where nothing was
found there is one row without a place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.questions.derivations.base import Case, Row, as_object

Key = tuple[str, str]
ADDRESS_PARTS = ("housenumber", "street", "suburb", "city", "postcode", "state", "country")


@dataclass(frozen=True)
class PlaceAnswer:
    """What is asked of a place: its name, or where it is."""

    one: str
    many: str
    needs_name: bool

    def gold(self, objects: Sequence[Row], tolerated: Sequence[Row]) -> dict[str, Any]:
        """Every valid answer; with names where these are asked for. A location needs neither name nor address."""
        kept = {
            "objects": [self._as_object(row) for row in objects],
            "tolerated": [self._as_object(row) for row in tolerated],
        }
        return {"names": sorted({row["name"] for row in objects}), **kept} if self.needs_name else kept

    def evidence(self, rows: Sequence[Row]) -> list[Key]:
        """The places; where they are asked for, also the address nearest to each that has none of its own."""
        places = [("poi", row["osm_key"]) for row in rows]
        if self.needs_name:
            return places
        addresses = filter(None, map(address_of, rows))
        return places + [("address", one["osm_key"]) for one in addresses if "osm_key" in one]

    def _as_object(self, row: Row) -> dict[str, Any]:
        return as_object(row) if self.needs_name else {**as_object(row), "address": address_of(row)}


NAMES = PlaceAnswer("name", "names", needs_name=True)
LOCATIONS = PlaceAnswer("location", "locations", needs_name=False)


def places_found(case: Case) -> list[Row]:
    """The rows that hold a place."""
    return [row for row in case.rows if row["osm_key"] is not None]


def unfit(case: Case) -> str | None:
    """Why the parameters do not go together, whatever is found: the category's class, or the two anchors."""
    anchor = case.facts.get("anchor", {}).get("class")
    if anchor is not None and anchor == case.facts.get("category", {}).get("class"):
        return "own_class"
    apart = case.rows[0].get("apart") if case.rows else None
    if apart is None:
        return None
    if apart < case.binds["apart_least"]:
        return "anchors_too_near"
    return "anchors_far_apart" if apart > case.binds["apart_most"] else None


def is_second_anchor(case: Case, rows: Sequence[Row]) -> bool:
    """Whether the place that the direction is named by is among the rows."""
    return any(row["osm_key"] == case.binds.get("towards") for row in rows)


def address_of(row: Row) -> dict[str, Any] | None:
    """A place's address as gold keeps it, from its row of poi_address; None where the map has none near.

    {source, housenumber, street, suburb, city, postcode, state, country}, what is unknown left out; the nearest
    address (source `near`) with its own osm_key and how many metres it is away.
    """
    found = row["address"]
    if found is None or "address_key" not in found:  # SELECTs of older versions give it as gold keeps it
        return found
    is_near = found["source"] == "near"
    near = {"osm_key": found["address_key"], "metres": found["distance_m"]} if is_near else {}
    return {"source": found["source"], **near} | {
        name: found[name] for name in ADDRESS_PARTS if found[name] is not None
    }
