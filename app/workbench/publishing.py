"""Publishes the drafts of a data set on which people agree, as a version; in the caller's transaction.

No SQL proves an answer that a person gave. The proof is of the kind `evidence`: it holds the calls whose results the
context tells, each with a hash of its result, and says who confirmed the answer.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from psycopg.types.json import Jsonb
from sqlalchemy import Connection

from app.core.clock import Clock
from app.core.errors import Conflict, NotFound
from app.core.identity import canonical_json, digest
from app.db.copying import copy_rows
from app.db.engine import use_service_tables
from app.questions import queries as question_queries
from app.questions import queries_versions
from app.questions.gold import gold_rows, revision_of
from app.questions.prompts import ContextPart, TextPart, hash_prompt
from app.questions.records import SnapshotRef
from app.questions.snapshots import pin, published_snapshots
from app.questions.storing import canary, licence_of_maps, newest_of
from app.questions.versions import PublishedVersion
from app.questions.written import WRITTEN
from app.workbench import queries
from app.workbench.forms import WrittenForm, find_form
from app.workbench.records import Draft, list_drafts

TEMPLATE_VERSION = 0
"""Stands for a template that is none: those that make questions begin with 1."""


class _Written(NamedTuple):
    """A draft as a question: what is stored of it beside its gold and proof."""

    id: str
    draft: Draft
    template: str
    dimension: str
    prompt: Sequence[Mapping[str, Any]]
    gold: Mapping[str, Any]
    gold_kind: str


def publish_drafts(connection: Connection, dataset: str, clock: Clock) -> PublishedVersion:
    """Write and publish the data set's next version: its drafts that are agreed, in the order in which they were begun.

    The caller commits. Raises NotFound where there is no such draft, Conflict where the newest version has the very
    same questions, the map was dropped, or the name belongs to other questions.
    """
    use_service_tables(connection)
    connection.exec_driver_sql(queries.LOCK_DATASET, {"dataset": dataset})
    drafts = require_agreed(connection, dataset)
    form = find_form(drafts[0].benchmark)
    snapshot = _find_map(connection, drafts)
    before = newest_of(connection, dataset, form.benchmark, written=True)
    recipe = _recipe(drafts, snapshot)
    if before is not None and before[1] == recipe:
        raise Conflict(f"{before[0].reference} has these very questions already.")
    number = 1 if before is None else before[0].number + 1
    version = _store(
        connection, dataset, number, form, recipe, [_written(form, one) for one in drafts], snapshot, clock
    )
    if before is not None:
        connection.exec_driver_sql(
            queries.INSERT_LINEAGE,
            {
                "to_version_id": version.id,
                "from_version_id": before[0].id,
                "reason": "held back or dropped on the workbench",
            },
        )
    return version


def require_agreed(connection: Connection, dataset: str) -> list[Draft]:
    """The drafts of a data set on which people agree. Raises NotFound where there is none."""
    drafts = [one for one in list_drafts(connection, dataset) if one.state == "agreed"]
    if not drafts:
        raise NotFound(
            f"No question of {dataset} is agreed upon: a second maintainer has to answer it first."
        )
    return drafts


def _find_map(connection: Connection, drafts: Sequence[Draft]) -> SnapshotRef:
    there = {one.id: one for one in published_snapshots(connection)}
    wanted = {one.snapshot_id: one.snapshot for one in drafts}
    if len(wanted) > 1:
        raise Conflict(
            f"Questions of {drafts[0].dataset} stand on several maps: {', '.join(wanted.values())}."
        )
    ((id_, reference),) = wanted.items()
    if id_ not in there:
        raise Conflict(f"The map {reference} was dropped. Refresh {drafts[0].dataset} to another one.")
    pin(connection, [there[id_]])
    return there[id_]


def _recipe(drafts: Sequence[Draft], snapshot: SnapshotRef) -> dict[str, Any]:
    """What stands for the recipe of such a version: which drafts, each as it was at which revision."""
    return {
        WRITTEN: {one.id: one.revision for one in drafts},
        "snapshots": [{"snapshot": snapshot.reference, "checksum": snapshot.checksum}],
    }


def _written(form: WrittenForm, draft: Draft) -> _Written:
    offered = draft.offered
    assert draft.key is not None, "a draft that is agreed has a key"
    gold, kind = form.gold_of(offered, offered.index(offered[draft.key]))
    template, dimension = form.template_of(draft.class_, kind)
    prompt = [ContextPart(form.title, draft.context).as_json(), TextPart(draft.question).as_json()]
    id_ = digest(form.benchmark, template, WRITTEN, {"draft": draft.id})
    return _Written(id_, draft, template, dimension, prompt, gold, kind)


def _store(
    connection: Connection,
    dataset: str,
    number: int,
    form: WrittenForm,
    recipe: Mapping[str, Any],
    questions: Sequence[_Written],
    snapshot: SnapshotRef,
    clock: Clock,
) -> PublishedVersion:
    now = clock.now()
    begun = {"name": dataset, "benchmark": form.benchmark, "now": now}
    connection.exec_driver_sql(queries_versions.INSERT_DATASET, begun)
    engines = dict(connection.exec_driver_sql(question_queries.ENGINE_VERSIONS).mappings().one())
    described = {
        "name": dataset,
        "number": number,
        "seed": 0,
        "hidden_fraction": 0.0,
        "recipe": _json(recipe),
        "templates": _json(_reports(questions)),
        "engine_versions": _json(engines),
        "licence": _json(licence_of_maps(connection, [snapshot.id])),
        "canary": canary(dataset, number, dict(recipe)),
        "now": now,
    }
    version_id: int = connection.exec_driver_sql(queries_versions.INSERT_VERSION, described).scalar_one()
    maps = {"version_id": version_id, "snapshot_ids": [snapshot.id]}
    connection.exec_driver_sql(queries_versions.INSERT_SNAPSHOTS, maps)
    _copy(connection, version_id, _template_ids(connection, form, questions), questions, snapshot)
    connection.exec_driver_sql(queries_versions.PUBLISH, {"version_id": version_id, "now": now})
    return PublishedVersion(version_id, dataset, number, form.benchmark)


def _reports(questions: Sequence[_Written]) -> dict[str, Any]:
    counts = Counter(one.template for one in questions)
    return {
        name: {
            "version": TEMPLATE_VERSION,
            "capacity": count,
            "accepted": count,
            "selected": count,
            "refused": {},
        }
        for name, count in sorted(counts.items())
    }


def _template_ids(connection: Connection, form: WrittenForm, questions: Sequence[_Written]) -> dict[str, int]:
    """A row that stands for each class: what boards tell its questions by, and no statement."""
    headers = {
        one.template: {
            "id": one.template,
            "title": f"written by hand: {form.classes.get(one.dimension, one.dimension)}",
            "dimension": one.dimension,
            "answer_type": "option",
            "scorer": "option",
            WRITTEN: True,
        }
        for one in questions
    }
    hashes = {name: digest(WRITTEN, header) for name, header in headers.items()}
    rows = [
        {
            "benchmark": form.benchmark,
            "name": name,
            "version": TEMPLATE_VERSION,
            "body_hash": hashes[name],
            "header": _json(header),
            "body": "",
        }
        for name, header in headers.items()
    ]
    connection.exec_driver_sql(queries_versions.INSERT_TEMPLATE, rows)
    wanted = {"benchmark": form.benchmark, "hashes": list(hashes.values())}
    found = {row.body_hash: row.id for row in connection.exec_driver_sql(queries.TEMPLATE_IDS, wanted)}
    return {name: found[body_hash] for name, body_hash in hashes.items()}


def _copy(
    connection: Connection,
    version_id: int,
    templates: Mapping[str, int],
    questions: Sequence[_Written],
    snapshot: SnapshotRef,
) -> None:
    tables = {
        "question": [
            _question_row(place, one, templates[one.template], snapshot)
            for place, one in enumerate(questions)
        ],
        "gold": [
            {"question_id": one.id, **row, "value": _json(row["value"])}
            for one in questions
            for row in gold_rows(one.gold, one.gold_kind, {})
        ],
        "proof": [_proof_row(one, snapshot) for one in questions],
    }
    for table, rows in tables.items():
        columns = ["version_id", *rows[0]]
        copy_rows(connection, "trigpoint", table, columns, ((version_id, *row.values()) for row in rows))


def _question_row(place: int, one: _Written, template_id: int, snapshot: SnapshotRef) -> dict[str, Any]:
    prompt_hash = hash_prompt(one.prompt, one.draft.offered)
    return {
        "id": one.id,
        "position": place,
        "template_id": template_id,
        "template": one.template,
        "template_version": TEMPLATE_VERSION,
        "variant": WRITTEN,
        "snapshot_id": snapshot.id,
        "prompt": _json(list(one.prompt)),
        "options": _json(one.draft.offered),
        "answer_type": "option",
        "scorer": "option",
        "split": "public",
        "locale": "en",
        "phrasing": 0,
        "prompt_hash": prompt_hash,
        "revision": revision_of(prompt_hash, one.gold, one.gold_kind, {}),
    }


def _proof_row(one: _Written, snapshot: SnapshotRef) -> dict[str, Any]:
    draft = one.draft
    calls = [
        {
            "tool": each.tool,
            "arguments": dict(each.arguments),
            "tools_version": each.tools_version,
            "result_hash": each.result_hash,
        }
        for each in draft.evidence
    ]
    decided = draft.given_now("adjudication") is not None
    parameters = {
        "draft": draft.id,
        "classification": draft.class_,
        "kind": draft.dimension or None,
        "calls": calls,
        "confirmed": "decided by a third person" if decided else "two people agree",
    }
    return {
        "question_id": one.id,
        "kind": "evidence",
        "sql": "",
        "binds": _json({}),
        "derive": "",
        "parameters": _json(parameters),
        "snapshots": _json([{"snapshot": snapshot.reference, "checksum": snapshot.checksum}]),
        "evidence": _json([]),
        "margin": _json({}),
        "distractors": None,
        "second_path": _json({}),
    }


def _json(value: Any) -> Jsonb:
    return Jsonb(value, dumps=canonical_json)
