"""Refreshes in tests: a map and data sets of it, later maps, and both ways to come from one to the other."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection

from app.core.clock import SystemClock
from app.core.identity import canonical_json
from app.core.settings import Role, Settings
from app.db.engine import connect, use_schema
from app.questions.evidence import Key, keys_of
from app.questions.generating import Recipe
from app.questions.picking import Pick, open_space
from app.questions.records import SnapshotRef
from app.questions.refresh import queries_touching as queries
from app.questions.refresh.changes import Pair, read_changed
from app.questions.refresh.queries import LAYERS
from app.questions.refresh.refreshing import Refreshed, refresh
from app.questions.reproducing import stored_recipe
from app.questions.snapshots import find_snapshots_with_facts
from app.questions.versions import PublishedVersion, find_version
from app.templates.header import Parameter
from osm_import.comparing import compare_snapshots
from tests.support.command_line import generate
from tests.support.town import import_map

BENCHMARKS = ("gsqa", "urban_knowledge")


@dataclass(frozen=True)
class Published:
    """A published version, its recipe read once, and the map that it stands on."""

    version: PublishedVersion
    recipe: Recipe

    @property
    def map(self) -> SnapshotRef:
        """Its one map."""
        (found,) = self.recipe.snapshots
        return found


@dataclass(frozen=True)
class Ground:
    """A database with a map and a data set of each benchmark, named like it."""

    settings: Settings
    name: str
    published: Sequence[Published]

    def later(self, file: Path) -> SnapshotRef:
        """A later map, with what is known of its places; of another name, so that no gate compares it with others."""
        name = import_map(self.settings, file, f"later{uuid4().hex[:8]}").name
        with connect(self.settings, Role.WORKER) as connection:
            (found,) = find_snapshots_with_facts(connection, [name])
        return found

    def pair(self, one: Published, later: SnapshotRef) -> Pair:
        """The version's map and a later one, compared."""
        comparison = compare_snapshots(self.settings, one.map.schema, later.schema, SystemClock())
        return Pair(one.map, later, comparison.id)

    def both_ways(self, one: Published, later: SnapshotRef) -> tuple[Refreshed, Refreshed]:
        """What becomes of a version on a later map, incrementally and by asking everything; nothing is written."""
        pair = self.pair(one, later)
        with connect(self.settings, Role.WORKER) as connection:
            few, all_ = (refresh(connection, one.version, one.recipe, pair, full) for full in (False, True))
        return few, all_


def unforeseen(ground: Ground, one: Published, later: SnapshotRef) -> list[str]:
    """What a pick that is taken to tell of objects alone offers otherwise, though its objects are as they were."""
    pair = ground.pair(one, later)
    found = []
    with connect(ground.settings, Role.WORKER) as connection:
        changed = read_changed(connection, pair)
        excused = {(layer, key) for layer, keys in changed.by_layer.items() for key in keys} | {
            (layer, key)
            for layer in ("poi", "aoi", "road", "region")
            for key in connection.exec_driver_sql(
                queries.reading_alike(layer, pair.old.schema), {"names": sorted(changed.names_in(layer))}
            ).scalars()
        }
        before, after = (_offered(connection, one.recipe, on) for on in (pair.old, pair.new))
        for name, (parameter, picks) in before.items() if pair.same_outline else ():
            found += surprises(name, parameter, picks, after[name][1], excused)
    return found


def surprises(
    name: str,
    parameter: Parameter,
    before: Mapping[str, Pick],
    after: Mapping[str, Pick],
    excused: AbstractSet[Key],
) -> list[str]:
    """Values of a pick that are offered no longer, or told otherwise, though none of their objects is excused."""
    found = []
    for value, pick in before.items():
        there = after.get(value)
        same = there is not None and _read(pick) == _read(there)
        if not same and excused.isdisjoint(_keys(parameter, pick)):
            found.append(f"{name}: {pick} is {there}")
    return found


def _offered(
    connection: Connection, recipe: Recipe, on: SnapshotRef
) -> dict[str, tuple[Parameter, Mapping[str, Pick]]]:
    """By template and parameter, what the picks that tell of objects alone offer on a map, by its value."""
    use_schema(connection, on.schema)
    read: dict[str, list[Pick]] = {}
    return {
        f"{template.id}.{name}": (
            parameter,
            {canonical_json(pick.value): pick for pick in space.choices[name]},
        )
        for template in recipe.benchmark.templates.values()
        for space in [
            open_space(connection, template, recipe.seed, on.outline, recipe.chosen, on.facts, read)
        ]
        for name, parameter in template.header.parameters.items()
        if parameter.pick in template.pick_depends
    }


def _keys(parameter: Parameter, pick: Pick) -> list[Key]:
    return keys_of(parameter, pick.value) if isinstance(pick.value, str) else []


def _read(pick: Pick) -> tuple[object, ...]:
    return pick.bind, pick.label, pick.facts.get("sharers"), pick.facts.get("inside")


def lay_ground(settings: Settings, file: Path, name: str, per_template: int) -> Ground:
    """Import a map and generate both benchmarks on it."""
    import_map(settings, file, name)
    size = str(per_template)
    published = []
    for benchmark in BENCHMARKS:
        done = generate(settings, benchmark, name, benchmark, "--bank", size, "--per-template", size)
        assert done.status == 0, done.err
        with connect(settings, Role.WORKER) as connection:
            version = find_version(connection, benchmark)
            recipe = stored_recipe(connection, version)
        published.append(Published(version, recipe))
    return Ground(settings, name, published)


def keys_by_layer(ground: Ground) -> dict[str, list[str]]:
    """The keys of each layer of the ground's own map."""
    schema = ground.published[0].map.schema
    with connect(ground.settings, Role.WORKER) as connection:
        return {
            layer: list(connection.exec_driver_sql(f"select osm_key from {schema}.{layer}").scalars())
            for layer in LAYERS
        }


def stored(connection: Connection, statement: str, **binds: Any) -> list[tuple[Any, ...]]:
    """The rows of a statement, read at once."""
    found = [tuple(row) for row in connection.exec_driver_sql(statement, binds)]
    connection.rollback()
    return found
