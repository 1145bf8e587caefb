"""A published version as it lies in the database, with all that proves it; needs a role that reads gold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, Row

from app.core.errors import Conflict
from app.db.engine import without_nested_loops
from app.db.naming import snapshot_reference
from app.questions import queries, queries_versions
from app.questions.gold import VALUE, GoldKeys
from app.questions.imported.opening import refuse_imported
from app.questions.prompts import StoredPrompt
from app.questions.records import SnapshotRef
from app.questions.snapshots import published_snapshots
from app.questions.versions import PublishedVersion
from app.questions.written import refuse_written
from app.templates.header import Header


@dataclass(frozen=True)
class StoredQuestion:
    """One question with gold and proof."""

    id: str
    benchmark: str
    template: str
    template_version: int
    variant: str
    snapshot: SnapshotRef
    prompt: StoredPrompt
    prompt_hash: str
    revision: str
    options: Sequence[str] | None
    answer_type: str
    split: str
    gold: dict[str, Any]
    sql: str
    binds: dict[str, Any]
    derive: str
    parameters: dict[str, Any]
    evidence: Sequence[Mapping[str, Any]]
    distractors: Sequence[Mapping[str, Any]] | None
    header: Header
    names: dict[str, Any] | None
    """None of a version that was made before names were stored."""
    register: str | None = None
    readings: Mapping[str, Any] | None = None
    gold_kind: str = VALUE
    gold_keys: GoldKeys = field(default_factory=dict)
    """Answers under further keys than the default, which is `gold`."""
    further_snapshots: Sequence[SnapshotRef] = ()
    """The maps that the question stands on beside `snapshot`, its first."""
    solutions: Mapping[str, Any] = field(default_factory=dict)
    """What leads to the answer, by kind."""
    proved_on: Sequence[Mapping[str, Any]] = ()
    """The maps that the proof names."""

    @property
    def snapshots(self) -> list[SnapshotRef]:
        """Every map that the question stands on, the first first."""
        return [self.snapshot, *self.further_snapshots]


def load_questions(
    connection: Connection, version: PublishedVersion, ids: Sequence[str] | None = None
) -> list[StoredQuestion]:
    """The version's questions in their order, or those of `ids`.

    Raises Conflict where a map that they stand on is no longer there, or where others published them.
    """
    refuse_imported(connection, version, "So it is in no export, and is neither refreshed nor corrected.")
    refuse_written(connection, version)
    lost = [
        f"{snapshot_reference(row.name, row.data_timestamp)} ({row.state})"
        for row in connection.exec_driver_sql(queries.LOST_SNAPSHOTS, {"version_id": version.id})
    ]
    if lost:
        raise Conflict(
            f"{version.reference} stands on {', '.join(lost)}, which cannot be read any more, so nothing about it can "
            "be proved here. Restore a backup that holds that map."
        )
    recipe = connection.exec_driver_sql(queries_versions.RECIPE, {"version_id": version.id}).scalar_one()
    facts = {one["snapshot"]: one.get("facts") for one in recipe.get("snapshots", [])}
    snapshots = {
        one.id: replace(one, facts=facts.get(one.reference)) for one in published_snapshots(connection)
    }
    return [
        StoredQuestion(
            id=row.id,
            benchmark=row.benchmark,
            template=row.template,
            template_version=row.template_version,
            variant=row.variant,
            snapshot=snapshots[row.snapshot_id],
            prompt=row.prompt,
            prompt_hash=row.prompt_hash,
            revision=row.revision,
            options=row.options,
            answer_type=row.answer_type,
            split=row.split,
            gold=row.gold,
            sql=row.sql,
            binds=row.binds,
            derive=row.derive,
            parameters=row.parameters,
            evidence=row.evidence,
            distractors=row.distractors,
            header=Header.model_validate(row.header),
            names=row.names,
            register=row.register,
            readings=row.readings,
            gold_kind=row.gold_kind,
            gold_keys=row.gold_keys,
            solutions=row.solutions,
            further_snapshots=[snapshots[one] for one in row.further_snapshots],
            proved_on=row.proved_on,
        )
        for row in _records(connection, version, ids)
    ]


def _records(
    connection: Connection, version: PublishedVersion, ids: Sequence[str] | None
) -> Sequence[Row[Any]]:
    """The rows of a version's questions, or of those of `ids`; they may have been stored just now."""
    binds = {"version_id": version.id, "ids": None if ids is None else list(ids)}
    with without_nested_loops(connection):
        return connection.exec_driver_sql(queries.RECORDS, binds).all()
