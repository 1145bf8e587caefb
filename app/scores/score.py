"""What a scorer gives: one Score an answer; pure values, no database."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple


class Outcome(StrEnum):
    """What became of an answer that was given."""

    CORRECT = "correct"
    WRONG = "wrong"
    UNPARSEABLE = "unparseable"


class Component(NamedTuple):
    """A part of a score in its own unit; its name carries the unit where it is not a share of 1."""

    value: float
    maximum: float
    attempted: bool

    def as_json(self) -> dict[str, Any]:
        """{value, maximum, attempted}."""
        return self._asdict()


@dataclass(frozen=True)
class Score:
    """One answer under one scorer; `value` lies in [0, 1] and alone enters the mean."""

    outcome: Outcome
    value: float
    components: Mapping[str, Component] = field(default_factory=dict)
    parsed: Mapping[str, Any] = field(default_factory=dict)


def unparseable(reason: str, **components: float) -> Score:
    """The score of an answer that no reading fits: 0, with every component (name=maximum) not attempted.

    The value of a component that was not attempted is its maximum for errors and 0 for shares.
    """
    parts = {
        name: Component(maximum if "error" in name else 0.0, maximum, False)
        for name, maximum in components.items()
    }
    return Score(Outcome.UNPARSEABLE, 0.0, parts, {"unread": reason})
