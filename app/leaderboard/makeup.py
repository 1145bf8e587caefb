"""What a published version is made of, by everything that boards tell apart: how many questions, how they are scored.

Of the api role: no gold is read. A published version never changes, so neither does this.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.leaderboard import queries
from app.scores.aggregating import ALL
from app.scores.grouping import KINDS, Traits, city_names
from app.scores.registry import get_scorer
from app.scores.withholding import left_out


class Size(NamedTuple):
    """How many questions count in a scope, in how many rotations, and how many hidden ones do not."""

    n: int = 0
    rotations: int = 0
    left_out: int = 0


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


def read_makeup(connection: Connection, version_id: int) -> MakeUp:
    """What the version is made of."""
    rows = connection.execute(queries.MAKE_UP, {"version_id": version_id}).all()
    names = city_names({(row.city, row.data_timestamp) for row in rows})
    parts = [
        Part(
            Traits(
                "",
                row.template,
                row.dimension,
                names[row.city, row.data_timestamp],
                row.answer_type,
                row.hidden,
                None,
            ),
            get_scorer(row.scorer).graded,
            row.n,
            row.rotations,
        )
        for row in rows
    ]
    sizes = {ALL: _size(parts)}
    sizes |= {f"template:{name}": _size(of) for name, of in _groups(parts, lambda one: one.template).items()}
    for kind, group_of in KINDS.items():
        groups = _groups(parts, group_of)
        small = left_out({name: _hidden(of) for name, of in groups.items()})
        for name in sorted(name for name in groups if name is not None):
            found = _size(groups[name], without_hidden=name in small)
            if found.n:
                sizes[f"{kind}:{name}"] = found
    return MakeUp(sizes, any(part.graded for part in parts), _hidden(parts))


def _groups(parts: Sequence[Part], group_of: Callable[[Traits], str | None]) -> dict[str | None, list[Part]]:
    groups: dict[str | None, list[Part]] = {}
    for part in parts:
        groups.setdefault(group_of(part.traits), []).append(part)
    return groups


def _hidden(parts: Sequence[Part]) -> int:
    return sum(part.n for part in parts if part.traits.hidden)


def _size(parts: Sequence[Part], *, without_hidden: bool = False) -> Size:
    counted = [part for part in parts if not (without_hidden and part.traits.hidden)]
    out = _hidden(parts) if without_hidden else 0
    return Size(sum(part.n for part in counted), sum(part.rotations for part in counted), out)
