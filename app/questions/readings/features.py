"""Readings: what one may leave out though it is on the map."""

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from app.questions.second_path.layers import Layer
from app.questions.second_path.reading import Row

CLOSED = frozenset({"private", "no", "customers"})
"""Values of access by which not everybody may enter."""
_NOT_ALWAYS = frozenset({"yes", "seasonal", "dry"})

_left_out: WeakKeyDictionary[Layer, dict[int, frozenset[str]]] = WeakKeyDictionary()


def readings_without(layer: Layer, positions: Iterable[int]) -> set[str]:
    """The readings that leave out any of these objects of a layer, by name."""
    return set().union(*(left_out_by(layer, one) for one in positions))


def left_out_by(layer: Layer, position: int) -> frozenset[str]:
    """The readings that leave an object out, by name."""
    known = _left_out.setdefault(layer, {})
    if position not in known:
        known[position] = frozenset(_find(layer.rows[position]))
    return known[position]


def _find(row: Row) -> Iterable[str]:
    tags = row.tags
    if tags.get("access") in CLOSED:
        yield "without_private"
    if tags.get("intermittent") in _NOT_ALWAYS or tags.get("seasonal", "no") != "no":
        yield "without_intermittent"
    if tags.get("disused") == "yes" or tags.get("abandoned") == "yes":
        yield "without_disused"
