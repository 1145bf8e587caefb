"""`trigpoint snapshots` and `trigpoint snapshot …`: which maps there are; cut, compare, drop, publish."""

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from app.cli import output
from app.cli.bars import Bars
from app.cli.stopping import unwound_by_signals
from app.core.clock import SystemClock
from app.core.errors import UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.map_tools.sandbox import remove_dropped_copies
from app.operations.import_map import find_boundary_of_city
from app.routing.processes import remove_routers
from osm_import.gating import held_note
from osm_import.keeping import drop_snapshot, list_snapshots, publish_held

if TYPE_CHECKING:
    from osm_import.comparing import Comparison

SHOWN_LAYERS = ("poi", "road", "region")
SHOWN_CLASSES = 10
"""Classes that `snapshot compare` names: those in which most objects changed."""
AsJson = Annotated[bool, typer.Option("--json", help="print one JSON object")]
Reference = Annotated[
    str,
    typer.Argument(
        metavar="NAME[@TIMESTAMP]", help="the snapshot, as `trigpoint snapshots` prints it, or its schema"
    ),
]

snapshot = typer.Typer(
    help="Snapshots: cut a region out of a map, compare two maps, drop a map, publish a held map.",
    no_args_is_help=True,
)


def snapshots(
    all_states: Annotated[
        bool,
        typer.Option(
            "--all", help="also snapshots that failed, are held, were dropped or are being imported"
        ),
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
    table = Table(caption="* the newest of its name")
    for column in ("snapshot", *(["state"] if all_states else []), "outline"):
        table.add_column(column)
    for column in (*SHOWN_LAYERS, "days", "MB"):
        table.add_column(column, justify="right")
    for one in found:
        age = one["age_days"]
        table.add_row(
            one["snapshot"] + (" *" if one["newest"] else ""),
            *([one["state"]] if all_states else []),
            one["boundary"] or one["outline_source"],
            *(f"{one['layers'].get(layer, {}).get('kept', 0):,}" for layer in SHOWN_LAYERS),
            "?" if age is None else f"{age:,.0f}",
            f"{one['bytes'] / 1e6:,.1f}",
        )
    return table


@snapshot.command()
def cut(
    reference: Reference,
    region: Annotated[
        str | None, typer.Option(help="a region of the map by its OpenStreetMap key, such as r62422")
    ] = None,
    city: Annotated[str | None, typer.Option(help="a city of cities.toml, such as berlin")] = None,
    name: Annotated[
        str | None,
        typer.Option(help="the new snapshot's name; by default the city's key or the region's name"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Cut a region, such as a city, out of a snapshot. This makes a new snapshot whose outline is the region."""
    from osm_import.cutting import cut_snapshot  # half a second, which the other commands do not need

    settings = Settings.load()
    if city is not None and region is None:
        region, name = find_boundary_of_city(settings, city), name or city
    elif region is None or city is not None:
        raise UsageError("Give --region KEY or --city NAME, not both.")
    with unwound_by_signals(), Bars() as bars:
        done = cut_snapshot(settings, reference, region, name, SystemClock(), bars)
    if done.snapshot.reused:
        output.say("This region was cut out of this map under this name already; nothing was done.")
    for one in done.snapshot.held:
        output.say(held_note(one))
    kept = ", ".join(f"{layer} {count['kept']:,}" for layer, count in done.snapshot.layers.items())
    output.emit(
        done.as_json(),
        as_json,
        f"{done.snapshot.reference} ({done.snapshot.schema}) is {done.boundary} of {done.parent}: {kept}.",
    )


@snapshot.command()
def drop(reference: Reference, as_json: AsJson = False) -> None:
    """Remove a snapshot that no data set version uses."""
    settings = Settings.load()
    dropped = drop_snapshot(settings, reference)
    remove_dropped_copies(settings)
    remove_routers(settings, dropped.snapshot.schema)
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
    """Publish a snapshot that was held by its import."""
    published = publish_held(Settings.load(), reference, SystemClock())
    output.emit(
        {"snapshot": published.reference, "schema": published.schema, "published": True},
        as_json,
        f"{published.reference} is published.",
    )


@snapshot.command()
def compare(
    old: Annotated[str, typer.Argument(metavar="OLD", help="the older map: name, name@timestamp or schema")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="the newer map of the same region")],
    as_json: AsJson = False,
) -> None:
    """Say what changed from one map to another: objects added, removed, moved, retagged, reshaped."""
    from osm_import.comparing import compare_snapshots  # loads what only imports need

    with unwound_by_signals():
        done = compare_snapshots(Settings.load(), old, new, SystemClock())
    if done.reused:
        output.say("These two were compared already.")
    output.emit(done.as_json(), as_json, *_render_comparison(done))


def _render_comparison(done: "Comparison") -> list[Table | str]:
    layers = done.by_layer()
    columns = [*next(iter(layers.values()))]
    by_layer = Table(title=f"{done.old} → {done.new}")
    by_class = Table(title="Classes that changed most")
    for table, first in ((by_layer, "layer"), (by_class, "class")):
        table.add_column(first)
        for column in columns:
            table.add_column(column, justify="right")
    for layer, counts in layers.items():
        by_layer.add_row(layer, *(f"{counts[column]:,}" for column in columns))
    classes = [
        (f"{layer} {klass}", one) for layer, there in done.counts.items() for klass, one in there.items()
    ]
    changed = sorted(
        (one for one in classes if one[1]["changed"]), key=lambda one: (-one[1]["changed"], one[0])
    )
    for name, one in changed[:SHOWN_CLASSES]:
        by_class.add_row(name, *(f"{one[column]:,}" for column in columns))
    return [
        by_layer,
        *([by_class] if changed else ["Nothing changed."]),
        *(f"Suspicious: {phrase}." for phrase in done.suspicious),
    ]
