"""What questions are told apart by on boards: template, dimension, strategy, city, answer type, register, what became
of published keys; and the place that they name.

Reads question, template, snapshot, proof and question_recheck, as the worker role. Groups count public questions alone.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from app.db.naming import snapshot_reference
from app.questions.gold import UNANSWERABLE
from app.scores import queries_grouping as queries
from app.scores.withholding import partition


class Traits(NamedTuple):
    """A question by what boards tell apart; `place` is the first object that its parameters name, None without one."""

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


KINDS: Mapping[str, Callable[[Traits], str | None]] = {
    "dimension": lambda one: one.dimension,
    "strategy": lambda one: one.strategy,
    "city": lambda one: one.city,
    "answer_type": lambda one: one.answer_type,
    "gold": lambda one: one.without_answer,
    "register": lambda one: one.register,
    "recheck": _recheck,
}
"""The kinds of groups beside templates."""


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
        )
        for row in rows
    ]


def city_names(maps: set[tuple[str, datetime | None]]) -> dict[tuple[str, datetime | None], str]:
    """What maps are called beside one another: by name, and where two have one name by date, too."""
    names = [name for name, _ in maps]
    return {one: one[0] if names.count(one[0]) == 1 else snapshot_reference(*one) for one in maps}


def groups_of(questions: Sequence[Traits]) -> dict[str, frozenset[str]]:
    """Scopes `KIND:NAME` and the ids that count in each, by kind and name; those without a public one are left out."""
    scopes = {}
    for kind, group_of in KINDS.items():
        groups = partition(questions, group_of, lambda one: one.hidden)
        for name in sorted(name for name in groups if name is not None):
            if groups[name].counted:
                scopes[f"{kind}:{name}"] = frozenset(one.id for one in groups[name].counted)
    return scopes
