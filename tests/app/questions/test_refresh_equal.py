"""The incremental refresh comes to the same as a full one, question by question: random edits of the town."""

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from sqlalchemy import Connection

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.refresh.comparing import differences
from app.questions.refresh.refreshing import Refreshed, refresh
from app.questions.refresh.starting import Start, start
from osm_import.comparing import compare_snapshots
from tests.commands import generate
from tests.edits import Edit, Editing, scripts
from tests.town import TIMESTAMP, Imported, import_map, make_town

BENCHMARKS = ("gsqa", "urban_knowledge")
dates = (f"2024-05-{7 + number // 1440:02}T{number // 60 % 24:02}:{number % 60:02}:00Z" for number in count())


@pytest.fixture(scope="module")
def town(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Imported:
    """The town with a data set of each benchmark."""
    database, made = make_database(), make_town()
    file = made.write(tmp_path_factory.mktemp("town") / "town.osm")
    import_map(database, file, "town")
    for benchmark in BENCHMARKS:
        done = generate(database, benchmark, "town", benchmark, "--bank", "40", "--per-template", "40")
        assert done.status == 0, done.err
    return Imported(database, "town", file, made)


def both_ways(
    connection: Connection, town: Imported, dataset: str, snapshot: str
) -> tuple[Refreshed, Refreshed]:
    """What becomes of a data set, incrementally and by asking everything again; nothing is written."""
    begun = begin(connection, town, dataset, snapshot)
    assert begun.pair is not None
    found = [refresh(connection, begun.version, begun.recipe, begun.pair, full) for full in (False, True)]
    connection.rollback()
    return found[0], found[1]


def begin(connection: Connection, town: Imported, dataset: str, snapshot: str) -> Start:
    """What is refreshed."""
    return start(
        connection,
        dataset,
        snapshot,
        lambda old, new: compare_snapshots(town.settings, old.schema, new.schema, SystemClock()).id,
    )


def check(town: Imported, script: Sequence[Edit], folder: Path) -> Iterator[Refreshed]:
    """Edit the town, import it, and compare both ways to refresh each benchmark."""
    assert town.map
    timestamp = next(dates)
    editing = Editing(town.map.xml().replace(TIMESTAMP, timestamp), timestamp)
    editing.apply(script)
    snapshot = import_map(town.settings, editing.write(folder / "edited.osm"), "town").reference
    with connect(town.settings, Role.WORKER) as connection:
        for benchmark in BENCHMARKS:
            few, all_ = both_ways(connection, town, benchmark, snapshot)
            assert differences(few, all_) == [], (script, few.touched)
            yield few


@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(script=scripts)
def test_a_few_edits(script: list[Edit], town: Imported, tmp_path_factory: pytest.TempPathFactory) -> None:
    list(check(town, script, tmp_path_factory.mktemp("edited")))


@pytest.mark.long
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(script=scripts)
def test_sixty_random_scripts(
    script: list[Edit], town: Imported, tmp_path_factory: pytest.TempPathFactory
) -> None:
    list(check(town, script, tmp_path_factory.mktemp("edited")))
