"""Published versions, and freshly generated ones, as what may leave the database."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection

from app.exports.exported import Export, ExportedQuestion, ExportedVersion
from app.exports.jsonl import jsonl_files
from app.exports.places import read_places
from app.questions import queries_versions
from app.questions.assets import StoredAsset, load_assets
from app.questions.generating import Generated
from app.questions.pictures.drawn import LICENCE
from app.questions.prompts import images_of
from app.questions.records import QuestionRecord
from app.questions.stored import StoredQuestion, load_questions
from app.questions.storing import canary, licence_of
from app.questions.versions import PublishedVersion


def read_published(
    connection: Connection,
    version: PublishedVersion,
    with_gold: bool,
    include_hidden: bool,
    with_places: bool = False,
) -> Export:
    """A published version. Hidden gold stays in unless `include_hidden` says otherwise; places go with gold."""
    row = connection.exec_driver_sql(queries_versions.DESCRIPTION, {"version_id": version.id}).one()
    stored = load_questions(connection, version)
    described = ExportedVersion(
        version.name,
        version.number,
        row.recipe,
        row.templates,
        str(row.canary),
        row.licence,
        _key_positions(stored),
    )
    open_ = {one.id for one in stored if with_gold and (include_hidden or one.split == "public")}
    questions = [_exported(one, one.header.scorer, one.gold if one.id in open_ else None) for one in stored]
    seen = [one for one in stored if with_places and one.id in open_]
    places = read_places(connection, version, seen) if seen else {}
    return _with_pictures(connection, Export(described, questions, with_gold, places))


def export_published(
    connection: Connection, version: PublishedVersion, with_gold: bool, include_hidden: bool
) -> dict[str, bytes]:
    """The files of a published version as JSON Lines, by which versions are compared."""
    return jsonl_files(read_published(connection, version, with_gold, include_hidden))


def export_generated(
    connection: Connection, generated: Generated, name: str, number: int
) -> dict[str, bytes]:
    """The files, gold included, that a generated version would have if it were stored under that name."""
    recipe = generated.recipe.as_json()
    templates = {key: report.as_json() for key, report in generated.reports.items()}
    mark = str(canary(name, number, recipe))
    described = ExportedVersion(name, number, recipe, templates, mark, licence_of(connection, generated))
    questions = [_exported(one, one.scorer, one.gold) for one in generated.records]
    drawn = {
        part.sha256: StoredAsset(part.media_type, LICENCE, one.picture)
        for one in generated.records
        if one.picture
        for part in images_of([one.prompt])
    }
    return jsonl_files(_with_pictures(connection, Export(described, questions, with_gold=True), drawn))


def _exported(
    one: StoredQuestion | QuestionRecord, scorer: str, gold: dict[str, Any] | None
) -> ExportedQuestion:
    return ExportedQuestion(
        id=one.id,
        prompt_hash=one.prompt_hash,
        template=one.template,
        template_version=one.template_version,
        snapshots=[snapshot.as_json() for snapshot in one.snapshots],
        prompt=one.prompt,
        options=one.options,
        answer_type=one.answer_type,
        split=one.split,
        variant=one.variant,
        register=one.register,
        gold=gold,
        scorer=scorer,
        gold_kind=one.gold_kind,
        gold_keys=one.gold_keys,
        solutions=one.solutions,
    )


def _with_pictures(
    connection: Connection, export: Export, drawn: Mapping[str, StoredAsset] = MappingProxyType({})
) -> Export:
    """The export with the pictures that its questions show, by the names of their files, and their licences.

    `drawn` are pictures that were just drawn, by SHA-256: they may be stored nowhere.
    """
    images = images_of(one.prompt for one in export.questions)
    found = {**load_assets(connection, [one for one in images if one.sha256 not in drawn]), **drawn}
    if not found:
        return export
    licences = sorted({one.licence for one in found.values()})
    return replace(
        export,
        version=replace(export.version, picture_licences=licences),
        assets={one.file: found[one.sha256].content for one in images},
    )


def _key_positions(questions: Iterable[StoredQuestion]) -> Mapping[int, int]:
    found = Counter(
        one.gold["index"]
        for one in questions
        if one.options is not None and one.split == "public" and "index" in one.gold
    )
    return dict(sorted(found.items()))
