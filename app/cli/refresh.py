"""`trigpoint refresh`: a data set brought to a newer map; what a change can have touched is proved again."""

from typing import Annotated, Any

import typer
from rich.table import Table

from app.cli.output import emit, say
from app.core.settings import Settings
from app.operations.publish_written import RefreshedWritten
from app.operations.refresh import RefreshRequest, refresh_dataset
from app.questions.refresh.refreshing import Refreshed


def refresh(
    dataset: Annotated[str, typer.Argument(metavar="DATASET", help="NAME; its newest version is refreshed")],
    snapshot: Annotated[
        str,
        typer.Option(
            metavar="NAME[@TIMESTAMP]", help="the newer map of the region; NAME means its newest map"
        ),
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="say what would happen to the questions; write no version")
    ] = False,
    full: Annotated[
        bool,
        typer.Option("--full", help="ask every question again, not only those that a change may affect"),
    ] = False,
    allow_older: Annotated[
        bool, typer.Option("--allow-older", help="accept a map that is older than the version's map")
    ] = False,
    allow_other_ids: Annotated[
        bool,
        typer.Option(
            "--allow-other-ids",
            help="accept a map on which almost none of the questions' objects have the same ids",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Make the data set's next version on another map of its region. Questions that no change affects are kept."""
    request = RefreshRequest(dataset, snapshot, dry_run, full, allow_older, allow_other_ids)
    done = refresh_dataset(Settings.load(), request)
    told = done.as_json()
    if isinstance(done, RefreshedWritten):
        emit(told, as_json, *_lines_of_written(told))
        return
    if done.refreshed is None:
        say(f"{done.version.reference} already uses that map; nothing differs, so no version is added.")
        emit(told, as_json)
        return
    emit(told, as_json, *_lines(told, done.refreshed))


def _lines_of_written(told: dict[str, Any]) -> list[str]:
    to = f"{told['to']} is published" if told["to"] else "nothing is published"
    flagged = [f"  held back: draft {one}; a call gives another result" for one in told["flagged"]]
    return [
        f"{told['from']} on {told['snapshots']['to']}: {told['rerun']:,} calls made again, {told['kept']:,} questions "
        f"kept, {len(told['flagged']):,} flagged for their authors, {told['seconds']:.1f} s; {to}.",
        *flagged,
    ]


def _lines(told: dict[str, Any], refreshed: Refreshed) -> list[Any]:
    to = f"{told['to']} is published" if told["to"] else "nothing is written"
    table = Table()
    for column in ("outcome", "reason", "questions"):
        table.add_column(column, justify="right" if column == "questions" else "left")
    for outcome, number in refreshed.counts.items():
        table.add_row(outcome, "", f"{number:,}")
        for reason, of_reason in told["reasons"].get(outcome, {}).items():
            table.add_row("", reason, f"{of_reason:,}")
    return [
        table,
        f"{told['from']} on {told['snapshots']['to']}: {told['rerun']:,} of {told['questions']:,} questions asked "
        f"again, {told['seconds']:.1f} s; {to}.",
    ]
