"""`trigpoint snapshots` and `trigpoint snapshot …`: which maps there are, how old, who needs them; drop and publish."""

from typing import Annotated, Any

import typer
from rich.table import Table

from app.cli import output
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from osm_import.gating import held_note
from osm_import.keeping import drop_snapshot, list_snapshots, publish_held

SHOWN_LAYERS = ("poi", "road", "region")
AsJson = Annotated[bool, typer.Option("--json", help="print one JSON object")]
Reference = Annotated[
    str, typer.Argument(metavar="NAME[@TIMESTAMP]", help="as `trigpoint snapshots` prints it, or the schema")
]

snapshot = typer.Typer(help="Snapshots: drop, publish what is held.", no_args_is_help=True)


def snapshots(
    all_states: Annotated[
        bool, typer.Option("--all", help="also those that failed, are held, dropped or being imported")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the published snapshots: how old each map is, its size, and which data sets need it."""
    with connect(Settings.load(), Role.OWNER) as connection:
        there = list_snapshots(connection, SystemClock())
    found = [one for one in there if all_states or one["state"] == "published"]
    for one in there:
        if one["state"] == "held":
            output.say(held_note(one["snapshot"]))
    empty = "No snapshot is published yet. Import one: trigpoint import PBF|REGION."
    needed = [
        f"{one['snapshot']} is needed by {', '.join(one['needed_by'])}." for one in found if one["needed_by"]
    ]
    output.emit({"snapshots": found}, as_json, *([_table(found, all_states), *needed] if found else [empty]))


def _table(found: list[dict[str, Any]], all_states: bool) -> Table:
    table = Table(box=None, pad_edge=False, caption="* the newest of its name", caption_justify="left")
    for column in ("snapshot", *(["state"] if all_states else []), "outline"):
        table.add_column(column, no_wrap=True)
    for column in (*SHOWN_LAYERS, "days", "MB"):
        table.add_column(column, justify="right", no_wrap=True)
    for one in found:
        age = one["age_days"]
        table.add_row(
            one["snapshot"] + (" *" if one["newest"] else ""),
            *([one["state"]] if all_states else []),
            one["outline_source"],
            *(f"{one['layers'].get(layer, {}).get('kept', 0):,}" for layer in SHOWN_LAYERS),
            "?" if age is None else f"{age:,.0f}",
            f"{one['bytes'] / 1e6:,.1f}",
        )
    return table


@snapshot.command()
def drop(reference: Reference, as_json: AsJson = False) -> None:
    """Remove a snapshot that no data set version stands on."""
    dropped = drop_snapshot(Settings.load(), reference)
    name = dropped.snapshot.name
    left = ", ".join(dropped.remaining) or "none"
    output.emit(
        dropped.as_json(),
        as_json,
        f"{dropped.snapshot.reference} ({dropped.snapshot.schema}, {dropped.snapshot.state}) is dropped. "
        f"Published maps of {name!r} that remain: {left}.",
    )


@snapshot.command()
def publish(reference: Reference, as_json: AsJson = False) -> None:
    """Publish a snapshot that its import left held."""
    published = publish_held(Settings.load(), reference, SystemClock())
    output.emit(
        {"snapshot": published.reference, "schema": published.schema, "published": True},
        as_json,
        f"{published.reference} is published.",
    )
