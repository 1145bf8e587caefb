"""`trigpoint episode`: all calls on the way to an answer in a terminal; all episodes of a run as a file."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from sqlalchemy import Connection

from app.cli.cells import cell, words
from app.cli.output import emit
from app.cli.tables import pairs
from app.core.errors import UsageError
from app.core.identity import canonical_json
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.published.episode_models import ShownEpisode, ShownStep
from app.published.episodes import find_question, read_episode, read_episodes
from app.published.read_as import say_read
from app.published.replies import readable_arguments
from app.published.trajectories import as_trajectory

MOST_SIGNS = 1_000
"""Signs of a text that a terminal shows; `--json` gives all."""
FORMATS: Mapping[str, Callable[[ShownEpisode], str]] = {
    "episodes": lambda one: canonical_json(one.model_dump(mode="json")),
    "atif": lambda one: canonical_json(as_trajectory(one)),
}


def episode(
    run: Annotated[int, typer.Argument(metavar="RUN", help="the run's number")],
    question: Annotated[
        str | None,
        typer.Argument(
            metavar="[QUESTION]", help="the question's id, or the beginning of it; not needed with --to"
        ),
    ] = None,
    repeat: Annotated[int, typer.Option(min=0, help="the number of the repeat")] = 0,
    rotation: Annotated[int, typer.Option(min=0, help="places by which the options were turned")] = 0,
    to: Annotated[
        Path | None,
        typer.Option(help="write all episodes of the run to FILE.jsonl; an existing file is replaced"),
    ] = None,
    file_format: Annotated[
        str, typer.Option("--format", help="the form of the lines of --to: episodes, or atif for other tools")
    ] = "episodes",
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Show all calls on the way to an answer to a public question, or write a run's episodes to a file."""
    if file_format not in FORMATS:
        raise UsageError(f"There is no format {file_format[:60]!r}; there are: {', '.join(FORMATS)}.")
    if (question is None) == (to is None):
        raise UsageError(
            "Name a question to see its episode, or --to FILE.jsonl to write those of all questions."
        )
    with connect(Settings.load(), Role.API) as connection:
        if to is not None:
            _write(connection, run, to, file_format, as_json)
            return
        found, others = read_episode(
            connection, run, find_question(connection, run, question or ""), repeat, rotation
        )
    emit(found.model_dump(mode="json"), as_json, *_told(found, others))


def _write(connection: Connection, run: int, to: Path, file_format: str, as_json: bool) -> None:
    written = 0
    found = read_episodes(connection, run)
    first = list(islice(found, 1))  # of a run that there is not, no file is begun
    try:
        with to.open("w", encoding="utf-8", newline="") as file:
            for one in chain(first, found):
                file.write(FORMATS[file_format](one) + "\n")
                written += 1
    except OSError as error:
        raise UsageError(f"{to} cannot be written: {error.strerror}. Choose another --to.") from error
    result = {"run": run, "episodes": written, "format": file_format, "file": str(to)}
    emit(result, as_json, f"{written:,} episodes of run {run} on public questions written to {to}.")


def _told(found: ShownEpisode, others: list[tuple[int, int]]) -> Iterator[str | Table]:
    """What a person reads: the question, each call, and the end."""
    sums = found.sums
    yield pairs(
        [
            ("run", f"{found.run} {found.label}"),
            ("data set", found.dataset),
            ("solver", found.solver),
            ("agent", _options(found)),
            ("question", found.text),
            ("options", None if found.options is None else " | ".join(found.options)),
        ]
    )
    for number, step in enumerate(found.steps, 1):
        yield ""
        yield _heading(number, step, found.currency)
        yield from (f"  {name}: {_cut(value)}" for name, value in _parts(step) if value)
    yield ""
    yield pairs(
        [
            ("answer", found.answer),
            ("ended by", found.ended_by and words(found.ended_by)),
            ("failure", found.failure),
            ("read as", say_read(found.read, found.options, found.rotation)),
            ("outcome", words(found.outcome or found.state or "goes on")),
            ("score", None if found.score is None else f"{100 * found.score:.1f} %"),
            ("went wrong", ", ".join(map(words, found.errors)) or None),
            ("calls", f"{sums.chat_calls} of the model, {sums.tool_calls} of tools"),
            ("of these", f"{sums.failed_calls} failed, {sums.repeated_calls} repeated"),
            ("format faults", sums.format_faults or None),
            ("failed tries", sums.failed_tries or None),
            ("tokens", f"{sums.prompt_tokens:,} + {sums.completion_tokens:,}"),
            ("time", f"{sums.milliseconds:,} ms"),
            ("cost", None if sums.cost is None else f"{sums.cost:.6f} {found.currency}"),
        ]
    )
    if len(others) > 1:
        yield f"This question has {len(others)} episodes: --repeat and --rotation choose one."


def _options(found: ShownEpisode) -> str | None:
    if found.agent is None:
        return None
    return ", ".join(f"{words(name)} {cell(value)}" for name, value in found.agent.items())


def _heading(number: int, step: ShownStep, currency: str | None) -> str:
    named = f"{step.kind} {step.tool}" if step.kind == "tool" else step.kind
    marks = [
        step.state if step.state != "done" else "",
        f"try {step.attempt + 1}" if step.attempt else "",
        "repeated" if step.repeated else "",
        "taken over" if step.reused else "",
    ]
    taken = [
        f"{step.prompt_tokens or 0:,} + {step.completion_tokens or 0:,} tokens"
        if step.kind == "chat"
        else "",
        f"{step.milliseconds:,} ms" if step.milliseconds is not None else "",
        f"{step.cost:.6f} {currency}" if step.cost is not None else "",
    ]
    return f"{number}. {', '.join(filter(None, [named, *marks, *taken]))}"


def _parts(step: ShownStep) -> Iterator[tuple[str, str | None]]:
    yield "failure", step.failure
    yield "thought", step.thought
    yield "said", step.said if step.said != step.thought else None
    for one in step.wanted:
        yield "asks for", f"{one.tool} {readable_arguments(one.arguments)}"
    yield "with", None if step.arguments is None else canonical_json(step.arguments)
    yield words(step.fault) if step.fault else "result", step.sentence


def _cut(said: str) -> str:
    return (
        said if len(said) <= MOST_SIGNS else f"{said[:MOST_SIGNS]} … ({len(said):,} signs; --json shows all)"
    )
