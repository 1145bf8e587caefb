"""Refreshes in tests: a map and data sets of it, later maps, and both ways to come from one to the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.generating import Recipe
from app.questions.records import SnapshotRef
from app.questions.refresh.refreshing import Refreshed, refresh
from app.questions.refresh.touching import Pair
from app.questions.reproducing import stored_recipe
from app.questions.snapshots import find_snapshots_with_facts
from app.questions.versions import PublishedVersion, find_version
from osm_import.comparing import compare_snapshots
from tests.commands import generate
from tests.town import import_map

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

    def both_ways(self, one: Published, later: SnapshotRef) -> tuple[Refreshed, Refreshed]:
        """What becomes of a version on a later map, incrementally and by asking everything; nothing is written."""
        comparison = compare_snapshots(self.settings, one.map.schema, later.schema, SystemClock())
        pair = Pair(one.map, later, comparison.id)
        with connect(self.settings, Role.WORKER) as connection:
            few, all_ = (refresh(connection, one.version, one.recipe, pair, full) for full in (False, True))
        return few, all_


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
