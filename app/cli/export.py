"""`trigpoint export`: a published version as files."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.output import emit
from app.core.settings import Settings
from app.exports.formats import FORMATS
from app.operations.export import ExportRequest, export_version


def export(
    dataset: Annotated[
        str, typer.Argument(metavar="DATASET", help="NAME (its newest version) or NAME@VERSION")
    ],
    to: Annotated[Path, typer.Option(help="the folder to write to")],
    file_format: Annotated[str, typer.Option("--format", help=", ".join(FORMATS))] = "jsonl",
    with_gold: Annotated[
        bool, typer.Option("--with-gold", help="also export the gold of public questions")
    ] = False,
    include_hidden: Annotated[
        bool, typer.Option("--include-hidden", help="also export the gold of hidden questions")
    ] = False,
    with_board: Annotated[
        bool, typer.Option("--with-board", help="add a picture of the board to the card")
    ] = False,
    tools: Annotated[
        str | None,
        typer.Option(
            metavar="SET",
            help="with inspect: a task whose agent has these tools: all, mapeval, mapeval_calculator, georover, "
            "georover_10km, spatial_agent or calculator",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Write the questions of a version to files for other tools, with canary and licence."""
    request = ExportRequest(dataset, to, file_format, with_gold, include_hidden, with_board, tools)
    written = export_version(Settings.load(), request)
    told = f"{written.version.reference}: {', '.join(written.files)} written to {to}."
    emit(written.as_json(), as_json, told)
