"""Published versions, and freshly generated ones, as what may leave the database."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from app.exports.jsonl import ExportedQuestion, ExportedVersion
from app.questions import queries_versions
from app.questions.generating import Generated
from app.questions.records import QuestionRecord
from app.questions.stored import StoredQuestion, load_questions
from app.questions.storing import canary, licence_of
from app.questions.versions import PublishedVersion


def export_published(
    connection: Connection, version: PublishedVersion, with_gold: bool, include_hidden: bool
) -> dict[str, bytes]:
    """The files of a published version. Hidden gold stays in unless `include_hidden` says otherwise."""
    row = connection.exec_driver_sql(queries_versions.DESCRIPTION, {"version_id": version.id}).one()
    described = ExportedVersion(
        version.name, version.number, row.recipe, row.templates, str(row.canary), row.licence
    )
    questions = [
        _exported(one, one.gold if with_gold and (include_hidden or one.split == "public") else None)
        for one in load_questions(connection, version)
    ]
    return described.files(questions)


def export_generated(
    connection: Connection, generated: Generated, name: str, number: int
) -> dict[str, bytes]:
    """The files, gold included, that a generated version would have if it were stored under that name."""
    recipe = generated.recipe.as_json()
    templates = {key: report.as_json() for key, report in generated.reports.items()}
    mark = str(canary(name, number, recipe))
    described = ExportedVersion(name, number, recipe, templates, mark, licence_of(connection, generated))
    return described.files([_exported(one, one.gold) for one in generated.records])


def _exported(one: StoredQuestion | QuestionRecord, gold: dict[str, Any] | None) -> ExportedQuestion:
    return ExportedQuestion(
        id=one.id,
        prompt_hash=one.prompt_hash,
        template=one.template,
        template_version=one.template_version,
        snapshots=[one.snapshot.as_json()],
        text=_text(one.prompt),
        options=one.options,
        answer_type=one.answer_type,
        split=one.split,
        variant=one.variant,
        gold=gold,
    )


def _text(prompt: Sequence[Mapping[str, Any]]) -> str:
    return "\n\n".join(part["text"] for part in prompt if part["type"] == "text")
