"""Writes a data set that others published as version 1 of a name, in the caller's transaction.

It has no map and no recipe of ours, so each proof is of the kind `imported`: it says what the authors say and proves
nothing. The data set is not open: only maintainers see it.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection

from app.core.clock import Clock
from app.core.errors import Conflict
from app.core.identity import canonical_json, digest
from app.db.copying import copy_rows
from app.db.engine import use_service_tables
from app.questions import queries as question_queries
from app.questions import queries_versions
from app.questions.assets import store_asset
from app.questions.gold import gold_rows, revision_of
from app.questions.imported import queries
from app.questions.imported.formats import ImportedFiles, ImportedQuestion, PublishedFormat
from app.questions.prompts import hash_prompt
from app.questions.storing import canary
from app.questions.versions import PublishedVersion

VARIANT = "imported"
TEMPLATE_VERSION = 0
"""Stands for a template that is not ours; ours begin with 1."""


def imported_recipe(form: PublishedFormat, files: ImportedFiles) -> dict[str, Any]:
    """What stands for the recipe of such a version: which files it was loaded from."""
    return {"imported": {"format": form.name, "files_sha256": files.digest}, "snapshots": []}


def find_loaded(connection: Connection, name: str, recipe: Mapping[str, Any]) -> PublishedVersion | None:
    """The data set of that name where it was loaded from these files; None where the name is free.

    Locks the name for this transaction. Raises Conflict where the name belongs to anything else.
    """
    use_service_tables(connection)
    connection.exec_driver_sql(queries_versions.LOCK_NAME, {"name": name})
    row = connection.exec_driver_sql(queries_versions.NEWEST, {"name": name}).one_or_none()
    if row is None:
        return None
    if row.recipe != recipe:
        raise Conflict(f"{name!r} is a data set already, and not of these files; choose another --out.")
    return PublishedVersion(row.id, name, row.number, row.benchmark)


def question_id(form: PublishedFormat, one: ImportedQuestion) -> str:
    """The stable id of a question: of its format and its place in the files."""
    return digest(form.benchmark, one.template, VARIANT, {"format": form.name, "question": one.key})


def store_imported(
    connection: Connection, name: str, form: PublishedFormat, files: ImportedFiles, clock: Clock
) -> PublishedVersion:
    """Write and publish version 1 of the data set `name`, which is free. The caller commits."""
    now, recipe = clock.now(), imported_recipe(form, files)
    connection.exec_driver_sql(
        queries_versions.INSERT_DATASET, {"name": name, "benchmark": form.benchmark, "now": now}
    )
    connection.exec_driver_sql(
        queries.INSERT_IMPORTED, {"name": name, "format": form.name, "notes": _json(dict(files.notes))}
    )
    described = {
        "name": name,
        "number": 1,
        "seed": 0,
        "hidden_fraction": 0.0,
        "recipe": _json(recipe),
        "templates": _json(_reports(files)),
        "engine_versions": _json(
            dict(connection.exec_driver_sql(question_queries.ENGINE_VERSIONS).mappings().one())
        ),
        "licence": _json(dict(form.licence)),
        "canary": canary(name, 1, recipe),
        "now": now,
    }
    version_id: int = connection.exec_driver_sql(queries_versions.INSERT_VERSION, described).scalar_one()
    for one in files.pictures:
        store_asset(connection, one.content, one.licence, one.part.alt, clock)
    _copy(connection, version_id, form, files)
    connection.exec_driver_sql(queries_versions.PUBLISH, {"version_id": version_id, "now": now})
    return PublishedVersion(version_id, name, 1, form.benchmark)


def _reports(files: ImportedFiles) -> dict[str, Any]:
    """As versions of ours say what became of each template: whatever was published was taken."""
    counts = Counter(one.template for one in files.questions)
    return {
        name: {
            "version": TEMPLATE_VERSION,
            "capacity": count,
            "accepted": count,
            "selected": count,
            "refused": {},
        }
        for name, count in counts.items()
    }


def _copy(connection: Connection, version_id: int, form: PublishedFormat, files: ImportedFiles) -> None:
    templates = _template_ids(connection, form, files)
    placed = [(place, question_id(form, one), one) for place, one in enumerate(files.questions)]
    tables = {
        "question": [_question_row(place, id_, one, templates[one.template]) for place, id_, one in placed],
        "gold": [
            {"question_id": id_, **row, "value": _json(row["value"])}
            for _, id_, one in placed
            for row in gold_rows(dict(one.gold), one.gold_kind, {})
        ],
        "proof": [_proof_row(id_, one) for _, id_, one in placed],
    }
    for table, rows in tables.items():
        columns = ["version_id", *rows[0]]
        copy_rows(connection, "trigpoint", table, columns, ((version_id, *row.values()) for row in rows))


def _template_ids(connection: Connection, form: PublishedFormat, files: ImportedFiles) -> dict[str, int]:
    """A row that stands for each template of the authors: what boards tell it by, and no statement."""
    headers: dict[str, dict[str, Any]] = {}
    for one in files.questions:
        headers.setdefault(
            one.template,
            {
                "id": one.template,
                "title": one.template,
                "dimension": one.dimension,
                "answer_type": one.answer_type,
                "scorer": one.scorer,
                "imported": form.name,
            },
        )
    rows = [
        {
            "benchmark": form.benchmark,
            "name": name,
            "version": TEMPLATE_VERSION,
            "body_hash": digest("imported", header),
            "header": _json(header),
            "body": "",
        }
        for name, header in headers.items()
    ]
    connection.exec_driver_sql(queries_versions.INSERT_TEMPLATE, rows)
    wanted = {"benchmark": form.benchmark, "hashes": [row["body_hash"] for row in rows]}
    found = connection.exec_driver_sql(queries.IMPORTED_TEMPLATE_IDS, wanted)
    return {row.name: row.id for row in found}


def _question_row(place: int, id_: str, one: ImportedQuestion, template_id: int) -> dict[str, Any]:
    prompt_hash = hash_prompt(one.prompt, one.options)
    return {
        "id": id_,
        "position": place,
        "template_id": template_id,
        "template": one.template,
        "template_version": TEMPLATE_VERSION,
        "variant": VARIANT,
        "snapshot_id": None,
        "prompt": _json(list(one.prompt)),
        "options": _json(one.options),
        "answer_type": one.answer_type,
        "scorer": one.scorer,
        "split": "public",
        "locale": "en",
        "phrasing": 0,
        "prompt_hash": prompt_hash,
        # Two questions may be published with one text and one gold: each is asked, and has answers of its own.
        "revision": revision_of(prompt_hash, {**one.gold, "question": one.key}, one.gold_kind, {}),
    }


def _proof_row(id_: str, one: ImportedQuestion) -> dict[str, Any]:
    return {
        "question_id": id_,
        "kind": "imported",
        "sql": one.sql,
        "binds": _json({}),
        "derive": "",
        "parameters": _json({"question": one.key, **one.told}),
        "snapshots": _json([]),
        "evidence": _json([]),
        "margin": _json({}),
        "distractors": None,
        "second_path": _json({}),
    }


def _json(value: Any) -> Jsonb | None:
    return None if value is None else Jsonb(value, dumps=canonical_json)
