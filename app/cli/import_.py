"""`trigpoint import`: an OSM extract becomes a published snapshot. Bars on stderr, the result on stdout."""

from types import TracebackType
from typing import Annotated, Self

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from app.cli import output
from app.cli.snapshots import held_note
from app.core.clock import SystemClock
from app.core.settings import Settings
from osm_import.importing import ALL_LAYERS, ImportResult, import_extract, read_layers
from osm_import.keeping import held_snapshots


class Bars:
    """Draws the stages of an import; where stderr is no terminal, one line a stage."""

    def __init__(self) -> None:
        columns = (
            TextColumn("{task.description:<12}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        self._progress = Progress(*columns, console=output.progress, disable=not output.progress.is_terminal)
        self._task: int | None = None

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def start(self, stage: str, total: int | None) -> None:
        """A stage begins: the bar of the one before stands still."""
        if self._progress.disable:
            output.say(stage)
            return
        if self._task is not None:
            self._progress.stop_task(self._progress.tasks[-1].id)
        self._task = self._progress.add_task(stage, total=total)

    def advance(self, steps: int) -> None:
        """So many more steps of the stage are done."""
        if not self._progress.disable and self._task is not None:
            self._progress.advance(self._progress.tasks[-1].id, steps)


def import_(
    source: Annotated[
        str,
        typer.Argument(metavar="PBF|REGION", help="a map file, its URL, or the name of a Geofabrik region"),
    ],
    name: Annotated[
        str | None,
        typer.Option(help="the snapshot's name; the file's name up to the first - or . by default"),
    ] = None,
    layers: Annotated[
        str,
        typer.Option(
            help="the layers to import, with commas between; templates that require others refuse the map"
        ),
    ] = ",".join(ALL_LAYERS),
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Import an OpenStreetMap extract as a snapshot, and publish it."""
    settings = Settings.load()
    with Bars() as bars:
        result = import_extract(settings, source, name, SystemClock(), bars, read_layers(layers))
    if result.reused:
        output.say("This file is published under this name already; nothing was done.")
    for reference in held_snapshots(settings, result.name):
        output.say(held_note(reference))
    output.emit(result.as_json(), as_json, *_render(result))


def _render(result: ImportResult) -> tuple[Table, str]:
    answer = result.as_json()
    table = Table(title=f"{answer['snapshot']}  ({answer['schema']})", title_justify="left")
    table.add_column("layer")
    counts = ("found", "kept", "repaired", "rejected")
    for column in counts:
        table.add_column(column, justify="right")
    for layer, count in result.layers.items():
        table.add_row(layer, *(f"{count[column]:,}" for column in counts))
    return table, (
        f"Outline: {result.outline_source}. Map data © OpenStreetMap contributors, ODbL 1.0. "
        f"What was not kept stands in {answer['schema']}.reject, with the reason."
    )
