"""From names to what is refreshed: the version, its recipe, the map that it stands on and the one that takes its place.

Refuses what would not be a refresh; holds the data set's name, so that two refreshes never run at once.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from sqlalchemy import Connection

from app.core.errors import Conflict, Held
from app.db.naming import snapshot_reference
from app.questions.generating import Recipe
from app.questions.imported.opening import refuse_imported
from app.questions.records import SnapshotRef
from app.questions.refresh import queries_publishing as queries
from app.questions.refresh.changes import Pair
from app.questions.refresh.sharing import refuse_unshared
from app.questions.reproducing import stored_recipe
from app.questions.secrets import secret_for
from app.questions.snapshots import (
    find_snapshots,
    find_snapshots_with_facts,
    pin,
    published_snapshots,
    refuse_old_layers,
)
from app.questions.versions import PublishedVersion, find_version

Compare = Callable[[SnapshotRef, SnapshotRef], int]
"""Gives the id of the comparison of two maps, the older first; it commits on its own."""


class Start(NamedTuple):
    """What is to be refreshed; `pair` is None where the version stands on the map already."""

    version: PublishedVersion
    recipe: Recipe
    pair: Pair | None


def start(
    connection: Connection,
    dataset: str,
    snapshot: str,
    compare: Compare,
    allow_older: bool = False,
    allow_other_ids: bool = False,
) -> Start:
    """Find and check what is refreshed, and hold the data set's name until the transaction ends.

    `allow_other_ids` takes a map that calls almost none of the questions' objects by the same id.

    Raises NotFound, Conflict and UsageError for what cannot be refreshed so, Held where somebody else makes a version
    of the data set just now.
    """
    version = find_version(connection, dataset)
    refuse_imported(connection, version, "So it cannot be refreshed.")
    recipe = _recipe(connection, version)
    _refuse_unanswerable(version, recipe)
    _refuse_several_maps(connection, version)
    _refuse_held(connection, snapshot)
    new = _new_map(connection, recipe, snapshot)
    _hold(connection, version.name)
    pin(connection, [*recipe.snapshots, new])
    newest = find_version(connection, version.name)
    if newest != version:
        raise Conflict(
            f"{version.reference} is not the newest version of {version.name}: that is {newest.reference}. "
            f"Refresh {version.name}."
        )
    if new.id in {one.id for one in recipe.snapshots}:
        return Start(version, recipe, None)
    if recipe.hidden > 0:
        # of versions made before there were secrets, too: what is drawn from now on comes from one
        recipe = replace(recipe, secret=secret_for(connection, version.name))
    old = _replaced_by(version, recipe.snapshots, new)
    pair = Pair(old, new, _compare(old, new, compare, allow_older))
    if not allow_other_ids:
        refuse_unshared(connection, version, pair)
    return Start(version, recipe, pair)


def _hold(connection: Connection, name: str) -> None:
    if not connection.exec_driver_sql(queries.TRY_LOCK_NAME, {"name": name}).scalar_one():
        raise Held(f"Another process is making a version of {name}; try again when it has finished.")


def _refuse_held(connection: Connection, snapshot: str) -> None:
    """Raise Conflict where the map is whole, and waits for a maintainer's word."""
    if any(snapshot in (one.name, one.reference) for one in published_snapshots(connection)):
        return
    for row in connection.exec_driver_sql(queries.HELD_MAPS):
        reference = snapshot_reference(row.name, row.data_timestamp)
        if snapshot in (row.name, reference, row.schema_name):
            raise Conflict(
                f"Snapshot {reference} is held, since it is too unlike the map before it. Look at what is suspicious "
                f"(`trigpoint snapshot compare`), then `trigpoint snapshot publish {reference}`, or drop it."
            )


def _refuse_several_maps(connection: Connection, version: PublishedVersion) -> None:
    """A refresh looks at what changed on one map, so it cannot tell what becomes of a question of several."""
    binds = {"version_id": version.id}
    count = connection.exec_driver_sql(queries.QUESTIONS_ON_SEVERAL_MAPS, binds).scalar_one()
    if count:
        raise Conflict(
            f"{version.reference} has {count} {'question that stands' if count == 1 else 'questions that stand'} on "
            "several maps, and a refresh follows one map at a time. Generate a new version on the newer maps."
        )


def _refuse_unanswerable(version: PublishedVersion, recipe: Recipe) -> None:
    """What makes an unanswerable question answerable is not in its footprint, so a refresh could not tell."""
    if recipe.unanswerable:
        raise Conflict(
            f"{version.reference} has questions without an answer, and a refresh cannot tell what becomes of them. "
            "Generate a new version on the newer map."
        )


def _new_map(connection: Connection, recipe: Recipe, snapshot: str) -> SnapshotRef:
    """The map, with the set of all that is known of its places now, where templates lean on facts. Commits."""
    leaning = any(template.uses_facts for template in recipe.benchmark.templates.values())
    find = find_snapshots_with_facts if leaning else find_snapshots
    (found,) = find(connection, [snapshot])
    refuse_old_layers([found])
    return found


def _recipe(connection: Connection, version: PublishedVersion) -> Recipe:
    """The version's recipe, with the very maps that its questions stand on."""
    recipe = stored_recipe(connection, version)
    there = {one.id: one for one in published_snapshots(connection)}
    ids = list(connection.exec_driver_sql(queries.MAPS_OF_VERSION, {"version_id": version.id}).scalars())
    lost = [str(one) for one in ids if one not in there]
    if lost:
        raise Conflict(f"{version.reference} stands on maps that cannot be read any more: {', '.join(lost)}.")
    maps = [
        replace(there[map_id], facts=of_recipe.facts)
        for map_id, of_recipe in zip(ids, recipe.snapshots, strict=True)
    ]
    return replace(recipe, snapshots=maps)


def _replaced_by(version: PublishedVersion, maps: Sequence[SnapshotRef], new: SnapshotRef) -> SnapshotRef:
    """The version's map whose place the new one takes: that of its name, else the only one."""
    named = [one for one in maps if one.name == new.name]
    if len(named) == 1:
        return named[0]
    if len(maps) == 1:
        return maps[0]
    raise Conflict(
        f"{version.reference} stands on {', '.join(one.reference for one in maps)}: "
        f"{'several' if named else 'none'} of them named {new.name}, so which of them {new.reference} would take the "
        "place of cannot be told. Import the file under the name of one."
    )


def _compare(old: SnapshotRef, new: SnapshotRef, compare: Compare, allow_older: bool) -> int:
    if old.timestamp and new.timestamp and new.timestamp < old.timestamp:
        if not allow_older:
            raise Conflict(
                f"{new.reference} is older than {old.reference}, which the data set stands on. Give --allow-older to "
                "go back to it all the same."
            )
        return compare(new, old)
    return compare(old, new)
