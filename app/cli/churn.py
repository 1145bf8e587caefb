"""`trigpoint churn`: what became of a data set's questions from map to map, and how fast its gold goes out of date."""

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from app.cli.output import emit
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.published.churn import Fates, GoldLife, read_churn

COLUMNS = {
    "questions": "asked",
    "kept": "kept",
    "text_updated": "text",
    "gold_updated": "gold",
    "replaced": "replaced",
    "retired": "retired",
}
"""What a column tells, and its heading: text and gold are what was updated."""


def churn(
    dataset: Annotated[str, typer.Argument(metavar="DATASET", help="NAME; all its refreshes count")],
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Count the outcomes of questions at each refresh, by template, with the half-life of gold."""
    with connect(Settings.load(), Role.WORKER) as connection:
        found = read_churn(connection, dataset)
    if not found.refreshes:
        told = f"{found.dataset} was not refreshed yet: `trigpoint refresh {found.dataset} --snapshot NAME`."
        emit(found.model_dump(mode="json"), as_json, told)
        return
    refreshes, templates = _table("refresh", "years"), _table("template", "half-life [years]")
    for one in found.refreshes:
        refreshes.add_row(Text(f"to {one.later}"), *_cells(one), years(one.days))
    for each in found.templates:
        templates.add_row(Text(each.template), *_cells(each), lifetime(each.half_life))
    templates.add_row("all", *_cells(found.all), lifetime(found.half_life))
    emit(found.model_dump(mode="json"), as_json, refreshes, "", templates)


def _table(first: str, last: str) -> Table:
    table = Table()
    table.add_column(first)
    for heading in COLUMNS.values():
        table.add_column(heading, justify="right")
    table.add_column(last, justify="right")
    return table


def _cells(found: Fates) -> list[str]:
    return [f"{getattr(found, column):,}" for column in COLUMNS]


def years(days: float | None) -> str:
    """Days as years."""
    return "?" if days is None else f"{days / 365.25:.1f}"


def lifetime(found: GoldLife | None) -> str:
    """A half-life with its interval."""
    if found is None:
        return "not known"
    return f"{years(found.days)} [{years(found.low)}, {years(found.high)}]"
