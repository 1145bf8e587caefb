"""Drafts as they are stored, with their evidence and the answers of others; reads as the role maintainer or worker.

A draft is `writing` while its author works on it, `waiting` for a second person, then `agreed` or `disputed`. It is
`flagged` where a newer map gives other results, and `dropped` where nobody wants it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, Row

from app.core.errors import NotFound
from app.core.identity import digest
from app.db.naming import snapshot_reference
from app.questions.gold import NO_ANSWER
from app.workbench import queries

State = Literal["writing", "waiting", "agreed", "disputed", "flagged", "dropped"]
NO_OPTION = -1
"""The key of a question that cannot be answered."""


class Evidence(NamedTuple):
    """A tool's result that the context tells; `newer` is another one that the same call gave on a newer map."""

    id: int
    tool: str
    arguments: Mapping[str, Any]
    snapshot_id: int
    tools_version: int
    result_hash: str
    lines: Sequence[str]
    newer: Mapping[str, Any] | None


class Given(NamedTuple):
    """What somebody else answered, or decided; `choice` None drops the question."""

    kind: Literal["second", "adjudication"]
    content_hash: str
    author_key: int
    key_id: int
    choice: int | None
    note: str
    answered_at: datetime


@dataclass(frozen=True)
class Draft:
    """A question that is written by hand."""

    id: str
    benchmark: str
    dataset: str
    snapshot_id: int
    snapshot: str
    author_id: int
    revision: int
    state: State
    class_: str
    dimension: str
    question: str
    options: Sequence[str]
    key: int | None
    content_hash: str | None
    changed_at: datetime
    evidence: Sequence[Evidence]
    given: Sequence[Given]

    @property
    def context(self) -> str:
        """The printed results in the order in which they were pinned, an empty line between two."""
        return "\n\n".join("\n".join(one.lines) for one in self.evidence)

    @property
    def words(self) -> int:
        """Of the context."""
        return len(self.context.split())

    @property
    def offered(self) -> list[str]:
        """The options as they are shown: the one that there is no answer stands last."""
        return [*self.options, NO_ANSWER]

    @property
    def answer(self) -> str | None:
        """The text of the right option; None where the author has not said."""
        return None if self.key is None else said_choice(self, self.key)

    def hash(self) -> str:
        """Of all that a second person is shown, and of the results behind it."""
        results = [[one.tool, one.arguments, one.result_hash, one.lines] for one in self.evidence]
        return digest(self.class_, self.dimension, self.question, self.options, results)

    def given_now(self, kind: str) -> Given | None:
        """The last answer, or decision, on the question as it was handed in."""
        fitting = [one for one in self.given if one.kind == kind and one.content_hash == self.content_hash]
        return fitting[-1] if fitting else None


def said_choice(draft: Draft, choice: int) -> str:
    """The text of an option by its place, -1 being the last."""
    return draft.offered[choice]


def read_draft(connection: Connection, id_: str, *, for_update: bool = False) -> Draft:
    """A draft; with `for_update` nobody else changes it before the transaction ends. Raises NotFound."""
    statement = queries.DRAFT_FOR_UPDATE if for_update else queries.DRAFT
    row = connection.exec_driver_sql(statement, {"id": id_}).one_or_none()
    if row is None:
        raise NotFound(f"There is no draft {id_[:32]!r}. The workbench lists all drafts.")
    return _with_parts(connection, [row])[0]


def list_drafts(connection: Connection, dataset: str | None = None) -> list[Draft]:
    """The drafts of a data set, or all, in the order in which they were begun."""
    rows = connection.exec_driver_sql(queries.DRAFTS, {"dataset": dataset}).all()
    return _with_parts(connection, rows)


def names_of(connection: Connection, drafts: Sequence[Draft]) -> dict[int, str]:
    """The names of those who wrote, answered and decided, by their first keys. Needs the role maintainer."""
    ids = {one.author_id for one in drafts} | {given.key_id for one in drafts for given in one.given}
    return {row.id: row.name for row in connection.exec_driver_sql(queries.NAMES, {"ids": sorted(ids)})}


def _with_parts(connection: Connection, rows: Sequence[Row[Any]]) -> list[Draft]:
    ids = {"ids": [row.id for row in rows]}
    evidence: dict[str, list[Evidence]] = defaultdict(list)
    for row in connection.exec_driver_sql(queries.EVIDENCE, ids):
        values = row._mapping
        evidence[row.draft_id].append(Evidence(**{name: values[name] for name in Evidence._fields}))
    given: dict[str, list[Given]] = defaultdict(list)
    for row in connection.exec_driver_sql(queries.ANSWERS, ids):
        values = row._mapping
        given[row.draft_id].append(Given(**{name: values[name] for name in Given._fields}))
    return [_draft(row, evidence[row.id], given[row.id]) for row in rows]


def _draft(row: Row[Any], evidence: Sequence[Evidence], given: Sequence[Given]) -> Draft:
    return Draft(
        id=row.id,
        benchmark=row.benchmark,
        dataset=row.dataset,
        snapshot_id=row.snapshot_id,
        snapshot=snapshot_reference(row.snapshot_name, row.data_timestamp),
        author_id=row.author_id,
        revision=row.revision,
        state=row.state,
        class_=row._mapping["class"],
        dimension=row.dimension,
        question=row.question,
        options=row.options,
        key=row.key,
        content_hash=row.content_hash,
        changed_at=row.changed_at,
        evidence=evidence,
        given=given,
    )
