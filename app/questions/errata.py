"""Errata: the next version of a data set, with a question left out or its gold derived anew, and all else as it was.

Reads and writes the service's tables in the caller's transaction: readers see all of the new version or nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from psycopg.types.json import Jsonb
from sqlalchemy import Connection

from app.core.clock import Clock
from app.core.errors import Conflict
from app.core.identity import canonical_json
from app.db.engine import use_service_tables, without_nested_loops
from app.questions import queries_errata as queries
from app.questions import queries_versions
from app.questions.gold import gold_rows, revision_of
from app.questions.rederiving import Correction
from app.questions.storing import canary, newest_of, template_ids, with_facts
from app.questions.versions import PublishedVersion

Outcome = Literal["voided", "corrected"]


@dataclass(frozen=True)
class Erratum:
    """What one version puts right of the one before it, by name@version."""

    earlier: str
    later: str
    voided: list[str] = field(default_factory=list)
    corrected: list[str] = field(default_factory=list)

    @property
    def said(self) -> str:
        """How many questions, as a sentence says it."""
        counts = {"voided": len(self.voided), "corrected": len(self.corrected)}
        return " and ".join(
            f"{n} {'question' if n == 1 else 'questions'} {what}" for what, n in counts.items() if n
        )


def read_errata(connection: Connection, version: PublishedVersion) -> list[Erratum]:
    """The errata that a version is, and that correct it; as any role that shows versions."""
    found: dict[str, Erratum] = {}
    for row in connection.exec_driver_sql(queries.ERRATA, {"version_id": version.id}):
        one = found.setdefault(row.later, Erratum(row.earlier, row.later))
        (one.voided if row.outcome == "voided" else one.corrected).append(row.question_id)
    return list(found.values())


def lock_newest(connection: Connection, version_id: int) -> tuple[PublishedVersion, dict[str, Any]]:
    """The newest version of the data set that a version is of, and its recipe; its name locked for this transaction."""
    row = connection.exec_driver_sql(queries.LOCK_NAME_OF, {"version_id": version_id}).one()
    newest = newest_of(connection, row.name, row.benchmark)
    assert newest is not None, "the version itself is there"
    return newest


@dataclass(frozen=True)
class Change:
    """What is to be put right, and why: the question is left out, unless there is a correction of its gold."""

    question_id: str
    reason: str
    dispute_id: int
    correction: Correction | None = None


def publish_erratum(
    connection: Connection, base: PublishedVersion, recipe: Mapping[str, Any], change: Change, clock: Clock
) -> PublishedVersion:
    """Write and publish the version after `base`, the newest, whose name is locked. The caller commits.

    Raises Conflict where no question would be left.
    """
    use_service_tables(connection)
    now, number = clock.now(), base.number + 1
    recipe = _recipe(recipe, change)
    binds: dict[str, Any] = {
        "version_id": base.id,
        "number": number,
        "recipe": _json(recipe),
        "canary": canary(base.name, number, recipe),
        "voided": [] if change.correction else [change.question_id],
        "now": now,
    }
    new_id: int = connection.exec_driver_sql(queries.COPY_VERSION, binds).scalar_one()
    binds |= {"new_id": new_id, "reason": change.reason, "dispute_id": change.dispute_id}
    for statement in queries.COPIES:
        connection.exec_driver_sql(statement, binds)
    if change.correction is not None:
        _correct(connection, new_id, change.correction)
    _describe(connection, base, new_id)
    with without_nested_loops(connection):
        connection.exec_driver_sql(queries.LINEAGE, binds)
    connection.exec_driver_sql(queries_versions.PUBLISH, {"version_id": new_id, "now": now})
    return PublishedVersion(new_id, base.name, number, base.benchmark)


def _recipe(recipe: Mapping[str, Any], change: Change) -> dict[str, Any]:
    """The recipe of the version before, and what is put right: `reproduce` makes it all again."""
    told = {name: value for name, value in recipe.items() if name != "corrected"}
    corrected = dict(recipe.get("corrected", {}))
    before = corrected.pop(change.question_id, None)
    if change.correction is None:
        told["voided"] = sorted({*recipe.get("voided", ()), change.question_id})
    else:
        one = change.correction
        made_by = {"template": one.template, **recipe["templates"][one.template]}
        corrected[one.id] = one.made_by or before or made_by
    return told | ({"corrected": corrected} if corrected else {})


def _correct(connection: Connection, new_id: int, one: Correction) -> None:
    ids = template_ids(connection, one.today) if one.today else {}
    binds = {
        "new_id": new_id,
        "id": one.id,
        "template_id": ids.get(one.template),
        "template_version": one.template_version,
        "revision": revision_of(one.prompt_hash, one.gold, one.gold_kind, one.gold_keys),
        "gold": _json(gold_rows(one.gold, one.gold_kind, one.gold_keys)),
        "solutions": _json(one.solutions),
        "sql": one.sql,
        "binds": _json(one.binds),
        "derive": one.derive,
        "evidence": _json(one.evidence),
        "margin": _json(one.margin),
        "distractors": None if one.distractors is None else _json(one.distractors),
        "second_path": _json(one.second_path),
        "readings": None if one.readings is None else _json(one.readings),
        "osm_keys": one.osm_keys,
        "names": one.names,
        "fact_ids": one.fact_ids,
    }
    for statement in (
        queries.CORRECT_QUESTION,
        queries.DELETE_GOLD,
        queries.INSERT_GOLD,
        queries.DELETE_SOLUTIONS,
        queries.INSERT_SOLUTIONS,
        queries.CORRECT_PROOF,
        queries.CORRECT_FOOTPRINT,
    ):
        connection.exec_driver_sql(statement, binds)


def _describe(connection: Connection, base: PublishedVersion, new_id: int) -> None:
    """What the new version says of its templates and licences, where a question less changes that."""
    counts = connection.exec_driver_sql(queries.COUNTS, {"new_id": new_id}).all()
    if not counts:
        raise Conflict(f"No question of {base.reference} would be left: an empty version is none.")
    old = connection.exec_driver_sql(queries.DESCRIPTION, {"version_id": base.id}).one()
    templates = {name: dict(report) for name, report in old.templates.items()}
    for name, report in templates.items():
        of_template = [row for row in counts if row.template == name]
        if "selected" in report:
            report["selected"] = sum(row.n for row in of_template)
        if "options" in report:
            report["options"] = {str(row.options or 0): row.n for row in of_template}
    licence = old.licence
    if "facts" in licence:
        sets = {one["facts"] for one in old.recipe["snapshots"] if one.get("facts")}
        used = set(connection.exec_driver_sql(queries.FACTS_USED, {"new_id": new_id}).scalars())
        licence = with_facts(connection, licence, sets, used)
    values = {"new_id": new_id, "templates": _json(templates), "licence": _json(licence)}
    connection.exec_driver_sql(queries_versions.DESCRIBE, values)


def _json(value: Any) -> Jsonb:
    return Jsonb(value, dumps=canonical_json)
