"""Disputes and what they lead to, in tests: opened and decided by command; gold that somebody has changed."""

from collections.abc import Callable
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from app.core.identity import digest
from app.core.settings import Settings
from tests.support.command_line import Done, trigpoint
from tests.support.processes import query

Tamper = Callable[[Settings, str, dict[str, Any]], None]


def tampering(superuser_of: Callable[[Settings], str]) -> Tamper:
    """What changes a published version as only who owns the database can."""

    def change(settings: Settings, statement: str, binds: dict[str, Any]) -> None:
        with psycopg.connect(superuser_of(settings)) as connection:
            connection.execute("set session_replication_role = replica")
            connection.execute("set search_path = trigpoint, public")
            connection.execute(statement, binds)

    return change


def open_dispute(settings: Settings, dataset: str, question: str) -> str:
    """The number of a new dispute of a question."""
    done = trigpoint(
        settings,
        "dispute",
        "open",
        dataset,
        question,
        "--reason",
        "ambiguous",
        "--text",
        "Two of them.",
        "--json",
    )
    assert done.status == 0, done.err
    return str(done.json["dispute"])


def decide(settings: Settings, number: str, verdict: str) -> Done:
    """Close a dispute: `void` leaves the question out, `correct` derives its gold anew."""
    return trigpoint(
        settings, "dispute", "decide", number, "--verdict", verdict, "--text", "So it is.", "--json"
    )


def give_another_answer(settings: Settings, tamper: Tamper, dataset: str, template: str) -> str:
    """The id of a question whose stored gold is the next option from now on, or the stations in the other order."""
    (row,) = query(
        settings,
        "select question.id, question.options, question.prompt_hash, gold.value, question.version_id from question"
        " join gold on gold.version_id = question.version_id and gold.question_id = question.id"
        " join dataset_version on dataset_version.id = question.version_id"
        " join dataset on dataset.id = dataset_version.dataset_id"
        " where dataset.name = :dataset and template = :template order by number desc, position limit 1",
        dataset=dataset,
        template=template,
    )
    gold = {**row.value, **_another(row.value, row.options)}
    binds = {"v": row.version_id, "q": row.id, "gold": Jsonb(gold), "revision": digest(row.prompt_hash, gold)}
    tamper(
        settings, "update gold set value = %(gold)s where version_id = %(v)s and question_id = %(q)s", binds
    )
    tamper(
        settings, "update question set revision = %(revision)s where version_id = %(v)s and id = %(q)s", binds
    )
    return str(row.id)


def _another(gold: dict[str, Any], options: list[str] | None) -> dict[str, Any]:
    if options is None:
        return {"stations": gold["stations"][::-1]}
    index = (gold["index"] + 1) % len(options)
    return {"index": index, "text": options[index]}
