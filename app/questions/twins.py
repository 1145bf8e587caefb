"""Fresh twins: for each public question of a version one by the same template, about other objects, as well known.

A version of twins names the version that it is of in its recipe (`twin_of`). Which question is the twin of which is not
stored: `pair_twins` picks each twin out of a bank, and finds the same pairs among the questions that were picked.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.core.errors import Conflict, NotFound
from app.core.identity import canonical_json
from app.questions import queries_twins as queries
from app.questions.gold import VALUE
from app.questions.popularity import Group, Popularity, bounds_of, group_of
from app.questions.versions import PublishedVersion, find_version

_OBJECT = re.compile(r"[nwr][0-9]+(?= |$)")


class Twinned(NamedTuple):
    """A question by what makes another one its twin."""

    id: str
    template: str
    gold_kind: str
    popularity: Popularity | None
    objects: frozenset[str]
    """The objects that its parameters name."""
    others: frozenset[str]
    """Its other parameters, such as a distance or a kind of place, each as JSON."""


class Originals(NamedTuple):
    """The version that twins are made of: its public questions in their order, and what no twin may be."""

    reference: str
    canary: str
    questions: Sequence[Twinned]
    asked: frozenset[str]
    """The ids of all questions, public and hidden, of this version and those before it."""
    same: bool = False
    """Whether the same questions are asked of another map, instead of other ones."""

    @property
    def barred(self) -> frozenset[str]:
        """The ids of questions that may not be asked."""
        return frozenset() if self.same else self.asked

    def pick(self, offered: Sequence[Twinned]) -> frozenset[str]:
        """The ids of those offered that are a twin, or the same question as one that has an answer."""
        if self.same:
            return frozenset(one.id for one in answerable(self.questions)) & {one.id for one in offered}
        return frozenset(pair_twins(answerable(self.questions), offered).values())

    def as_json(self) -> dict[str, Any]:
        """How the recipe of the twins names the version."""
        same = {"same_questions": True} if self.same else {}
        return {"version": self.reference, "canary": self.canary, **same}


def describe(
    identity: str, template: str, gold_kind: str, popularity: Popularity | None, parameters: Mapping[str, Any]
) -> Twinned:
    """The question as pairs are made by it; parameters are those that its proof stores."""
    values = [(name, one) for name, value in parameters.items() for one in _parts(value)]
    return Twinned(
        identity,
        template,
        gold_kind,
        popularity,
        frozenset(found.group() for _, one in values if (found := _object_in(one))),
        frozenset(canonical_json([name, one]) for name, one in values if not _object_in(one)),
    )


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        yield from value
    else:
        yield value


def _object_in(value: Any) -> re.Match[str] | None:
    return _OBJECT.match(value) if isinstance(value, str) else None


def answerable(questions: Iterable[Twinned]) -> list[Twinned]:
    """Those that have an answer: only these have twins."""
    return [one for one in questions if one.gold_kind == VALUE]


def pair_twins(originals: Sequence[Twinned], offered: Sequence[Twinned]) -> dict[str, str]:
    """The twin of each original that has one, by their ids: {original: twin}. No question is the twin of two.

    A twin is of the original's template, of its kind of gold and of its group of popularity (quarters are those of the
    originals). Of several, the one that names the fewest objects of any original is taken, then the one whose other
    parameters are the most alike. The pairs of what was picked are the pairs by which it was picked: each original, in
    its order, takes the best that is left, and this one is still there.
    """
    bounds = bounds_of(one.popularity for one in originals)
    asked = frozenset(key for one in originals for key in one.objects)
    left: dict[tuple[str, str, Group | None], dict[str, Twinned]] = defaultdict(dict)
    for one in offered:
        left[one.template, one.gold_kind, group_of(one.popularity, bounds)][one.id] = one
    pairs: dict[str, str] = {}
    for original in originals:
        alike = left[original.template, original.gold_kind, group_of(original.popularity, bounds)]
        if alike:
            best = min(
                alike.values(),
                key=lambda one: (len(one.objects & asked), len(original.others ^ one.others), one.id),
            )
            pairs[original.id] = best.id
            del alike[best.id]
    return pairs


def read_originals(connection: Connection, version: PublishedVersion, *, same: bool = False) -> Originals:
    """What twins of the version are made by. Raises Conflict where none of its public questions is proved."""
    questions = read_twinned(connection, version)
    if not questions:
        raise Conflict(
            f"{version.reference} has no public question that is proved, so no twin can be made of one."
        )
    asked = connection.exec_driver_sql(queries.ASKED, {"version_id": version.id}).scalars().all()
    canary = connection.exec_driver_sql(queries.CANARY, {"version_id": version.id}).scalar_one()
    return Originals(version.reference, str(canary), questions, frozenset(asked), same)


def find_originals(connection: Connection, twin_of: Mapping[str, Any]) -> Originals:
    """The version that a recipe of twins names. Raises Conflict where it is not in this database, or another one is."""
    try:
        version = find_version(connection, twin_of["version"])
        found = read_originals(connection, version, same=twin_of.get("same_questions", False))
    except NotFound as error:
        raise Conflict(f"The twins are of {twin_of['version']}, which is not in this database.") from error
    if found.canary != twin_of["canary"]:
        raise Conflict(
            f"The twins are of a {twin_of['version']} with canary {twin_of['canary']}; the version of that name in "
            f"this database has canary {found.canary}."
        )
    return found


def read_twinned(connection: Connection, version: PublishedVersion) -> list[Twinned]:
    """The version's public questions in their order, as pairs are made by them."""
    rows = connection.exec_driver_sql(queries.TWINNED, {"version_id": version.id})
    return [describe(row.id, row.template, row.gold_kind, row.popularity, row.parameters) for row in rows]
