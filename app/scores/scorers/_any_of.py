"""What scorers share whose gold is one number, or the places of which each has a number that is right."""

from collections.abc import Mapping
from typing import Any


def accepted_numbers(gold: Mapping[str, Any], name: str) -> list[float]:
    """The numbers called `name` that count as right: gold's own, else those of its objects and of what is tolerated.

    Raises KeyError or ValueError where gold has none.
    """
    if name in gold:
        return [float(gold[name])]
    numbers = [float(place[name]) for place in (*gold["objects"], *gold.get("tolerated", []))]
    if not numbers:
        raise ValueError(f"gold has no {name}")
    return numbers
