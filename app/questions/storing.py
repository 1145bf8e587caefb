"""Write a generated version and publish it, all in the caller's transaction: readers see all of it or nothing."""

import uuid
from collections.abc import Sequence
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection

from app.core.clock import Clock
from app.core.errors import Conflict, ProofError
from app.core.identity import canonical_json
from app.core.permuted import say_permuted
from app.db.copying import copy_rows
from app.db.engine import use_service_tables
from app.facts.resolving import fact_sources
from app.questions import queries, queries_versions
from app.questions.assets import check_stored, store_asset
from app.questions.generating import Generated
from app.questions.gold import gold_rows
from app.questions.pictures.drawn import LICENCE as PICTURE_LICENCE
from app.questions.prompts import images_of, read_parts
from app.questions.records import QuestionRecord, SnapshotRef
from app.questions.secrets import keep_secret
from app.questions.versions import PublishedVersion
from app.questions.written import WRITTEN
from app.templates.catalogue import Benchmark

CANARY_NAMESPACE = uuid.UUID("6f1c0ff4-7a3a-5d0e-9c3d-2b1f4c5e8a77")
LICENCE = {
    "name": "ODbL-1.0",
    "attribution": "© OpenStreetMap contributors",
    "url": "https://opendatacommons.org/licenses/odbl/1-0/",
}


def canary(name: str, number: int, recipe: dict[str, Any]) -> uuid.UUID:
    """A version's mark in training data: UUIDv5 of name, number and recipe."""
    return uuid.uuid5(CANARY_NAMESPACE, canonical_json([name, number, recipe]))


def newest_of(
    connection: Connection, name: str, benchmark: str, *, written: bool = False
) -> tuple[PublishedVersion, dict[str, Any]] | None:
    """The newest version of a data set and its recipe, the name locked for this transaction.

    Raises Conflict where the name belongs to another benchmark or to questions that others published. With `written`,
    it belongs to questions that people wrote by hand; else it must not.
    """
    use_service_tables(connection)
    connection.exec_driver_sql(queries_versions.LOCK_NAME, {"name": name})
    row = connection.exec_driver_sql(queries_versions.NEWEST, {"name": name}).one_or_none()
    if row is None:
        return None
    if "imported" in row.recipe:
        raise Conflict(f"{name!r} was loaded from files that others published; choose another --out.")
    if (WRITTEN in row.recipe) != written:
        kind = "generated" if written else "written by hand"
        raise Conflict(f"The questions of {name!r} are {kind}; choose another name.")
    if row.benchmark != benchmark:
        raise Conflict(f"{name!r} is a data set of {row.benchmark}; choose another --out for {benchmark}.")
    return PublishedVersion(row.id, name, row.number, row.benchmark), row.recipe


def store(
    connection: Connection, name: str, number: int, generated: Generated, clock: Clock
) -> PublishedVersion:
    """Write and publish version `number` of the data set `name`, and its secret where it is the first to have one.

    Raises ProofError where questions are hidden and their options are not drawn from a secret.
    """
    use_service_tables(connection)
    recipe = generated.recipe
    if recipe.hidden > 0 and not (recipe.secret_draws and recipe.secret):
        raise ProofError(
            f"{name} would have hidden questions whose keys anybody can work out: give a secret."
        )
    now = clock.now()
    connection.exec_driver_sql(
        queries_versions.INSERT_DATASET, {"name": name, "benchmark": recipe.benchmark.name, "now": now}
    )
    if recipe.secret_draws and recipe.secret:
        keep_secret(connection, name, recipe.secret, now)
    described = {
        "name": name,
        "number": number,
        "seed": recipe.seed,
        "hidden_fraction": recipe.hidden,
        "recipe": _json(recipe.as_json()),
        "templates": _json({key: report.as_json() for key, report in generated.reports.items()}),
        "engine_versions": _json(dict(connection.exec_driver_sql(queries.ENGINE_VERSIONS).mappings().one())),
        "licence": _json(licence_of(connection, generated)),
        "canary": canary(name, number, recipe.as_json()),
        "now": now,
    }
    version_id: int = connection.exec_driver_sql(queries_versions.INSERT_VERSION, described).scalar_one()
    connection.exec_driver_sql(
        queries_versions.INSERT_SNAPSHOTS,
        {"version_id": version_id, "snapshot_ids": [snapshot.id for snapshot in recipe.snapshots]},
    )
    ids = template_ids(connection, recipe.benchmark)
    store_pictures(connection, generated.records, clock)
    copy_questions(connection, version_id, ids, list(enumerate(generated.records)))
    connection.exec_driver_sql(queries_versions.PUBLISH, {"version_id": version_id, "now": now})
    return PublishedVersion(version_id, name, number, recipe.benchmark.name)


def licence_of(connection: Connection, generated: Generated) -> dict[str, Any]:
    """The licence of the maps, and those of the facts that the questions stand on."""
    used = {fact for one in generated.records for fact in one.footprint.fact_ids}
    return licence_with(connection, generated.recipe.snapshots, used)


def licence_with(connection: Connection, snapshots: Sequence[SnapshotRef], used: set[str]) -> dict[str, Any]:
    """The licence of these maps, and those of the facts `used` of their sets."""
    licence = licence_of_maps(connection, [snapshot.id for snapshot in snapshots])
    return with_facts(connection, licence, {one.facts for one in snapshots if one.facts is not None}, used)


def with_facts(
    connection: Connection, licence: dict[str, Any], sets: set[str], used: set[str]
) -> dict[str, Any]:
    """A licence of maps with those of the facts `used` of these sets."""
    sources = fact_sources(connection, sets, used)
    maps = {name: value for name, value in licence.items() if name != "facts"}
    return {**maps, "facts": sources} if sources else maps


def licence_of_maps(connection: Connection, snapshot_ids: Sequence[int]) -> dict[str, Any]:
    """The licence of the maps; where one has planted places or is permuted, it says so."""
    ids = {"ids": list(snapshot_ids)}
    licence: dict[str, Any] = LICENCE
    counted = connection.exec_driver_sql(queries.PERMUTED, ids).one()
    if counted.permuted:
        label = say_permuted(counted.permuted, counted.maps)
        licence = LICENCE | {"attribution": f"{LICENCE['attribution']}, {label}", "permuted": True}
    planted = connection.exec_driver_sql(queries.PLANTED, ids).all()
    if not planted:
        return licence
    added = ", ".join(f"{row.places} {row.class_}" for row in planted)
    return licence | {
        "attribution": f"{licence['attribution']}, but for synthetic places that were added to the map ({added})",
        "synthetic": {row.class_: row.places for row in planted},
    }


def template_ids(connection: Connection, benchmark: Benchmark) -> dict[str, int]:
    """The stored form of each template, written where it is new."""
    rows = [
        {
            "benchmark": benchmark.name,
            "name": name,
            "version": template.header.version,
            "body_hash": template.body_hash,
            "header": _json(template.header.as_json()),
            "body": template.body,
        }
        for name, template in benchmark.templates.items()
    ]
    connection.exec_driver_sql(queries_versions.INSERT_TEMPLATE, rows)
    wanted = {
        "benchmark": benchmark.name,
        "names": [row["name"] for row in rows],
        "versions": [row["version"] for row in rows],
        "hashes": [row["body_hash"] for row in rows],
    }
    found = connection.exec_driver_sql(queries_versions.TEMPLATE_IDS, wanted)
    return {row.name: row.id for row in found}


def store_pictures(connection: Connection, records: Sequence[QuestionRecord], clock: Clock) -> None:
    """Store the pictures that were drawn for these questions, each once."""
    drawn = {
        part.sha256: (part, one.picture) for one in records if one.picture for part in images_of([one.prompt])
    }
    for part, content in drawn.values():
        store_asset(connection, content, PICTURE_LICENCE, part.alt, clock)


def copy_questions(
    connection: Connection,
    version_id: int,
    template_ids: dict[str, int],
    placed: Sequence[tuple[int, QuestionRecord]],
) -> None:
    """Write questions, each at its position, to a version that is not published yet.

    Raises ProofError where a prompt shows a picture that is not stored, or a question stands on a map that its version
    does not stand on.
    """
    _check_maps(connection, version_id, [one for _, one in placed if one.further_snapshots])
    check_stored(connection, images_of(one.prompt for _, one in placed))
    tables = {
        "question": [_question_row(one, position, template_ids[one.template]) for position, one in placed],
        "gold": [row for _, one in placed for row in _gold_rows(one)],
        "proof": [_proof_row(one) for _, one in placed],
        "footprint": [_footprint_row(one) for _, one in placed],
        "question_snapshot": [row for _, one in placed for row in _snapshot_rows(one)],
        "solution": [row for _, one in placed for row in _solution_rows(one)],
    }
    for table, rows in tables.items():
        if not rows:
            continue
        columns = ["version_id", *rows[0]]
        copy_rows(connection, "trigpoint", table, columns, ((version_id, *row.values()) for row in rows))


def _check_maps(connection: Connection, version_id: int, records: Sequence[QuestionRecord]) -> None:
    """Raise ProofError unless the version stands on every map of these questions: so none of them is dropped."""
    if not records:
        return
    binds = {"version_id": version_id}
    kept = set(connection.exec_driver_sql(queries_versions.SNAPSHOTS_OF_VERSION, binds).scalars())
    for one in records:
        for snapshot in one.snapshots:
            if snapshot.id not in kept:
                raise ProofError(f"Question {one.id} stands on {snapshot.reference}; its version does not.")


def _question_row(one: QuestionRecord, position: int, template_id: int) -> dict[str, Any]:
    return {
        "id": one.id,
        "position": position,
        "template_id": template_id,
        "template": one.template,
        "template_version": one.template_version,
        "variant": one.variant,
        "snapshot_id": one.snapshot.id,
        "prompt": _json([part.as_json() for part in read_parts(one.prompt)]),
        "options": _json(one.options),
        "answer_type": one.answer_type,
        "scorer": one.scorer,
        "split": one.split,
        "locale": one.locale,
        "phrasing": one.phrasing,
        "register": one.register,
        "prompt_hash": one.prompt_hash,
        "revision": one.revision,
        "names": _json(one.names),
        "popularity": _json(one.popularity),
    }


def _gold_rows(one: QuestionRecord) -> list[dict[str, Any]]:
    return [
        {"question_id": one.id, **row, "value": _json(row["value"])}
        for row in gold_rows(one.gold, one.gold_kind, one.gold_keys)
    ]


def _snapshot_rows(one: QuestionRecord) -> list[dict[str, Any]]:
    return [
        {"question_id": one.id, "position": position, "snapshot_id": snapshot.id}
        for position, snapshot in enumerate(one.further_snapshots, start=1)
    ]


def _solution_rows(one: QuestionRecord) -> list[dict[str, Any]]:
    return [
        {"question_id": one.id, "kind": kind, "value": Jsonb(value, dumps=canonical_json)}
        for kind, value in sorted(one.solutions.items())
    ]


def _proof_row(one: QuestionRecord) -> dict[str, Any]:
    return {
        "question_id": one.id,
        "kind": one.proof_kind,
        "sql": one.sql,
        "binds": _json(one.binds),
        "derive": one.derive,
        "parameters": _json(one.parameters),
        "snapshots": _json([snapshot.as_json() for snapshot in one.snapshots]),
        "evidence": _json(list(one.evidence)),
        "margin": _json(one.margin),
        "distractors": _json(one.distractors),
        "second_path": _json(one.second_path),
        "readings": _json(one.readings),
    }


def _footprint_row(one: QuestionRecord) -> dict[str, Any]:
    return {
        "question_id": one.id,
        "area": one.footprint.area,
        "classes": list(one.footprint.classes),
        "osm_keys": list(one.footprint.osm_keys),
        "name_keys": list(one.footprint.name_keys),
        "fact_ids": list(one.footprint.fact_ids),
        "uses_outline": one.footprint.uses_outline,
    }


def _json(value: Any) -> Jsonb | None:
    return None if value is None else Jsonb(value, dumps=canonical_json)
