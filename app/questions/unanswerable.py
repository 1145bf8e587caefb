"""Questions without an answer, as a share of a version: asked in the words of templates whose questions have one.

GS-QA leaves them out and names them as a variant (paper, section 3.4). They look like all others: template, text and
place in the version tell nothing, and what is gold is as hidden as other gold.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from sqlalchemy import Connection

from app.core import seeds
from app.core.errors import UsageError
from app.questions.accepting import Acceptance, Accepted, Asking, Known, fill_bank, lacking
from app.questions.gold import UNANSWERABLE
from app.questions.picking import open_space
from app.questions.records import SnapshotRef
from app.questions.second_path import Layers
from app.templates.catalogue import Benchmark
from app.templates.templates import Template

MOST_SHARE = 0.5


@dataclass(frozen=True)
class Ground:
    """Where unanswerable questions are looked for: one map, with what was found out about it."""

    connection: Connection
    snapshot: SnapshotRef
    layers: Layers
    known: Known


@dataclass(frozen=True)
class Terms:
    """What a recipe says of how they are asked."""

    seed: int
    bank: int
    chosen: Mapping[str, str]
    register: str | None


def check_share(benchmark: Benchmark, share: float) -> None:
    """Raise UsageError for a share that there cannot be, or where no template can ask what has no answer."""
    if not 0 <= share <= MOST_SHARE:
        raise UsageError(f"--unanswerable {share:g}: a share from 0 to {MOST_SHARE:g}.")
    if share and not any(template.unanswerable for template in benchmark.templates.values()):
        raise UsageError(
            f"--unanswerable: {benchmark.name} has no questions without an answer; leave it out."
        )


def accept_unanswerable(ground: Ground, template: Template, terms: Terms, seen: set[str]) -> Acceptance:
    """What the template's tuples give on the map as questions without an answer; `seen` is added to."""
    snapshot, known = ground.snapshot, ground.known
    space = open_space(
        ground.connection,
        template,
        terms.seed,
        snapshot.outline,
        terms.chosen,
        snapshot.facts,
        known.picks,
    )
    result = Acceptance(space.capacity)
    missing = lacking(snapshot, template) or space.missing
    if missing:
        result.refused[missing] = space.capacity
        return result
    asking = Asking(
        ground.connection,
        snapshot,
        template,
        ground.layers,
        terms.seed,
        seen,
        known,
        space.choices,
        register=terms.register,
        gold_kind=UNANSWERABLE,
    )
    fill_bank(asking, space, terms.bank, result, lambda tried, accepted: None)
    return result


def quotas(there: Mapping[str, int], answerable: int, share: float) -> dict[str, int]:
    """How many questions of each template make up `share` of a version that has so many answerable ones.

    Evenly over the templates, as far as `there` says that they have so many. Pure.
    """
    wanted = min(round(answerable * share / (1 - share)), sum(there.values()))
    taken = dict.fromkeys(there, 0)
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
