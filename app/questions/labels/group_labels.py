"""Several places in one text, each with its name and its class: those of a trip, or of people. Pure.

A row has the columns names and kinds, one of each place.
"""

from collections.abc import Mapping
from typing import Any

from app.questions.labels.place_labels import class_place_label, listed


def trip_label(row: Mapping[str, Any]) -> str:
    """`from Kunsthaus (museum) to Adler (restaurant), then to Post (hotel) and then to Bad (swimming pool)`."""
    start, *stops = _places_of(row)
    *others, last = stops
    return (
        f"from {start} to {', then to '.join(others)} and then to {last}"
        if others
        else f"from {start} to {last}"
    )


def tour_label(row: Mapping[str, Any]) -> str:
    """`from Kunsthaus (museum) to Adler (restaurant), Post (hotel) and Bad (swimming pool)`."""
    start, *stops = _places_of(row)
    return f"from {start} to {listed(stops)}"


def listed_places_label(row: Mapping[str, Any]) -> str:
    """`Kunsthaus (museum) and Post (hotel)`."""
    return listed(_places_of(row))


def _places_of(row: Mapping[str, Any]) -> list[str]:
    places = zip(row["names"], row["kinds"], strict=True)
    return [class_place_label({"name": name, "class": kind}) for name, kind in places]
