"""Import stage: whether a map is so unlike the one before it that a person should look first. Reads two rows' counts.

A held snapshot is whole, indexed and checked, and nobody but the owner may read it. `keeping.publish_held` opens it.
"""

from collections.abc import Mapping
from typing import Any

import psycopg

from app.core.errors import ImportHeld
from app.db.naming import snapshot_reference
from osm_import import queries

Layers = Mapping[str, Mapping[str, int]]
"""{layer: {found, kept, repaired, rejected}}, as trigpoint.snapshot holds it."""

RATE_FACTOR = 2.0
RATE_POINTS = 0.01
MORE_REJECTS = 20
"""A layer is held back where its reject rate is over RATE_FACTOR times the last map's, over RATE_POINTS above it, and
MORE_REJECTS or more objects are rejected than at the last map's rate: all three, so that neither a hamlet's one bad
ring nor a large map's steady trickle stops an import."""
KEPT_FACTOR = 0.5
FEWER_KEPT = 20
"""… or where fewer than KEPT_FACTOR of the last map's rows are kept, and FEWER_KEPT or more are gone."""

WHAT_TO_DO = (
    "Look into {schema}.reject, then publish it as it is (`trigpoint snapshot publish {snapshot}`) "
    "or remove it (`trigpoint snapshot drop {snapshot}`)."
)


def judge(last: Layers, now: Layers) -> list[str]:
    """What is suspicious about the counts of `now` after those of `last`, one phrase with figures a layer."""
    phrases = []
    for layer in sorted({*last, *now}):
        phrases += _judge_layer(layer, last.get(layer, {}), now.get(layer, {}))
    return phrases


def _judge_layer(layer: str, last: Mapping[str, int], now: Mapping[str, int]) -> list[str]:
    found, rejected, kept = now.get("found", 0), now.get("rejected", 0), now.get("kept", 0)
    last_found, last_rejected, last_kept = last.get("found", 0), last.get("rejected", 0), last.get("kept", 0)
    rate = rejected / found if found else 0.0
    last_rate = last_rejected / last_found if last_found else 0.0
    phrases = []
    if (
        last_found
        and rate > max(RATE_FACTOR * last_rate, last_rate + RATE_POINTS)
        and rejected - last_rate * found >= MORE_REJECTS
    ):
        phrases.append(
            f"{layer}: {rejected:,} of {found:,} rejected ({rate:.1%}), "
            f"before {last_rejected:,} of {last_found:,} ({last_rate:.1%})"
        )
    if kept < KEPT_FACTOR * last_kept and last_kept - kept >= FEWER_KEPT:
        phrases.append(f"{layer}: {kept:,} kept, before {last_kept:,}")
    return phrases


def gate(connection: psycopg.Connection[Any], record: Mapping[str, Any]) -> None:
    """Let a snapshot pass to the switch, or hold it: then its row is written and committed, and ImportHeld raised.

    `record` holds the binds of the switch. The map before it is the newest published one of the same name that is not
    newer by its own date; the first of a name passes.
    """
    row = connection.execute(queries.PUBLISHED_BEFORE, record).fetchone()
    if row is None:
        return
    schema, name, timestamp, layers, last_timestamp, last_layers = row
    jumps = judge(last_layers, layers)
    if not jumps:
        return
    connection.execute(queries.HOLD, record)
    connection.commit()
    snapshot = snapshot_reference(name, timestamp)
    raise ImportHeld(
        f"{snapshot} is held and nothing was switched: against {snapshot_reference(name, last_timestamp)} "
        f"it is suspicious ({'; '.join(jumps)}). " + WHAT_TO_DO.format(schema=schema, snapshot=snapshot)
    )


def refuse_held(connection: psycopg.Connection[Any], name: str, checksum: str, layer_schema: int) -> None:
    """Raise ImportHeld where this very file was imported under this name and waits for a decision."""
    binds = {"name": name, "checksum": checksum, "layer_schema_version": layer_schema}
    row = connection.execute(queries.FIND_HELD, binds).fetchone()
    connection.commit()
    if row is not None:
        schema, timestamp = row
        snapshot = snapshot_reference(name, timestamp)
        raise ImportHeld(
            f"This file was imported already and is held as {snapshot}; it was not imported again. "
            + WHAT_TO_DO.format(schema=schema, snapshot=snapshot)
        )


def find_held(connection: psycopg.Connection[Any], name: str) -> tuple[str, ...]:
    """The snapshots of a name that wait for a person's decision, the newest first."""
    found = connection.execute(queries.HELD_OF_NAME, {"name": name}).fetchall()
    connection.commit()
    return tuple(snapshot_reference(*one) for one in found)


def held_note(reference: str) -> str:
    """What to say of a snapshot that waits for a decision."""
    return f"{reference} is held: `trigpoint snapshot publish {reference}` or `trigpoint snapshot drop {reference}`."
