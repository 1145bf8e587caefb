"""`trigpoint load`: the files of a data set that others published, and the answers of their baselines."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli.output import emit, say
from app.core.settings import Settings
from app.operations.load import LoadedDataset, load_dataset

SHOWN = 10


def load(
    file_format: Annotated[
        str, typer.Argument(metavar="FORMAT", help="of the files: gsqa, mapeval-textual …")
    ],
    path: Annotated[Path, typer.Argument(help="the authors' folder or file", show_default=False)],
    out: Annotated[
        str | None, typer.Option(help="the name of the new data set", show_default="that of the format")
    ] = None,
    pictures: Annotated[
        Path | None, typer.Option(help="the folder of the pictures that the file names", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Load questions that others published, unproved, and score their baselines. Only maintainers see them."""
    name = out or file_format.replace("-", "_")
    done = load_dataset(Settings.load(), file_format, path, name, pictures)
    if not done.is_new:
        say(f"These files were loaded before, as {done.version.reference}. Nothing is stored again.")
    for one in done.files.scores.differing[:SHOWN]:
        say(f"A score differs: {one}.")
    emit(done.as_json(), as_json, *lines_of(done))


def lines_of(done: LoadedDataset) -> list[str]:
    """What the command says of what was loaded."""
    scores, reference = done.files.scores, done.version.reference
    differing = f"{len(scores.differing):,} differ" if scores.differing else "all of them are equal"
    counted = {
        "questions": len(done.files.questions),
        "answers": done.answers,
        "baselines": len(done.files.baselines),
    }
    told = ", ".join(f"{name} {count:,}" for name, count in counted.items())
    lines = [f"{reference}: {told}. {done.form.licence['name'].capitalize()}."]
    if done.files.baselines:
        lines.append(f"  scores of the files computed again: {scores.compared:,}; {differing}.")
    lines += [f"  {count:,} × {done.form.faults[name]}" for name, count in done.files.notes.items()]
    lines += [f"  {one}." for one in done.files.listed]
    name = done.version.name
    return [
        *lines,
        f"Nothing of it is proved. Only maintainers see it; `trigpoint imported open {name} --licence …` opens it.",
    ]
