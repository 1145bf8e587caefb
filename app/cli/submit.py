"""`trigpoint submit`: answers computed elsewhere, checked, stored as a run, scored, and shown on the board."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from app.cli.output import emit, say
from app.cli.submission import table_of
from app.core.errors import UsageError
from app.core.settings import Settings
from app.leaderboard.formatting import printable, reading
from app.operations.submit import ScoredSubmission, SubmissionRequest, submit_and_score
from app.predictions.submissions.importing import READERS, Source


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
    training_cutoff: Annotated[
        str | None, typer.Option(help="end of the training data: a month or a day, such as 2025-06")
    ] = None,
    tool: Annotated[
        list[str] | None, typer.Option(help="a tool that the model could call; may be given several times")
    ] = None,
    retrieval_source: Annotated[
        list[str] | None,
        typer.Option(help="a source that the model could search; may be given several times"),
    ] = None,
    prompt_hash: Annotated[str | None, typer.Option(help="SHA-256 of the text of the prompt")] = None,
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
        str, typer.Option("--format", help="answers; for a log lm-eval (samples_….jsonl) or inspect")
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
    form = _source(source)
    try:
        with answers.open("rb") as file:
            request = SubmissionRequest(dataset, file, card, form)
            done = submit_and_score(Settings.load(), request, self_reported=not run_by_us)
    except OSError as error:
        raise UsageError(f"{answers} cannot be read: {error.strerror}.") from error
    _report(done, as_json)


def _report(done: ScoredSubmission, as_json: bool) -> None:
    if done.taken.was == "same":
        say(f"The same answers were sent before, as submission {done.taken.id}. Nothing is scored again.")
    else:
        say(f"Submission {done.taken.id}: {done.answers:,} answers to {done.version} are complete.")
    found = done.submission
    emit(found.model_dump(mode="json"), as_json, table_of(found))
    for warning in reading(printable(found.name), done.result.states) if done.result else []:
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
