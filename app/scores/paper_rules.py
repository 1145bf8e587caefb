"""How a benchmark's paper scores answers, where that is known: registered by the benchmark's package.

Rows of these rules stand beside ours, under the profile `published` or a variant of it. Boards of the profile count
right answers, and show the mean of each measure.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.core.errors import NotFound
from app.core.packages import benchmark_packages
from app.core.registers import Register
from app.scores.expectations import Judged
from app.scores.profiles import Profile, all_profiles, find_profile
from app.scores.registry import Scorer, all_scorers

PROFILE = "published"
Objects = list[dict[str, Any]]
Reader = Callable[[str, str], Objects]
"""(our scorer's name, the answer) → the objects that the answer tells of."""


class Point(NamedTuple):
    """Degrees on WGS84."""

    lon: float
    lat: float


class Measure(NamedTuple):
    """A component of the paper's scores that boards show; an answer without an attempt is the worst possible one."""

    name: str
    """As scores call the component."""
    label: str
    better: Literal["higher", "lower"]
    counts: Literal["all", "attempted"]
    """Over which answers the paper takes the mean."""
    tables: str
    """Where the paper reports it, such as `Table 8`."""


@dataclass(frozen=True)
class PaperRules:
    """The rules of one paper."""

    version: int
    read: Reader
    """Parses an answer by rules, without asking anybody."""
    scorer: Callable[[str, Reader], Scorer | None]
    """The rules for questions of our scorer of that name, with answers parsed so; None where the paper has no such."""
    scorer_of_parsed: Callable[[str, Mapping[str, Any]], Scorer | None]
    """The same for one answer that came with its parsed form, as the benchmark's format of published files keeps it."""
    has_parsed_score: Callable[[Judged], bool]
    """Whether answers to a question are scored by what they parse to."""
    distance_error: Callable[[Iterable[Point], Sequence[Point]], float | None]
    """Of predicted and right places: a share from 0 (right) to 1; None where nothing was predicted."""
    score_cases: Callable[[Iterable[bytes], str], Iterator[Mapping[str, Any]]]
    """Lines of a file of cases, and its name → the scores of each case."""
    right: str
    """Which answers are right, in words."""
    measures: Sequence[Measure]
    """What boards show beside the share of right answers."""
    output_types: Sequence[str]
    """The types of answers over which the paper takes plain means."""
    counts_unanswerable: bool = False
    """Whether the paper counts questions that cannot be answered."""
    numbers_options: bool = False
    """Whether its prompts number options from 1, with 0 for "cannot be answered": then our rules take numbers, too."""

    def scored_by(self, question: Judged, read: Reader) -> Judged:
        """The question, of a kind that the paper has, with its answers parsed by `read`."""
        return question._replace(scorer=self.scorer(question.scorer.name, read) or question.scorer)

    def scored_parsed(self, question: Judged, parsed: Mapping[str, Any]) -> Judged:
        """The question for one answer, which came with what its authors read from it."""
        return question._replace(
            scorer=self.scorer_of_parsed(question.scorer.name, parsed) or question.scorer
        )


PAPER_RULES = Register[PaperRules]("published", "rules of a paper")


def find_rules(benchmark: str) -> PaperRules | None:
    """The rules of the benchmark's paper; None where there are none."""
    return PAPER_RULES.find(benchmark, PROFILE)


def paper_profile(rules: PaperRules) -> Profile:
    """The rules as a profile of boards; it names the kinds of questions that the paper has."""
    kinds = {
        one.name: rules.version for one in all_scorers() if rules.scorer(one.name, rules.read) is not None
    }
    return Profile(
        PROFILE,
        rules.version,
        MappingProxyType(kinds),
        of_paper=True,
        counts_unanswerable=rules.counts_unanswerable,
    )


def find_profile_for(benchmark: str, name: str) -> Profile:
    """The profile of that name as it scores runs of the benchmark.

    Raises NotFound that lists those there are, or says that the benchmark's paper has no rules of its own.
    """
    if name != PROFILE:
        known = [one.name for one in all_profiles()]
        if name not in known:
            raise NotFound(f"There is no profile {name!r}; there are: {', '.join([*known, PROFILE])}.")
        return find_profile(name)
    rules = find_rules(benchmark)
    if rules is None:
        raise NotFound(
            f"{benchmark} has no profile {PROFILE!r}: its paper scores answers as Trigpoint does, so its boards are of "
            f"the default profile. Benchmarks with rules of a paper: {', '.join(benchmarks_with_rules())}."
        )
    return paper_profile(rules)


def benchmarks_with_rules() -> list[str]:
    """The benchmarks whose papers have rules of their own, sorted."""
    return [name for name in benchmark_packages() if find_rules(name) is not None]
