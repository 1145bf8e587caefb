"""`trigpoint run answers`: what a run answered to public questions, on the terminal or as a file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from app.cli.cells import words
from app.cli.output import emit, write_file
from app.cli.tables import listing
from app.core.clock import SystemClock
from app.core.errors import UsageError
from app.core.identity import canonical_json
from app.core.settings import Role, Settings
from app.core.sheets import as_sheet
from app.db.engine import connect
from app.leaderboard.formatting import percent
from app.predictions.listing import read_run
from app.published.answers import RunAnswer, read_answers
from app.published.read_as import say_read

COLUMNS = tuple(RunAnswer.model_fields)


def answers(
    run_id: Annotated[int, typer.Argument(metavar="RUN", help="the run's number")],
    to: Annotated[
        Path | None,
        typer.Option(help="a file to write: FILE.csv or FILE.jsonl; an existing file is replaced"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Show a run's answers to public questions, with prompt, gold and score, or write them to a file."""
    kinds = {".csv": as_csv, ".jsonl": as_lines}
    if to is not None and to.suffix.lower() not in kinds:
        raise UsageError(f"--to {to}: the name must end in .csv or .jsonl.")
    with connect(Settings.load(), Role.API) as connection:
        run = read_run(connection, run_id, SystemClock().now())
        found = read_answers(connection, run_id)
    result: dict[str, Any] = {"run": run.run, "dataset": run.dataset, "label": run.label, "n": len(found)}
    if to is None:
        rows = [one.model_dump(mode="json") for one in found]
        emit(result | {"answers": rows}, as_json, _table(found))
        return
    write_file(to, kinds[to.suffix.lower()](found))
    told = f"{len(found):,} answers of run {run.run} to public questions written to {to}."
    emit(result | {"file": str(to)}, as_json, told)


def as_lines(found: Sequence[RunAnswer]) -> str:
    """A JSON object a line, every text as it was stored."""
    return "".join(canonical_json(one.model_dump(mode="json")) + "\n" for one in found)


def as_csv(found: Sequence[RunAnswer]) -> str:
    """A row an answer; texts that a spreadsheet could take for a formula begin with an apostrophe."""
    return as_sheet(COLUMNS, (one.model_dump(mode="json").values() for one in found))


def _table(found: Sequence[RunAnswer]) -> Table:
    table = listing(
        "question",
        "answer",
        "read as",
        "outcome",
        "score %",
        right=["score %"],
        sentences=["answer", "read as"],
    )
    for one in found:
        read = say_read(one.read, one.options, one.rotation)
        outcome = words(one.outcome or one.state)
        cells = (one.question, one.answer, read, outcome, percent(one.score))
        table.add_row(*(Text("" if cell is None else cell) for cell in cells))
    return table
