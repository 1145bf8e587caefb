"""What questions for a place share: which rows may answer, and how gold holds names or locations.

Rows of questions "towards" a second anchor carry `apart`, how many metres the anchors are apart; where nothing was
found there is one row without a place.
"""

from collections.abc import Mapping, Sequence
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
        if not self.needs_name:
            return kept
        return {"names": sorted({name for row in objects for name in names_of(row)}), **kept}

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


def names_of(row: Row) -> set[str]:
    """The name of a row; where it is a list, "A; B", each name too. SELECTs of older versions do not take it apart."""
    parts = row.get("each_name") or ()
    return {row["name"], *(filter(None, map(str.strip, parts)) if len(parts) > 1 else ())}


def places_found(case: Case) -> list[Row]:
    """The rows that hold a place."""
    return [row for row in case.rows if row["osm_key"] is not None]


def is_own_class(facts: Mapping[str, Mapping[str, Any]], binds: Mapping[str, Any]) -> bool:
    """Whether the anchor's class is one of the classes that are asked for, as far as picks tell the two.

    A category that is narrowed tells its one class; of another, `bind` lists the classes.
    """
    anchor = facts.get("anchor", {}).get("class")
    if anchor is None or "category" not in facts:
        return False
    narrowed = facts["category"].get("class")
    return anchor in ([narrowed] if narrowed else str(binds["category"]).split(","))


def unfit(case: Case) -> str | None:
    """Why the parameters do not go together, whatever is found: the anchor's class, or the two anchors."""
    if is_own_class(case.facts, case.binds):
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
