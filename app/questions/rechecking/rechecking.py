"""Rechecks the keys of a version that others published, and stores what became of each."""

from datetime import datetime

from sqlalchemy import Connection

from app.core.errors import Conflict
from app.db.copying import copy_rows
from app.questions.imported.opening import list_imported
from app.questions.prompts import context_of, words_of
from app.questions.rechecking import queries
from app.questions.rechecking.checks import Finding, KeyedQuestion, find_checker
from app.questions.versions import PublishedVersion


def recheck_keys(connection: Connection, version: PublishedVersion) -> dict[str, Finding]:
    """The finding for each question by its id, in their order; nothing is stored. Needs a role that sees gold.

    Raises Conflict for a version that others did not publish, or whose format has no checks.
    """
    form, questions = read_keyed_questions(connection, version)
    check = find_checker(version.benchmark, form)
    if check is None:
        raise Conflict(f"Nothing is known here by which keys of the format {form} could be rechecked.")
    return {one.id: check(one) for one in questions}


def read_keyed_questions(
    connection: Connection, version: PublishedVersion
) -> tuple[str, list[KeyedQuestion]]:
    """The format of the files of a version that others published, and its questions with their keys, in order.

    Needs a role that sees gold. Raises Conflict for a version of ours.
    """
    imported = list_imported(connection, version.name)
    if not imported:
        raise Conflict(
            f"{version.reference} was not loaded from files that others published. `trigpoint verify "
            f"{version.reference}` proves its questions."
        )
    rows = connection.exec_driver_sql(queries.QUESTIONS, {"version_id": version.id})
    questions = [
        KeyedQuestion(
            row.id,
            str(row.parameters["question"]),
            row.template,
            words_of(row.prompt),
            context_of(row.prompt),
            row.options,
            row.gold,
            row.gold_kind,
            row.parameters,
        )
        for row in rows
    ]
    return imported[0].format, questions


def store_findings(
    connection: Connection, version: PublishedVersion, findings: dict[str, Finding], now: datetime
) -> None:
    """Write the findings in the place of earlier ones, as the worker role. The caller commits.

    Where they differ from these, what was computed by them is forgotten: the groups of runs, and what a solver without
    knowledge scores in them.
    """
    earlier = connection.exec_driver_sql(queries.FINDINGS, {"version_id": version.id})
    if {id_: Finding(*told) for id_, *told in earlier} != findings:
        connection.exec_driver_sql(queries.FORGET_GROUPS, {"version_id": version.id})
        connection.exec_driver_sql(queries.FORGET_EXPECTATIONS, {"version_id": version.id})
    connection.exec_driver_sql(queries.FORGET, {"version_id": version.id})
    columns = [
        "version_id",
        "question_id",
        "verdict",
        "check_name",
        "working",
        "fault",
        "is_flagged",
        "checked_at",
    ]
    rows = (
        (version.id, id_, one.verdict, one.check, one.working, one.fault, one.is_flagged, now)
        for id_, one in findings.items()
    )
    copy_rows(connection, "trigpoint", "question_recheck", columns, rows)
