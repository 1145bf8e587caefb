"""Profiles: which scorers, at which versions, make one score a question.

A stored aggregate names profile and version. A scorer's new version needs a new version of each profile with it;
a test holds the two together.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from app.scores.registry import Scorer, all_scorers, get_scorer


@dataclass(frozen=True)
class Profile:
    """A named set of scorers; `scorers` gives each one's version."""

    name: str
    version: int
    scorers: Mapping[str, int]

    def scorer(self, name: str) -> Scorer:
        """The scorer of that name; raises NotFound for one that there is not."""
        return get_scorer(name)

    def is_current(self) -> bool:
        """Whether the registered scorers are those that this profile's version stands for."""
        return dict(self.scorers) == {scorer.name: scorer.version for scorer in all_scorers()}


TRIGPOINT = Profile(
    "trigpoint",
    5,
    MappingProxyType(
        {
            "angle": 4,
            "area": 4,
            "count": 4,
            "distance": 3,
            "fact": 3,
            "length": 3,
            "location": 2,
            "name": 3,
            "option": 3,
        }
    ),
)
"""Our own rules: decimals and words read, units converted, entities by name, one value in [0, 1] a question."""
