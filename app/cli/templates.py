"""`trigpoint templates`: what benchmarks there are, and whether their files are sound."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from app.cli.cells import words
from app.cli.output import emit
from app.cli.tables import listing
from app.questions.checking import check_provable
from app.templates.catalogue import TEMPLATES_FOLDER, load_benchmarks

templates = typer.Typer(help="The templates of sql_templates/.", no_args_is_help=True)


@templates.command("check")
def check(
    folder: Annotated[
        Path,
        typer.Argument(show_default=False, help="a folder of benchmarks to check instead of sql_templates/"),
    ] = TEMPLATES_FOLDER,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Read every template, pick and phrasing, and print the file and line of the first fault."""
    tables: list[str | Table] = []
    found: dict[str, list[str]] = {}
    for benchmark in load_benchmarks(folder).values():
        table = listing("template", "version", "asks for", "by", right=["version"], sentences=["asks for"])
        table.title = benchmark.name
        for template in benchmark.templates.values():
            check_provable(template)
            header = template.header
            table.add_row(header.id, f"{header.version:,}", header.title, words(header.answer_type))
            found.setdefault(benchmark.name, []).append(header.id)
        tables += [*([""] if tables else []), table]
    emit(found, as_json, *tables)
