"""`trigpoint recheck`: the keys of questions that others published, computed again from the questions alone."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.output import emit, say, write_file
from app.core.settings import Settings
from app.operations.recheck import recheck_dataset
from app.questions.rechecking.report import as_lines, as_markdown


def recheck(
    dataset: Annotated[
        str, typer.Argument(metavar="DATASET", help="an imported data set: NAME or NAME@VERSION")
    ],
    on_map: Annotated[
        str | None,
        typer.Option(
            "--map",
            metavar="SNAPSHOT",
            help="also answer the questions again from this map, NAME or NAME@TIMESTAMP",
        ),
    ] = None,
    markdown: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="also write the whole report as Markdown; a file there is replaced"
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Compute the keys of an imported data set again, and list those that are contradicted, with the working."""
    found = recheck_dataset(Settings.load(), dataset, on_map)
    if markdown is not None:
        write_file(markdown, as_markdown(found))
        say(f"The whole report is in {markdown}.")
    emit(found.model_dump(mode="json"), as_json, *as_lines(found))
