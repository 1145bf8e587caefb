"""`trigpoint refresh`: a data set brought to a newer map; what a change can have touched is proved again."""

from time import monotonic
from typing import Annotated, Any

import typer
from rich.table import Table

from app.cli.output import emit, say
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.records import SnapshotRef
from app.questions.refresh.publishing import refresh_and_publish
from app.questions.refresh.refreshing import Refreshed
from app.questions.refresh.refreshing import refresh as find_fates
from app.questions.refresh.starting import start
from app.questions.versions import PublishedVersion
from osm_import.comparing import compare_snapshots


def refresh(
    dataset: Annotated[str, typer.Argument(metavar="DATASET", help="NAME; its newest version is refreshed")],
    snapshot: Annotated[
        str, typer.Option(metavar="NAME[@TIMESTAMP]", help="the newer map of the region; NAME is its newest")
    ],
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="say what would happen to the questions; write no version")
    ] = False,
    full: Annotated[
        bool,
        typer.Option("--full", help="ask every question again, not only those that a change may affect"),
    ] = False,
    allow_older: Annotated[
        bool, typer.Option("--allow-older", help="accept a map that is older than the version's own")
    ] = False,
    allow_other_ids: Annotated[
        bool,
        typer.Option(
            "--allow-other-ids",
            help="accept a map that has almost none of the questions' objects under the same ids",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
) -> None:
    """Make the data set's next version, on another map of its region. Unaffected questions are carried over."""
    settings = Settings.load()

    def compare(old: SnapshotRef, new: SnapshotRef) -> int:
        return compare_snapshots(settings, old.schema, new.schema, SystemClock()).id

    with connect(settings, Role.WORKER) as connection:
        version, recipe, pair = start(connection, dataset, snapshot, compare, allow_older, allow_other_ids)
        if pair is None:
            say(f"{version.reference} already uses that map; nothing differs, so no version is added.")
            emit({"from": version.reference, "to": version.reference} | NOTHING, as_json)
            return
        begun = monotonic()
        if dry_run:
            refreshed, made = find_fates(connection, version, recipe, pair, full), None
        else:
            refreshed, made = refresh_and_publish(
                settings, connection, version, recipe, pair, SystemClock(), full
            )
            connection.commit()
        seconds = round(monotonic() - begun, 3)
    told = _told(refreshed, made, seconds)
    emit(told, as_json, *_lines(told, refreshed))


NOTHING: dict[str, Any] = {
    **dict.fromkeys(("kept", "updated", "retired", "replaced", "rerun"), 0),
    "questions": 0,
    "touched": {},
    "reasons": {},
    "seconds": 0.0,
}
"""What is told beside the version where nothing is to be done."""


def _told(refreshed: Refreshed, made: PublishedVersion | None, seconds: float) -> dict[str, Any]:
    return {
        "from": refreshed.version.reference,
        "to": made.reference if made else None,
        "snapshots": {"from": refreshed.pair.old.reference, "to": refreshed.pair.new.reference},
        "questions": len(refreshed.fates),
        **refreshed.counts,
        "rerun": refreshed.rerun,
        "touched": refreshed.touched,
        "reasons": refreshed.reasons,
        "seconds": seconds,
    }


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
