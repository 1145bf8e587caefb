"""`trigpoint review …`: a sample or all questions to be marked, marks loaded back, what they say."""

from pathlib import Path
from typing import Annotated

import typer

from app.cli import output
from app.core.clock import SystemClock
from app.core.errors import UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.versions import find_version
from app.reviews.batches import AGREED, Inspected
from app.reviews.card import read_review, sentences
from app.reviews.inspecting import inspect_version, write_batches
from app.reviews.marks import read_marks
from app.reviews.sheets import write_sheet
from app.reviews.storing import list_marks, load_marks, sample_version

DataSet = Annotated[str, typer.Argument(metavar="DATASET", help="NAME (its newest version) or NAME@VERSION")]
AsJson = Annotated[bool, typer.Option("--json", help="one JSON object on stdout")]

review = typer.Typer(help="Review of a sample of questions by people.", no_args_is_help=True)


@review.command()
def sample(
    dataset: DataSet,
    size: Annotated[
        int, typer.Option(min=1, help="number of questions in all; each template gets the same number")
    ],
    to: Annotated[Path, typer.Option(help="a new file: a page (.html) or a sheet (.csv)")],
    seed: Annotated[int, typer.Option(min=0, max=2**53 - 1, help="decides which questions are drawn")] = 0,
    with_gold: Annotated[bool, typer.Option("--with-gold", help="show the gold of public questions")] = False,
    include_hidden: Annotated[
        bool, typer.Option("--include-hidden", help="also show the gold of hidden questions")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Draw a sample of questions evenly over templates, and write it as a page or a sheet for marks."""
    if include_hidden and not with_gold:
        raise UsageError(
            "--include-hidden is only for use with --with-gold: text and options of hidden questions are public."
        )
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        version = find_version(connection, dataset)
        questions = sample_version(connection, version, size, seed, with_gold, include_hidden)
    write_sheet(to, version.reference, seed, size, questions)
    templates = {question.template for question in questions}
    result = {
        "dataset": version.name,
        "version": version.number,
        "seed": seed,
        "size": size,
        "templates": len(templates),
        "file": str(to),
    }
    said = (
        f"{to}: {len(questions)} questions of {version.reference}, {len(templates)} templates, seed {seed}."
    )
    output.emit(result, as_json, said)


BatchSize = Annotated[int, typer.Option("--batch", min=1, max=1000, help="questions in a batch")]
Seed = Annotated[
    int, typer.Option(min=0, max=2**53 - 1, help="decides which questions a second person looks at")
]


@review.command()
def inspect(
    dataset: DataSet,
    to: Annotated[Path, typer.Option(metavar="FOLDER", help="for the pages of all batches")],
    batch: BatchSize = 50,
    seed: Seed = 0,
    with_gold: Annotated[bool, typer.Option("--with-gold", help="show the gold of public questions")] = False,
    include_hidden: Annotated[
        bool, typer.Option("--include-hidden", help="also show the gold of hidden questions")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write all questions in batches, with maps of what they print: a page for each, and one for its second look."""
    if include_hidden and not with_gold:
        raise UsageError(
            "--include-hidden is only for use with --with-gold: text and options of hidden questions are public."
        )
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        version = find_version(connection, dataset)
        paths = write_batches(connection, version, to, batch, seed, with_gold, include_hidden)
    result = {
        "dataset": version.name,
        "version": version.number,
        "batches": len(paths) // 2,
        "seed": seed,
        "files": [str(path) for path in paths],
    }
    said = f"{to}: {len(paths) // 2} batches of {version.reference}, a page for each and one for its second look."
    output.emit(result, as_json, said)


@review.command()
def batches(dataset: DataSet, batch: BatchSize = 50, seed: Seed = 0, as_json: AsJson = False) -> None:
    """Show where each batch stands: inspected, looked at twice, agreement, and which are to be redone."""
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        version = find_version(connection, dataset)
        found = inspect_version(connection, version, batch, seed)
    result = {
        "dataset": version.name,
        "version": version.number,
        "seed": seed,
        "batches": [one._asdict() for one in found],
    }
    output.emit(result, as_json, version.reference, *map(_batch, found))


def _batch(one: Inspected) -> str:
    agreement = "" if one.agreement is None else f", {100 * one.agreement:.1f} % alike"
    states = {
        "open": "open",
        "done": "done",
        "redo": f"to be redone: fewer than {100 * AGREED.numerator // AGREED.denominator} % are alike",
    }
    return (
        f"Batch {one.number}: {one.inspected} of {one.questions} inspected, {one.second} of {one.second_wanted} looked "
        f"at twice{agreement}, {one.not_natural} not natural: {states[one.state]}."
    )


@review.command()
def load(
    dataset: DataSet,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="marks as JSON, or CSV if its name ends in .csv")
    ],
    reviewer: Annotated[str, typer.Option(help="the person who gave the marks")],
    as_json: AsJson = False,
) -> None:
    """Check a file of marks and load it. A file with a fault is not loaded at all."""
    marks = read_marks(file)
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        version = find_version(connection, dataset)
        loaded = load_marks(connection, version, marks, reviewer, SystemClock().now())
        connection.commit()
    result = {
        "dataset": version.name,
        "version": version.number,
        "reviewer": reviewer.strip(),
        "file": file.name,
        **loaded._asdict(),
    }
    said = f"{file.name}: {loaded.added} added, {loaded.changed} changed, {loaded.unchanged} unchanged."
    output.emit(result, as_json, said)


@review.command()
def show(dataset: DataSet, as_json: AsJson = False) -> None:
    """Show agreement, limits on the share of faulty questions, and all questions that somebody did not mark natural."""
    with connect(Settings.load(), Role.MAINTAINER) as connection:
        version = find_version(connection, dataset)
        found = read_review(connection, version.id)
        marks = list_marks(connection, version)
    result = {
        "dataset": version.name,
        "version": version.number,
        "review": found.model_dump(mode="json") if found else None,
        "marks": marks,
    }
    if found is None:
        none = f"{version.reference}: no marks yet. `trigpoint review sample` draws questions to be marked."
        output.emit(result, as_json, none)
        return
    faults = [
        f"{mark['question']}  {mark['template']}  {mark['reviewer']}: {mark['mark']}"
        + (f" ({' '.join(mark['note'].split())})" if mark["note"] else "")
        for mark in marks
        if mark["mark"] != "natural"
    ]
    sources = [f"Kappa: {found.kappa_source}.", f"Bound: {found.bound_source}."]
    output.emit(result, as_json, version.reference, *sentences(found), *sources, *faults)
