"""Prechecks: refusals that are certain before any SQL is asked, with the very reason that the derivation would give.

Pure. A benchmark's package registers those that only it knows; one of any benchmark is here.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from app.core.registers import Register
from app.questions.derivations.base import radius_within


@dataclass(frozen=True)
class Intended:
    """A tuple of parameters that is to become a question."""

    binds: Mapping[str, Any]
    facts: Mapping[str, Mapping[str, Any]]
    """By parameter: what its pick knows of it besides."""
    variant: str = "default"
    room: float | None = None
    """Metres of map around the anchor, where that matters; -1 for an anchor outside the outline."""


Precheck = Callable[[Intended], str | None]
"""Why a tuple cannot become a question, if that is certain."""
PRECHECKS = Register[Precheck]("prechecks", "precheck")


def precheck(benchmark: str) -> Callable[[Precheck], Precheck]:
    """Register a precheck for all tuples of a benchmark's templates."""

    def register(function: Precheck) -> Precheck:
        PRECHECKS.add(benchmark, function.__name__, function)
        return function

    return register


def refused_beforehand(benchmark: str, intended: Intended) -> str | None:
    """Why a tuple cannot become a question, as far as its binds and what picks know of its places say."""
    radius = radius_within(intended.binds)
    if radius is not None and intended.room is not None and intended.room < radius:
        return "leaves_outline"
    reasons = (check(intended) for check in PRECHECKS.entries(benchmark))
    return next((reason for reason in reasons if reason is not None), None)
