"""Profiles: which scorers, at which versions, make one score a question.

A stored aggregate names profile and version. A scorer's new version needs a new version of each profile with it;
a test holds the two together. A further scorer needs none: what is stored has no question that it scores.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from types import MappingProxyType
from typing import Any

from app.core.errors import NotFound
from app.core.identity import canonical_json
from app.questions.gold import DEFAULT_KEY, UNANSWERABLE
from app.scores.registry import Scorer, all_scorers, get_scorer
from app.solvers.run_kinds import ANSWERS, JUDGEMENT, RunKind

VERDICT = "verdict"
"""The scorer that scores of a judge's marks name."""


@dataclass(frozen=True)
class Profile:
    """A named set of scorers; `scorers` gives each one's version, `run_kind` the kind of runs that it scores."""

    name: str
    version: int
    scorers: Mapping[str, int]
    run_kind: RunKind = ANSWERS
    gold_key: str = DEFAULT_KEY
    """The key of the gold that answers are compared with; a question without gold under it is scored by its default."""
    of_paper: bool = False
    """Whether these are the rules of a paper: a right answer counts 1 and any other 0, over public questions alone, of
    the kinds that `scorers` names."""
    counts_unanswerable: bool = False
    """Whether the paper of these rules counts questions that cannot be answered."""

    def scorer(self, name: str) -> Scorer:
        """The scorer of that name; raises NotFound for one that there is not."""
        return get_scorer(name)

    def under(self, gold_key: str) -> "Profile":
        """The same rules over the gold of another key, as a profile of its own: `trigpoint:driving`."""
        if gold_key == self.gold_key:
            return self
        return replace(self, name=f"{self.name}:{gold_key}", gold_key=gold_key)

    def stored_versions(self) -> dict[str, int]:
        """By the scorer that a stored score names: the version that it has under these rules."""
        return {VERDICT: self.version} if self.run_kind == JUDGEMENT else dict(self.scorers)

    def version_binds(self) -> dict[str, Any]:
        """The binds by which a statement finds what is stored of this version of the profile."""
        return {"profile": self.name, "profile_version": self.version}

    def scorer_binds(self) -> dict[str, Any]:
        """The binds by which a statement finds the scores that this profile's scorers gave, in their versions.

        With `of_paper` an answer is worth 1 where its outcome is `correct`, else 0, and not the score's value.
        """
        return {
            "profile": self.name,
            "scorers": canonical_json(dict(self.scorers)),
            "of_paper": self.of_paper,
        }

    def counts(self, scorer: str, gold_kind: str | None, *, is_hidden: bool) -> bool:
        """Whether a question counts on boards of this profile; by our rules hidden ones may still be too few to do so.

        Most papers have no questions without an answer; `gold_kind` is that of the question, None where it is not
        known.
        """
        if not self.of_paper:
            return True
        counted = self.counts_unanswerable or gold_kind != UNANSWERABLE
        return scorer in self.scorers and counted and not is_hidden

    def is_current(self) -> bool:
        """Whether the registered scorers are those that this profile's version stands for."""
        return dict(self.scorers) == {scorer.name: scorer.version for scorer in all_scorers()}


_REGISTERED: dict[str, Profile] = {}
_MODULES = ("app.scores.verdicts",)
"""The modules that register further profiles; each is imported when the register is read for the first time."""


def register_profile(profile: Profile) -> Profile:
    """Add a profile to the register. Raises ValueError where another one has its name."""
    if profile.name in _REGISTERED:
        raise ValueError(f"two profiles are called {profile.name!r}")
    _REGISTERED[profile.name] = profile
    return profile


def all_profiles() -> list[Profile]:
    """Every profile whose scores stand on boards, in the order in which they were registered."""
    for module in _MODULES:
        import_module(module)
    return list(_REGISTERED.values())


def profiles_of(run_kind: RunKind) -> list[Profile]:
    """The profiles that score runs of that kind."""
    return [profile for profile in all_profiles() if profile.run_kind == run_kind]


def default_profile() -> Profile:
    """The profile by which runs of answers are shown where no other is asked for."""
    return profiles_of(ANSWERS)[0]


def find_profile(name: str) -> Profile:
    """The profile of that name; raises NotFound that lists those there are."""
    known = {profile.name: profile for profile in all_profiles()}
    if name not in known:
        raise NotFound(f"There is no profile {name!r}; there are: {', '.join(known)}.")
    return known[name]


TRIGPOINT = register_profile(
    Profile(
        "trigpoint",
        6,
        MappingProxyType(
            {
                "angle": 4,
                "area": 4,
                "count": 4,
                "distance": 3,
                "fact": 3,
                "hits": 2,
                "length": 3,
                "location": 2,
                "mapqa_distance": 1,
                "mapqa_names": 1,
                "name": 3,
                "option": 3,
                "urban_bearing": 1,
                "urban_distance": 1,
                "urban_order": 1,
                "urban_relation": 1,
                "urban_route": 1,
            }
        ),
    )
)
"""Our own rules: decimals and words read, units converted, entities by name, one value in [0, 1] a question."""
