"""What questions are told apart by on boards: template, dimension, strategy, city, answer type, register, what became
of published keys, how long the context is, how many options there are, what is worked out, the zoom of the picture, how
far the first station of the key is and how dense its surroundings are; the place that they name.

Reads question, template, snapshot, proof, gold and question_recheck, as the worker role. Groups count public
questions alone.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row

from app.core.registers import Register
from app.db.naming import snapshot_reference
from app.questions.gold import UNANSWERABLE
from app.scores import queries_grouping as queries
from app.scores.withholding import partition


class Traits(NamedTuple):
    """A question by what boards tell apart; `place` is its user's, else the first object that its parameters name, or
    None."""

    id: str
    template: str
    dimension: str | None
    strategy: str | None
    city: str | None
    """None of a question that others published, with no map."""
    answer_type: str
    hidden: bool
    place: str | None
    gold_kind: str | None = None
    """`value` or `unanswerable`; None where it is not known, such as of a hidden question on a board."""
    register: str | None = None
    """precise or everyday; None in versions made before there were registers."""
    is_flagged: bool | None = None
    """Of a question that others published: whether its key is contradicted or it has a fault; None if not rechecked."""
    context: str | None = None
    """The range of its context's length in words; None without a context."""
    options: str | None = None
    """How many options it has; None without options."""
    sub_kind: str | None = None
    """What is worked out, as the benchmark's paper counts it: a straight line, a direction …"""
    zoom: str | None = None
    """The zoom of the map that was drawn for it; None where none was, and of hidden questions: a proof tells it."""

    tier: str | None = None
    """How far the first station of the key is; None of other questions and of hidden ones: gold tells it."""
    density: str | None = None
    """How dense the surroundings of the user are; None where it is not told, and of hidden questions."""

    @property
    def without_answer(self) -> str | None:
        """The group of public questions without an answer; None of all others, so nothing follows for hidden ones."""
        return UNANSWERABLE if self.gold_kind == UNANSWERABLE and not self.hidden else None


FLAGGED = "flagged"
NOT_FLAGGED = "not flagged"


def _recheck(one: Traits) -> str | None:
    if one.is_flagged is None:
        return None
    return FLAGGED if one.is_flagged else NOT_FLAGGED


CONTEXTS = (
    *(f"{first + 1} to {last} words" for first, last in pairwise((0, *queries.CONTEXT_ENDS))),
    f"{queries.CONTEXT_ENDS[-1] + 1} words and more",
)
"""What ranges of a context's length are called, by their number."""
TIERS = {"10": "0 to 10 km", "20": "10 to 20 km", "none": "20 km and more"}
"""What tiers of questions about stations are called. Unlike those of the paper, none holds another."""
DENSITIES = ("top", "high", "mid", "low", "road")
"""Cells around users, the densest first; then those with main roads, whatever their density."""
SUB_KINDS = Register[Callable[[str, str | None], str | None]]("sub_kinds", "a way to tell questions apart")
"""What a question works out, by its template and the kind that its parameters tell."""


KINDS: Mapping[str, Callable[[Traits], str | None]] = {
    "dimension": lambda one: one.dimension,
    "strategy": lambda one: one.strategy,
    "city": lambda one: one.city,
    "answer_type": lambda one: one.answer_type,
    "gold": lambda one: one.without_answer,
    "register": lambda one: one.register,
    "recheck": _recheck,
    "context": lambda one: one.context,
    "options": lambda one: one.options,
    "sub_kind": lambda one: one.sub_kind,
    "zoom": lambda one: one.zoom,
    "tier": lambda one: one.tier,
    "density": lambda one: one.density,
}
"""The kinds of groups beside templates."""
CURVES = ("context", "options", "zoom", "tier", "density")
"""Kinds of groups that tell nothing where all questions are in one."""


def read_traits(connection: Connection, version_id: int) -> list[Traits]:
    """The version's questions in their order."""
    rows = connection.execute(queries.TRAITS, {"version_id": version_id}).all()
    names = city_names({(row.city, row.data_timestamp) for row in rows if row.city is not None})
    return [
        Traits(
            row.id,
            row.template,
            row.dimension,
            row.strategy,
            names.get((row.city, row.data_timestamp)),
            row.answer_type,
            row.hidden,
            row.place,
            row.gold_kind,
            row.register,
            row.is_flagged,
            *read_curves(row),
        )
        for row in rows
    ]


class Curves(NamedTuple):
    """The last traits of a question, of which boards and reports show curves."""

    context: str | None
    options: str | None
    sub_kind: str | None
    zoom: str | None
    tier: str | None
    density: str | None


def read_curves(row: Row[Any]) -> Curves:
    """These traits, of a row with the columns of TRAITS."""
    tell = SUB_KINDS.find(row.benchmark, "sub_kind")
    return Curves(
        None if row.context_range is None else CONTEXTS[row.context_range],
        None if row.options is None else f"{row.options} options",
        None if tell is None else tell(row.template, row.told_kind),
        None if row.hidden else row.zoom,
        None if row.hidden else TIERS.get(row.tier),
        None if row.hidden else row.density,
    )


def name_groups(kind: str, groups: Iterable[str | None]) -> list[str]:
    """The names of a kind's groups in the order in which they are shown; none of a curve with a single group."""
    order = by_density if kind == "density" else by_number
    names = sorted((name for name in groups if name is not None), key=order)
    return [] if kind in CURVES and len(names) == 1 else names


def by_number(name: str) -> tuple[int, str]:
    """By the number with which a name begins, then by the name: `2 options`, `10 options`."""
    found = re.match(r"\d+", name)
    return (int(found[0]) if found else 0, name)


def by_density(name: str) -> tuple[int, str]:
    """The densest first; names such as `cluster_1` stand after those of `DENSITIES`, the densest first, too."""
    return (DENSITIES.index(name) if name in DENSITIES else len(DENSITIES), name)


def city_names(maps: set[tuple[str, datetime | None]]) -> dict[tuple[str, datetime | None], str]:
    """What maps are called beside one another: by name, and where two have one name by date, too."""
    names = [name for name, _ in maps]
    return {one: one[0] if names.count(one[0]) == 1 else snapshot_reference(*one) for one in maps}


def groups_of(questions: Sequence[Traits]) -> dict[str, frozenset[str]]:
    """Scopes `KIND:NAME` and the ids that count in each, by kind and name; those without a public one are left out."""
    scopes = {}
    for kind, group_of in KINDS.items():
        groups = partition(questions, group_of, lambda one: one.hidden)
        for name in name_groups(kind, [one for one, group in groups.items() if group.counted]):
            scopes[f"{kind}:{name}"] = frozenset(one.id for one in groups[name].counted)
    return scopes
