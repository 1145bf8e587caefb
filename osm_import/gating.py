"""Import stage: whether a map is so unlike the one before it that a person should look first. Reads both maps.

A held snapshot is whole, indexed and checked, and nobody but the owner may read it. `keeping.publish_held` opens it.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, NamedTuple

import psycopg

from app.core.errors import ImportHeld
from app.db.naming import snapshot_reference
from osm_import import comparing_queries, queries
from osm_import.measuring import Figures, Ground, LayerFigures, SharedGround, measure, share_ground

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
"""… or where fewer than KEPT_FACTOR of the last map's rows are kept, and FEWER_KEPT or more are gone; so with the
rows of one class, with square kilometres (FEWER_KM2) and with kilometres (FEWER_KM)."""
FEWER_KM2 = 1.0
FEWER_KM = 10.0
TOTAL_FACTOR = 0.8
FEWER_ROWS = 100
"""A map is held back where all its layers together have fewer than TOTAL_FACTOR of the last map's rows, and FEWER_ROWS
or more are gone: maps of one region grow, and each layer of a file that lost a third may still be over the half."""
GROWN_FACTOR = 3.0
"""… or where the mean area or length of a layer's rows is over GROWN_FACTOR times the last: one giant lake."""
NAME_POINTS = 0.1
"""… or where the commonest name of a layer has over RATE_FACTOR times its last share of the named rows, NAME_POINTS
more, and MORE_NAMED rows or more: one name written over others."""
MORE_NAMED = 20
LEAST_COVERED = 0.9
"""… or where less than this of the last outline is in the new one; where outlines are unknown, LEAST_COMMON
of a box."""
LEAST_COMMON = 0.5
"""… or where less than this of the new map's ground is in the last one's: another region's file."""
MOST_CLASSES = 3
"""So many classes of a layer are told; of more, how many."""

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


def judge_contents(last: Figures, now: Figures, ground: SharedGround) -> list[str]:
    """What is suspicious about what a map holds, after the last one; one phrase with figures each."""
    phrases = list(_judge_ground(ground))
    before, after = (sum(one.rows for one in figures.values()) for figures in (last, now))
    if after < TOTAL_FACTOR * before and before - after >= FEWER_ROWS:
        phrases.append(f"{after:,} rows in all layers, before {before:,} ({after / before:.0%})")
    for layer in sorted({*last} & {*now}):
        if _lost(last[layer].rows, now[layer].rows, FEWER_KEPT):
            continue  # the counts say so already
        phrases += [
            f"{layer}: {phrase}"
            for rule in (_judge_classes, _judge_names, _judge_sizes)
            for phrase in rule(last[layer], now[layer])
        ]
    return phrases


def _judge_ground(ground: SharedGround) -> Iterator[str]:
    least = LEAST_COVERED if ground.of == "outlines" else LEAST_COMMON
    if ground.covered < least:
        yield (
            f"covers {ground.both_km2:,.1f} of the {ground.old_km2:,.1f} km² that the last map covers "
            f"({ground.covered:.0%})"
        )
    if ground.common < LEAST_COMMON:
        yield (
            f"{ground.new_km2 - ground.both_km2:,.1f} of its {ground.new_km2:,.1f} km² lie beyond the last map "
            f"({1 - ground.common:.0%})"
        )


def _judge_classes(last: LayerFigures, now: LayerFigures) -> Iterator[str]:
    fewer = [
        (before - now.classes.get(klass, 0), klass)
        for klass, before in last.classes.items()
        if _lost(before, now.classes.get(klass, 0), FEWER_KEPT)
    ]
    for _, klass in sorted(fewer, key=lambda one: (-one[0], one[1]))[:MOST_CLASSES]:
        yield f"{now.classes.get(klass, 0):,} of class {klass}, before {last.classes[klass]:,}"
    if len(fewer) > MOST_CLASSES:
        yield f"{len(fewer) - MOST_CLASSES} more classes lost more than half"


def _judge_names(last: LayerFigures, now: LayerFigures) -> Iterator[str]:
    if (
        last.named
        and now.top_share > max(RATE_FACTOR * last.top_share, last.top_share + NAME_POINTS)
        and now.top_named - last.top_share * now.named >= MORE_NAMED
    ):
        yield (
            f"{now.top_named:,} of {now.named:,} named rows are called {now.top_name!r} ({now.top_share:.0%}), "
            f"before {last.top_named:,} of {last.named:,} {last.top_name!r} ({last.top_share:.0%})"
        )
    if _lost(last.named, now.named, FEWER_KEPT):
        yield f"{now.named:,} rows have a name, before {last.named:,}"


def _judge_sizes(last: LayerFigures, now: LayerFigures) -> Iterator[str]:
    grown = GROWN_FACTOR * (max(1.0, now.rows / last.rows) if last.rows else 1.0)
    for unit, before, after, fewer in (
        ("km²", last.km2, now.km2, FEWER_KM2),
        ("km", last.km, now.km, FEWER_KM),
    ):
        if _lost(before, after, fewer) or (before >= fewer and after > grown * before):
            yield f"{after:,.1f} {unit}, before {before:,.1f}"


def _lost(before: float, after: float, fewer: float) -> bool:
    return after < KEPT_FACTOR * before and before - after >= fewer


class _Before(NamedTuple):
    """A map at the gate, and the published one that it follows."""

    schema: str
    name: str
    timestamp: datetime | None
    layers: dict[str, Any]
    last_timestamp: datetime | None
    last_layers: dict[str, Any]
    last_id: int
    last_schema: str
    last_outline_source: str
    last_outline: str | None
    alike: bool
    """Whether the rows of both were made in one way, so that more than counts can be compared."""


def gate(connection: psycopg.Connection[Any], record: Mapping[str, Any]) -> None:
    """Let a snapshot pass to the switch, or hold it: then its row is written and committed, and ImportHeld raised.

    `record` holds the binds of the switch. The map before it is the newest published one of the same name that is not
    newer by its own date; the first of a name passes.
    """
    before = _find_before(connection, record)
    if before is None:
        return
    jumps = judge(before.last_layers, before.layers)
    if before.alike:
        jumps = _judge_rows(connection, record, before) + jumps
    if not jumps:
        return
    connection.execute(queries.HOLD, record)
    connection.commit()
    snapshot = snapshot_reference(before.name, before.timestamp)
    last = snapshot_reference(before.name, before.last_timestamp)
    raise ImportHeld(
        f"{snapshot} is held and nothing was switched: against {last} "
        f"it is suspicious ({'; '.join(jumps)}). "
        + WHAT_TO_DO.format(schema=before.schema, snapshot=snapshot)
    )


def _find_before(connection: psycopg.Connection[Any], record: Mapping[str, Any]) -> _Before | None:
    """The map that this one follows; nobody drops it before the transaction ends."""
    while True:
        row = connection.execute(queries.PUBLISHED_BEFORE, record).fetchone()
        if row is None:
            return None
        before = _Before(*row)
        connection.execute(comparing_queries.PIN, {"id": before.last_id})
        state = connection.execute(comparing_queries.STATE, {"id": before.last_id}).fetchone()
        if state == ("published",):
            return before


def _judge_rows(connection: psycopg.Connection[Any], record: Mapping[str, Any], before: _Before) -> list[str]:
    layers = {*before.layers} & {*before.last_layers}
    last = measure(connection, before.last_schema, layers)
    now = measure(connection, before.schema, layers)
    ground = share_ground(
        connection,
        Ground(before.last_schema, before.last_outline_source, before.last_outline),
        Ground(before.schema, record["outline_source"], record["outline"]),
    )
    return judge_contents(last, now, ground)


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
