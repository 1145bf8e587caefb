"""`trigpoint contamination`: whether a model has seen the questions of a run before."""

from typing import Annotated

import typer
from rich.table import Table

from app.cli import output
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard import formatting as words
from app.leaderboard.board import ProfileName
from app.leaderboard.contamination import (
    Contamination,
    FoundCanary,
    canaries_of_run,
    measure_contamination,
)

PAIRINGS = {
    "twins": "Each question is compared with its fresh twin.",
    "same_questions": "Each question is compared with the same question on the other map.",
    "none": "No question of one run belongs to one of the other: means are compared, templates weighted alike.",
}


def contamination(
    run: Annotated[int, typer.Argument(metavar="RUN", help="a run on questions that may have been seen")],
    fresh_run: Annotated[
        int | None,
        typer.Argument(
            metavar="[FRESH_RUN]", help="a run of the same model on fresh twins or a permuted map"
        ),
    ] = None,
    profile: Annotated[
        ProfileName,
        typer.Option("--profile", help="the rules that score the answers; published: those of the paper"),
    ] = "trigpoint",
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Show how much more was right on known questions than on fresh ones, and canaries in completions.

    Without FRESH_RUN, only canaries are looked for. Hidden questions count for nothing here.
    """
    with connect(Settings.load(), Role.API) as connection:
        if fresh_run is None:
            of_run = canaries_of_run(connection, run)
            output.emit(of_run.model_dump(mode="json"), as_json, *_say_canaries(of_run.canaries))
            return
        found = measure_contamination(connection, run, fresh_run, profile)
    output.emit(found.model_dump(mode="json"), as_json, *_title(found), "", render(found), "", *_notes(found))


def render(found: Contamination) -> Table:
    """A row a template, in per cent."""
    table = Table()
    table.add_column("template")
    for label in ("n", "known %", "fresh %", "gap", "95 %"):
        table.add_column(label, justify="right")
    for one in found.templates:
        table.add_row(
            one.template,
            words.count(one.n),
            words.percent(one.known),
            words.percent(one.fresh),
            f"{100 * one.gap:+.1f}",
            words.signed_span(one.low, one.high),
        )
    return table


def _title(found: Contamination) -> list[str]:
    return [
        f"{words.printable(one.name)}, run {one.run}, {one.dataset}@{one.version}: {words.percent(one.score)} %"
        for one in (found.known, found.fresh)
    ] + [f"Verdict: {found.verdict}."]


def _notes(found: Contamination) -> list[str]:
    left = (
        f" {words.count(found.unpaired)} questions of run {found.known.run} have no partner."
        if found.unpaired
        else ""
    )
    return [
        f"{PAIRINGS[found.pairing]} n {words.count(found.n)}, {words.count(found.places)} places.{left}",
        f"Interval: {found.interval}.",
        *([words.say_differences(found.differ)] if found.differ else []),
        *_say_canaries(found.canaries),
        f"{found.attribution} {found.licence_url}",
    ]


def _say_canaries(canaries: list[FoundCanary]) -> list[str]:
    if not canaries:
        return ["Canaries: no completion of a public question has the canary of a data set version."]
    return [
        f"Canary of {one.dataset}@{one.version} in completions of {words.count(one.questions)} questions of run "
        f"{one.run}: the model has seen this version."
        for one in canaries
    ]
