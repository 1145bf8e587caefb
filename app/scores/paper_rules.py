"""How a benchmark's paper scores answers, where that is known: registered by the benchmark's package.

Rows of these rules stand beside ours, under the profile `published` or a variant of it; no board adds them up.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from app.core.packages import benchmark_packages
from app.core.registers import Register
from app.scores.expectations import Judged
from app.scores.registry import Scorer

PROFILE = "published"
Objects = list[dict[str, Any]]
Reader = Callable[[str, str], Objects]
"""(our scorer's name, the answer) → the objects that the answer tells of."""


class Point(NamedTuple):
    """Degrees on WGS84."""

    lon: float
    lat: float


@dataclass(frozen=True)
class PaperRules:
    """The rules of one paper."""

    version: int
    read: Reader
    """Parses an answer by rules, without asking anybody."""
    scorer: Callable[[str, Reader], Scorer | None]
    """The rules for questions of our scorer of that name, with answers parsed so; None where the paper has no such."""
    has_parsed_score: Callable[[Judged], bool]
    """Whether answers to a question are scored by what they parse to."""
    distance_error: Callable[[Iterable[Point], Sequence[Point]], float | None]
    """Of predicted and right places: a share from 0 (right) to 1; None where nothing was predicted."""
    score_cases: Callable[[Iterable[bytes], str], Iterator[Mapping[str, Any]]]
    """Lines of a file of cases, and its name → the scores of each case."""

    def scored_by(self, question: Judged, read: Reader) -> Judged:
        """The question, of a kind that the paper has, with its answers parsed by `read`."""
        return question._replace(scorer=self.scorer(question.scorer.name, read) or question.scorer)


PAPER_RULES = Register[PaperRules]("published", "rules of a paper")


def find_rules(benchmark: str) -> PaperRules | None:
    """The rules of the benchmark's paper; None where there are none."""
    return PAPER_RULES.find(benchmark, PROFILE)


def benchmarks_with_rules() -> list[str]:
    """The benchmarks whose papers have rules of their own, sorted."""
    return [name for name in benchmark_packages() if find_rules(name) is not None]
