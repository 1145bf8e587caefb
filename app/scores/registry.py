"""The scorers by name; each registers itself with the decorator when its module is imported."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from app.core.errors import NotFound
from app.scores.score import Score


class EpisodeStep(NamedTuple):
    """A call that led to an answer, as it is stored: its kind, its request and its response."""

    kind: str
    request: Mapping[str, Any]
    response: Mapping[str, Any]


Judge = Callable[[str, Mapping[str, Any], Sequence[str] | None], Score]
"""(answer, the gold's value, the question's options) → Score; never raises on any answer."""
EpisodeJudge = Callable[[Sequence[EpisodeStep], str, Mapping[str, Any], Sequence[str] | None], Score]
"""The same, with the steps of the answer's episode before it; of an answer that was sent in there are none."""


@dataclass(frozen=True)
class Scorer:
    """A registered scorer. `graded` tells that values between 0 and 1 occur.

    `judge_episode` is set for a scorer that looks at the whole episode; its `judge` then takes that to have no steps.
    """

    name: str
    version: int
    graded: bool
    judge: Judge
    judge_episode: EpisodeJudge | None = None


_SCORERS: dict[str, Scorer] = {}


def scorer(name: str, *, version: int, graded: bool) -> Callable[[Judge], Judge]:
    """Register the function as the scorer `name`; a change of what it gives needs a new `version`."""

    def register(judge: Judge) -> Judge:
        _add(Scorer(name, version, graded, judge))
        return judge

    return register


def episode_scorer(name: str, *, version: int, graded: bool) -> Callable[[EpisodeJudge], EpisodeJudge]:
    """Register the function as the scorer `name` that is handed the steps of an answer's episode too."""

    def register(judge: EpisodeJudge) -> EpisodeJudge:
        _add(Scorer(name, version, graded, partial(judge, ()), judge))
        return judge

    return register


def _add(added: Scorer) -> None:
    if added.name in _SCORERS:
        raise ValueError(f"two scorers are called {added.name!r}")
    _SCORERS[added.name] = added


def get_scorer(name: str) -> Scorer:
    """The scorer of that name; raises NotFound that lists those there are."""
    try:
        return _SCORERS[name]
    except KeyError:
        raise NotFound(f"There is no scorer {name!r}; there are {', '.join(sorted(_SCORERS))}.") from None


def all_scorers() -> list[Scorer]:
    """Every registered scorer, by name."""
    return [_SCORERS[name] for name in sorted(_SCORERS)]
