"""`trigpoint twins`: fresh twins of a data set version, to find out whether its questions were seen before."""

from typing import Annotated

import typer

from app.cli.generate import generating_bars, say_what_came_of_it, table, whole_number
from app.cli.output import emit, say
from app.core.settings import Settings
from app.operations.twins import TwinsRequest, make_twins

BARS = 200


def twins(
    dataset: Annotated[
        str, typer.Argument(metavar="DATASET", help="NAME (its newest version) or NAME@VERSION")
    ],
    out: Annotated[str, typer.Option(help="the name of the data set of twins")],
    snapshot: Annotated[
        list[str] | None,
        typer.Option(help="another map, NAME or NAME@TIMESTAMP; by default the maps of the version"),
    ] = None,
    seed: Annotated[
        str | None, typer.Option(help="a whole number; by default the one after the version's seed")
    ] = None,
    bank: Annotated[
        int | None,
        typer.Option(
            min=1, help="accepted questions of each template to choose from; by default as the version"
        ),
    ] = None,
    same_questions: Annotated[
        bool,
        typer.Option(
            "--same-questions", help="ask the same questions of another map, such as a permuted one"
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Make a fresh twin of each public question: by the same template, about other objects, as well known."""
    given = None if seed is None else whole_number(seed)
    asked = TwinsRequest(dataset, out, snapshot or [], given, bank, same_questions)
    with generating_bars(bank or BARS) as tell:
        done = make_twins(Settings.load(), asked, say, tell)
    say_what_came_of_it(done)
    missing = sum(report.get("without_twin", 0) for report in done.reports.values())
    if missing:
        why = (
            "the map has them no more, or the bank was full before"
            if same_questions
            else "the bank had no other question of their popularity group left"
        )
        say(f"{missing:,} questions have no twin: {why}.")
    emit(done.as_json(), as_json, table(done.version, done.reports))
