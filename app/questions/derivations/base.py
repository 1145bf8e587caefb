"""Derivations: registered pure functions that turn the rows of a template's SELECT into gold.

A derivation sees rows, binds and numbers of the header, nothing else; the same rows always give the same gold.
Distances in metres, angles in degrees, areas in square metres, coordinates lon, lat.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.core.errors import ProofError
from app.core.registers import Register
from app.questions.gold import VALUE, GoldKeys

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """What a derivation is told."""

    rows: Sequence[Row]
    binds: Mapping[str, Any]
    margins: Mapping[str, float]
    limits: Mapping[str, float]
    facts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By parameter: what its pick knew besides; empty when a stored question is asked again."""


@dataclass(frozen=True)
class Derived:
    """Gold, or the reason why there is none."""

    gold: dict[str, Any] = field(default_factory=dict)
    refusal: str | None = None
    evidence: Sequence[tuple[str, str]] = ()
    """Layer and osm_key of every object that the gold stands on, apart from the parameters."""
    margin: dict[str, Any] = field(default_factory=dict)
    radius: float | None = None
    """How far from its anchor the question looks."""
    centre: tuple[float, float] | None = None
    """Lon and lat of the point that it looks around, where that is no place of the layer poi."""
    facts: Sequence[str] = ()
    """Ids of the external facts that the question stands on."""
    names: Sequence[str] = ()
    """What must stay the only one of its kind besides names: how a fact describes a place."""
    gold_kind: str = VALUE
    """`unanswerable` where saying that the question cannot be answered is right; `app.questions.gold` says more."""
    gold_keys: GoldKeys = field(default_factory=dict)
    """Answers under further keys."""
    solutions: Mapping[str, Any] = field(default_factory=dict)
    """What leads to the answer, by kind, such as `tool_plan`: JSON."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """By parameter: what the text says for its value, where that is known from the rows alone. Gold holds it, too, so
    that the second path proves it."""


Derivation = Callable[[Case], Derived]
DERIVATIONS = Register[Derivation]("derivations", "derivation")


def derivation(benchmark: str, name: str) -> Callable[[Derivation], Derivation]:
    """Register a derivation under the name that headers of the benchmark's templates call it by."""

    def register(function: Derivation) -> Derivation:
        DERIVATIONS.add(benchmark, name, function)
        return function

    return register


def derive(benchmark: str, name: str, case: Case) -> Derived:
    """What a benchmark's derivation makes of a case. Raises ProofError where the benchmark has none of that name."""
    function = DERIVATIONS.find(benchmark, name)
    if function is None:
        raise ProofError(f"{benchmark} has no derivation {name!r}.")
    return function(case)


def refused(reason: str, radius: float | None = None) -> Derived:
    """No gold, and why."""
    return Derived(refusal=reason, radius=radius)


def clearance(nearest: float, margins: Mapping[str, float]) -> float:
    """How far behind the nearest everything else must be: max(metres, ratio of the nearest's distance)."""
    return max(margins["metres"], margins["ratio"] * nearest)


def tolerance_within(binds: Mapping[str, Any]) -> float:
    """How near to the circle of a question within a distance nothing is sure: max(metres, ratio of the distance)."""
    return float(max(binds["edge_metres"], binds["edge_ratio"] * binds["distance"]))


def radius_within(binds: Mapping[str, Any]) -> float | None:
    """How far from its anchor a question within a distance looks; None for other questions."""
    return binds["distance"] + tolerance_within(binds) if "distance" in binds else None


def as_object(row: Row) -> dict[str, Any]:
    """A place as gold keeps it."""
    kept = ("osm_key", "name", "lon", "lat", "distance")
    return {name: row[name] for name in kept if name in row}
