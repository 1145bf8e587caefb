"""`trigpoint paper`: the tables of a benchmark's paper, with own runs as rows beside the published ones."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.table import Table
from rich.text import Text

from app.cli import output
from app.cli.output import emit
from app.core.errors import NotFound, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.papers import figures
from app.papers.latex import as_latex
from app.papers.models import PaperReport, PaperTable
from app.papers.reading import read_paper
from app.papers.sheet import as_csv

FORMATS = {"latex": as_latex, "csv": as_csv}
BEFORE_CELLS = 22
"""Columns of a terminal that the names of rows take."""


def paper(
    name: Annotated[
        str, typer.Argument(metavar="PAPER", help="evgeoqa, gsqa, mapeval, mapqa, spatial-agent or urban")
    ],
    runs: Annotated[
        list[int] | None,
        typer.Argument(
            metavar="RUN…", help="numbers of complete runs; for the Reasoning Module, of judges' runs"
        ),
    ] = None,
    tables: Annotated[
        list[int] | None,
        typer.Option(
            "--table", metavar="N", help="only this table (0: what stands in no table); may be given again"
        ),
    ] = None,
    file_format: Annotated[
        Literal["latex", "csv"] | None, typer.Option("--format", help="print the tables as LaTeX or CSV")
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="FILE", help="with --format: the file; an existing file is replaced"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Show the tables of a benchmark's paper with your runs as rows beside the published ones."""
    _check(file_format, to, as_json)
    with connect(Settings.load(), Role.API) as connection:
        found = _only(read_paper(connection, name, runs or []), tables or [])
    if file_format is None:
        emit(found.model_dump(mode="json"), as_json, *render(found, output.results.width))
        return
    content = FORMATS[file_format](found)
    if to is None:
        output.write(content)
        return
    output.write_file(to, content)
    told = {"paper": name, "runs": [one.run for one in found.runs], "format": file_format, "file": str(to)}
    emit(told, as_json, f"The tables of {name} with {len(found.runs)} runs written to {to}.")


def _check(file_format: str | None, to: Path | None, as_json: bool) -> None:
    if to is not None and file_format is None:
        raise UsageError("--to needs --format latex or --format csv.")
    if as_json and file_format is not None and to is None:
        raise UsageError(
            f"--format {file_format} and --json both print to stdout: give one, or add --to FILE."
        )


def _only(report: PaperReport, numbers: Sequence[int]) -> PaperReport:
    known = list(dict.fromkeys(table.table for table in report.tables))
    for number in numbers:
        if number not in known:
            told = ", ".join(map(str, known))
            raise NotFound(f"The paper {report.paper} has no table {number} here; there are: {told}.")
    if not numbers:
        return report
    return report.model_copy(update={"tables": [one for one in report.tables if one.table in numbers]})


def render(report: PaperReport, width: int) -> list[str | Table]:
    """Who stands in the tables, then each table in blocks of columns that fit into `width`, then what to know."""
    shown: list[str | Table] = [f"{report.title} ({report.url})", "", _legend(report)]
    for table in report.tables:
        shown += ["", figures.heading(table)]
        for number, columns in enumerate(figures.blocks(table.columns, _most(table, width))):
            shown += [*([""] if number else []), _block(table, columns)]
        shown += table.notes
    notes = [f"{names}: {said}" for names, said in figures.differences(report.runs).items()]
    rules = f"Scores of runs: {figures.rules(report)}. Interval: {report.interval}."
    return [*shown, "", *notes, *report.notes, f"{rules} {report.attribution}"]


def _legend(report: PaperReport) -> Table:
    table = Table(show_header=False)
    table.add_column()
    table.add_column()
    table.add_column(overflow="fold")
    for key, meaning in report.systems.items():
        table.add_row("published", Text(key), Text(meaning), style="dim")
    for run in report.runs:
        table.add_row("mine", f"run {run.run}", Text(figures.about(run)))
    return table


def _most(table: PaperTable, width: int) -> int:
    """How many columns fit: a cell is as wide as an interval, and two blanks."""
    widest = max(
        (len(figures.interval(table, cell)) for row in table.rows for cell in row.cells.values()), default=0
    )
    words = max(len(word) for column in table.columns for word in column.split())
    return max(1, (width - BEFORE_CELLS) // (max(widest, words, 5) + 2))


def _block(table: PaperTable, columns: Sequence[str]) -> Table:
    found = Table()
    found.add_column("")
    found.add_column("")
    for column in columns:
        found.add_column(column, justify="right")
    for row in table.rows:
        cells = [row.cells[column] for column in columns]
        style = "dim" if row.kind == "published" else ""
        values = (figures.value(table, one) for one in cells)
        found.add_row(row.kind, Text(figures.label(row)), *values, style=style)
        if figures.has_data(row):
            found.add_row("", "n", *(figures.size(one) for one in cells), style="dim")
            if figures.has_intervals(row):
                found.add_row("", "95 %", *(figures.interval(table, one) for one in cells), style="dim")
    return found
