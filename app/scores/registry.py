"""The scorers by name; each registers itself with the decorator when its module is imported."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.core.errors import NotFound
from app.scores.score import Score

Judge = Callable[[str, Mapping[str, Any], Sequence[str] | None], Score]
"""(answer, the gold's value, the question's options) → Score; never raises on any answer."""


@dataclass(frozen=True)
class Scorer:
    """A registered scorer. `graded` tells that values between 0 and 1 occur."""

    name: str
    version: int
    graded: bool
    judge: Judge


_SCORERS: dict[str, Scorer] = {}


def scorer(name: str, *, version: int, graded: bool) -> Callable[[Judge], Judge]:
    """Register the function as the scorer `name`; a change of what it gives needs a new `version`."""

    def register(judge: Judge) -> Judge:
        if name in _SCORERS:
            raise ValueError(
                f"two scorers are called {name!r}: {_SCORERS[name].judge.__module__}, {judge.__module__}"
            )
        _SCORERS[name] = Scorer(name, version, graded, judge)
        return judge

    return register


def get_scorer(name: str) -> Scorer:
    """The scorer of that name; raises NotFound that lists those there are."""
    try:
        return _SCORERS[name]
    except KeyError:
        raise NotFound(f"There is no scorer {name!r}; there are {', '.join(sorted(_SCORERS))}.") from None


def all_scorers() -> list[Scorer]:
    """Every registered scorer, by name."""
    return [_SCORERS[name] for name in sorted(_SCORERS)]
