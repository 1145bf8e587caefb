"""`trigpoint submit`: answers computed elsewhere, checked, stored as a run, scored, and shown on the board."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from sqlalchemy import Connection

from app.cli.output import emit, say
from app.cli.submission import table_of
from app.core.clock import SystemClock
from app.core.errors import UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.formatting import printable, reading
from app.leaderboard.states import read_result
from app.predictions.submissions.importing import READERS, Source
from app.predictions.submissions.storing import (
    Submission,
    Taken,
    add_submission,
    check_answers,
    question_ids,
    read_submission,
)
from app.questions.versions import find_version
from app.scores.submitted import score_at_once

OWNER = "the command line"


def submit(
    dataset: Annotated[
        str, typer.Argument(metavar="DATASET", help="NAME (its newest version) or NAME@VERSION")
    ],
    answers: Annotated[
        Path, typer.Argument(help='JSON Lines, {"id","answer","repeat"} each, or one JSON array; also gzip')
    ],
    name: Annotated[
        str | None, typer.Option(help="the name on boards; by default the name in the file's card")
    ] = None,
    model: Annotated[str | None, typer.Option(help="the model that was asked")] = None,
    revision: Annotated[str | None, typer.Option(help="revision of the model's weights")] = None,
    training_cutoff: Annotated[str | None, typer.Option(help="month or day, such as 2025-06")] = None,
    tool: Annotated[
        list[str] | None, typer.Option(help="a tool that the model could call; may be given several times")
    ] = None,
    retrieval_source: Annotated[
        list[str] | None,
        typer.Option(help="a source that the model could search; may be given several times"),
    ] = None,
    prompt_hash: Annotated[str | None, typer.Option(help="SHA-256 of the prompt's own words")] = None,
    sampling: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE", help="NAME=VALUE, such as temperature=0; may be given several times"
        ),
    ] = None,
    contact: Annotated[str | None, typer.Option(help="how to reach you; it is not published")] = None,
    run_by_us: Annotated[
        bool,
        typer.Option(
            "--run-by-us", help="not self-reported: the people who run this service made the answers"
        ),
    ] = False,
    source: Annotated[
        str, typer.Option("--format", help="answers, or a log: lm-eval (samples_….jsonl), inspect")
    ] = "answers",
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Check answers that were computed elsewhere, and score them as a run. A file with a fault is not stored."""
    card = {
        "name": name,
        "model": model,
        "revision": revision,
        "training_cutoff": training_cutoff,
        "tools": tool,
        "retrieval_sources": retrieval_source,
        "prompt_hash": prompt_hash,
        "sampling": dict(map(_setting, sampling or [])),
        "contact": contact,
    }
    with connect(Settings.load(), Role.WORKER) as connection:
        taken = _take(connection, dataset, answers, card, _source(source), self_reported=not run_by_us)
        score_at_once(connection, SystemClock(), OWNER, taken.id)
        connection.commit()
        found = read_submission(connection, taken.id, None, SystemClock().now())
        _report(connection, found, as_json)


def _take(
    connection: Connection,
    dataset: str,
    answers: Path,
    card: dict[str, Any],
    source: Source,
    *,
    self_reported: bool,
) -> Taken:
    version = find_version(connection, dataset)
    try:
        with answers.open("rb") as file:
            checked = check_answers(version, question_ids(connection, version), file, card, source)
            now = SystemClock().now()
            taken = add_submission(connection, version, checked, file, now, self_reported=self_reported)
    except OSError as error:
        raise UsageError(f"{answers} cannot be read: {error.strerror}.") from error
    if taken.was == "same":
        say(f"The same answers were sent before, as submission {taken.id}. Nothing is scored again.")
    else:
        say(f"Submission {taken.id}: {checked.answers:,} answers to {version.reference} are complete.")
    return taken


def _report(connection: Connection, found: Submission, as_json: bool) -> None:
    emit(found.model_dump(mode="json"), as_json, table_of(found))
    result = None if found.run is None else read_result(connection, found.run)
    for warning in reading(printable(found.name), result.states) if result else []:
        say(warning)
    if found.state != "scored":
        raise typer.Exit(1)


def _source(given: str) -> Source:
    found = next((name for name in READERS if name == given), None)
    if found is None:
        raise UsageError(f"There is no format {given!r}; there are: {', '.join(READERS)}.")
    return found


def _setting(given: str) -> tuple[str, Any]:
    """A name and a number, a word, true or false. Raises UsageError."""
    name, equals, value = given.partition("=")
    if not name or not equals:
        raise UsageError(f"--sampling {given!r}: give NAME=VALUE, such as temperature=0.")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value
