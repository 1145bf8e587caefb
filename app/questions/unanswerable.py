"""Questions without an answer, as a share of a version: asked in the words of templates whose questions have one.

GS-QA leaves them out and names them as a variant (paper, section 3.4). They look like all others: template, text and
place in the version tell nothing, and what is gold is as hidden as other gold.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any, TypeVar

from app.core import seeds
from app.core.errors import UsageError
from app.questions.accepting import Acceptance, Accepted
from app.templates.catalogue import Benchmark

K = TypeVar("K")
MOST_SHARE = 0.5


def check_share(benchmark: Benchmark, share: float) -> None:
    """Raise UsageError for a share that there cannot be, or where no template can ask what has no answer."""
    if not 0 <= share <= MOST_SHARE:
        raise UsageError(f"--unanswerable {share:g}: a share from 0 to {MOST_SHARE:g}.")
    if share and benchmark.file.shares:
        raise UsageError(
            f"--unanswerable: {benchmark.name} has templates of its own for questions without an answer, and its "
            "benchmark.toml says what share they are; leave it out."
        )
    if share and not any(template.unanswerable for template in benchmark.templates.values()):
        raise UsageError(
            f"--unanswerable: {benchmark.name} has no questions without an answer; leave it out."
        )


def quotas(there: Mapping[str, int], answerable: int, share: float) -> dict[str, int]:
    """How many questions of each template make up `share` of a version that has so many answerable ones.

    Evenly over the templates, as far as `there` says that they have so many. Pure.
    """
    return spread_evenly(there, round(answerable * share / (1 - share)))


def spread_evenly(there: Mapping[K, int], wanted: int) -> dict[K, int]:
    """`wanted` in all, evenly, or as many as there are. Pure."""
    taken, wanted = dict.fromkeys(there, 0), min(wanted, sum(there.values()))
    for name in cycle(there):
        if sum(taken.values()) >= wanted:
            break
        taken[name] += taken[name] < there[name]
    return taken


def mixed_in(name: str, questions: Sequence[Accepted], seed: int) -> list[Accepted]:
    """Questions of a template in an order that their ids alone decide, so that a place in it tells nothing of gold."""
    return sorted(questions, key=lambda one: seeds.draw(seed, "mixed in", name, one.id))


def as_report(outcomes: Sequence[Acceptance], selected: int) -> dict[str, Any]:
    """What became of a template's tuples, as a version stores it."""
    refused = sum((one.refused for one in outcomes), Counter())
    return {
        "capacity": sum(one.capacity for one in outcomes),
        "accepted": sum(len(one.accepted) for one in outcomes),
        "selected": selected,
        "refused": dict(sorted(refused.items())),
    }
