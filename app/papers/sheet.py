"""Papers' tables as CSV: a line a cell, so that a program can arrange them."""

from collections.abc import Iterator
from typing import Any

from app.core.sheets import as_sheet
from app.leaderboard.formatting import map_source
from app.papers.models import PaperReport, PaperRow, PaperRun, PaperTable

COLUMNS = (
    "paper",
    "table",
    "title",
    "measure",
    "better",
    "kind",
    "row",
    "name",
    "dataset",
    "map",
    "solver",
    "endpoint",
    "model",
    "finished_at",
    "column",
    "value",
    "n",
    "low",
    "high",
    "partial",
)


def as_csv(report: PaperReport) -> str:
    """Published cells and those of runs, empty where there is no figure; values are shares of 1."""
    runs = {str(run.run): run for run in report.runs}
    rows = (
        line
        for table in report.tables
        for row in table.rows
        for line in _lines(report, table, row, runs.get(row.key) if row.kind == "mine" else None)
    )
    return as_sheet(COLUMNS, rows)


def _lines(
    report: PaperReport, table: PaperTable, row: PaperRow, run: PaperRun | None
) -> Iterator[list[Any]]:
    about: list[Any] = [
        report.paper,
        table.table,
        table.title,
        table.measure,
        table.better,
        row.kind,
        row.key,
        row.name,
    ]
    about += _about(run) if run is not None else [None, report.map, None, None, None, None]
    for column in table.columns:
        cell = row.cells[column]
        told = [None] * 5 if cell is None else [cell.value, cell.n, cell.low, cell.high, cell.partial]
        yield [*about, column, *told]


def _about(run: PaperRun) -> list[Any]:
    maps = "; ".join(map_source(source) for source in run.snapshots)
    ended = None if run.finished_at is None else run.finished_at.isoformat()
    return [run.dataset, maps, run.solver, run.endpoint, run.model, ended]
