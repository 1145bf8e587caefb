"""What a published version is made of, by everything that boards tell apart: how many questions, how they are scored.

Of the api role: no gold is read. A published version never changes; this does where its keys are rechecked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.leaderboard import queries
from app.scores.aggregating import ALL
from app.scores.grouping import KINDS, Traits, city_names, name_groups, read_curves
from app.scores.profiles import TRIGPOINT, Profile
from app.scores.registry import get_scorer
from app.scores.withholding import Group, partition, whole


class Size(NamedTuple):
    """How many questions count in a scope, in how many rotations; how many hidden ones do not, and how many do."""

    n: int = 0
    rotations: int = 0
    left_out: int = 0
    hidden: int = 0


class Part(NamedTuple):
    """Questions that boards do not tell apart; `traits` are those of each, without id and place."""

    traits: Traits
    graded: bool
    n: int
    rotations: int


@dataclass(frozen=True)
class MakeUp:
    """A version's questions: `sizes` by scope, in the order of templates and then by name."""

    sizes: dict[str, Size]
    graded: bool
    hidden: int

    def scopes(self, kind: str) -> dict[str, str]:
        """The scopes of a kind, by the group's name."""
        start = f"{kind}:"
        return {scope.removeprefix(start): scope for scope in self.sizes if scope.startswith(start)}


def read_makeup(connection: Connection, version_id: int, profile: Profile = TRIGPOINT) -> MakeUp:
    """What the version is made of, as boards of the profile count it."""
    made = connection.execute(queries.MAKE_UP, {"version_id": version_id}).all()
    rows = [row for row in made if profile.counts(row.scorer, row.gold_kind, is_hidden=False)]
    names = city_names({(row.city, row.data_timestamp) for row in rows if row.city is not None})
    parts = [
        Part(
            Traits(
                "",
                row.template,
                row.dimension,
                row.strategy,
                names.get((row.city, row.data_timestamp)),
                row.answer_type,
                row.hidden,
                None,
                row.gold_kind,
                row.register,
                row.is_flagged,
                *read_curves(row),
            ),
            get_scorer(row.scorer).graded,
            row.n,
            row.rotations,
        )
        for row in rows
    ]
    everything = (
        Group([part for part in parts if not _hidden(part)], [part for part in parts if _hidden(part)])
        if profile.of_paper
        else whole(parts, _hidden)
    )
    sizes = {ALL: _size(everything)}
    templates = _sizes(parts, lambda one: one.template)
    sizes |= {f"template:{name}": size for name, size in templates.items()}
    for kind, group_of in KINDS.items():
        groups = _sizes(parts, group_of)
        shown = name_groups(kind, [name for name, size in groups.items() if size.n])
        sizes |= {f"{kind}:{name}": groups[name] for name in shown}
    is_graded = not profile.of_paper and any(part.graded for part in parts)
    return MakeUp(sizes, is_graded, sum(_hidden(part) for part in parts))


def _sizes(parts: Sequence[Part], group_of: Callable[[Traits], str | None]) -> dict[str, Size]:
    groups = partition(parts, lambda part: group_of(part.traits), _hidden)
    return {name: _size(group) for name, group in groups.items() if name is not None}


def _size(group: Group[Part]) -> Size:
    return Size(
        sum(part.n for part in group.counted),
        sum(part.rotations for part in group.counted),
        sum(part.n for part in group.left_out),
        sum(_hidden(part) for part in group.counted),
    )


def _hidden(part: Part) -> int:
    return part.n if part.traits.hidden else 0
