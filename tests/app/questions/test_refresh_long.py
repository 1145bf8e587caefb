"""Refreshes of Liechtenstein: a day's edits, and nine years. Figures are printed (-s)."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.records import SnapshotRef
from app.questions.refresh.changes import Pair
from app.questions.refresh.comparing import differences
from app.questions.refresh.publishing import refresh_and_publish
from osm_import.comparing import compare_snapshots
from tests.support.edited_extracts import sample_of, write_edited, write_tagged
from tests.support.refreshes import Ground, Published, keys_by_layer, lay_ground, stored
from tests.support.turns import WHOLE, turn

pytestmark = pytest.mark.long
DAY = "2022-07-25T20:21:51Z"
MOST_ASKED_AGAIN = 0.15
"""Of all questions: one edited place of a rare kind is the answer of many, so samples differ between 2 and 10 %."""
AIM = 0.1
"""Of the time of a full re-run, what a day's edits are to take: told, not asserted."""
ROUNDS = int(os.environ.get("REFRESH_ROUNDS", "1"))
"""How often both ways take turns after a day's edits: more where their figures are to be kept."""
SEEDS = (1, 2, 3)
SAMPLES = [(size, seed) for size in ("ground", "large") for seed in SEEDS] if WHOLE else [("ground", None)]
"""Of which map which objects are edited: those of one seed in turn, unless all are to be told."""

STRETCHES = """
select p.question_id, p.parameters ->> 'stretch'
from trigpoint.proof p
join trigpoint.question q on (q.version_id, q.id) = (p.version_id, p.question_id)
where q.version_id = %(version)s and q.template = any(%(templates)s)
"""
OF_STRETCHES = ("Find_Junctions", "Identify_Connections")


def say(figures: str) -> None:
    """On stderr, as it comes."""
    sys.stderr.write(f"{figures}\n")


def timed(ground: Ground, one: Published, later: SnapshotRef, full: bool) -> tuple[float, Any]:
    """Seconds that a refresh takes with the writing of the version, and what comes of it; the version is taken back."""
    pair = Pair(
        one.map, later, compare_snapshots(ground.settings, one.map.schema, later.schema, SystemClock()).id
    )
    with connect(ground.settings, Role.WORKER) as connection:
        begun = time.monotonic()
        found, _ = refresh_and_publish(
            ground.settings, connection, one.version, one.recipe, pair, SystemClock(), full
        )
        took = time.monotonic() - begun
        connection.rollback()
    return took, found


@pytest.fixture(scope="module")
def ground(make_database: Callable[[], Settings], extracts: Path) -> Ground:
    """Liechtenstein of 2022, with thousands of questions."""
    return lay_ground(make_database(), extracts / "liechtenstein-2022-07-24.osm.pbf", "li", per_template=400)


@pytest.fixture(scope="module")
def large(make_database: Callable[[], Settings], extracts: Path) -> Ground:
    """The same map with nearly twice as many."""
    return lay_ground(make_database(), extracts / "liechtenstein-2022-07-24.osm.pbf", "li", per_template=1500)


def check(ground: Ground, later: SnapshotRef, rounds: int = 1) -> list[tuple[float, float, Any]]:
    """Both ways to refresh each benchmark come to the same; gives how long they took, and what came of it.

    The ways take turns for so many rounds, of which the medians are told.
    """
    figures = []
    for one in ground.published:
        turns = [
            (timed(ground, one, later, full=False), timed(ground, one, later, full=True))
            for _ in range(rounds)
        ]
        (_, few), (_, all_) = turns[0]
        assert differences(few, all_) == []
        took, full_took = (median(both[way][0] for both in turns) for way in (0, 1))
        say(
            f"{one.version.reference} {one.map.reference} -> {later.reference}: {len(few.fates)} questions, "
            f"{few.counts}, {few.rerun} asked again ({few.touched}), {took:.2f} of {full_took:.2f} s"
        )
        figures.append((took, full_took, few))
    return figures


@pytest.mark.parametrize(("size", "given"), SAMPLES)
def test_a_days_edits(
    request: pytest.FixtureRequest, extracts: Path, tmp_path: Path, size: str, given: int | None
) -> None:
    """A thousandth of each layer's objects is edited: few questions are asked again, and none is missed."""
    seed = given or SEEDS[turn() % len(SEEDS)]
    ground: Ground = request.getfixturevalue(size)
    sample = sample_of(keys_by_layer(ground), 0.001, seed)
    source, target = extracts / "liechtenstein-2022-07-24.osm.pbf", tmp_path / "edited.osm.pbf"
    later = ground.later(write_edited(source, target, sample, seed, DAY))
    figures = check(ground, later, ROUNDS)
    questions = sum(len(found.fates) for _, _, found in figures)
    rerun = sum(found.rerun for _, _, found in figures)
    share = sum(few for few, _, _ in figures) / sum(full for _, full, _ in figures)
    say(
        f"seed {seed}: {rerun} of {questions} asked again ({rerun / questions:.1%}), in {share:.1%} of the time of a full "
        f"re-run (aim: {AIM:.0%}), the writing of the version included"
    )
    assert questions >= 2000
    assert 0 < rerun <= MOST_ASKED_AGAIN * questions


def test_other_tags_of_areas_are_told_without_asking(ground: Ground, extracts: Path, tmp_path: Path) -> None:
    """Every area has one more tag: what it says of roads in it stands, but for how well known the area is."""
    published = ground.published[1]
    with connect(ground.settings, Role.WORKER) as connection:
        stretches = dict(
            stored(connection, STRETCHES, version=published.version.id, templates=list(OF_STRETCHES))
        )
    source, target = extracts / "liechtenstein-2022-07-24.osm.pbf", tmp_path / "tagged.osm.pbf"
    areas = {stretch.partition(" ")[2] for stretch in stretches.values()}
    later = ground.later(write_tagged(source, target, areas, DAY))
    few, all_ = ground.both_ways(published, later)
    assert differences(few, all_) == []
    told = {fate.id for fate in few.fates if fate.popularity is not None} & stretches.keys()
    say(
        f"{len(told)} of {len(stretches)} questions about roads in an area are told anew of {len(areas)} areas"
    )
    assert len(told) > len(stretches) / 2
    assert few.rerun < len(few.fates) - len(told)


def test_nine_years(make_database: Callable[[], Settings], extracts: Path) -> None:
    """Of 2013 no id is left in 2022: everything ends, and nearly everything is replaced."""
    ground = lay_ground(
        make_database(), extracts / "liechtenstein-2013-08-03.osm.pbf", "li", per_template=60 if WHOLE else 30
    )
    later = ground.later(extracts / "liechtenstein-2022-07-24.osm.pbf")
    for _, _, found in check(ground, later):
        assert found.counts["kept"] == found.counts["updated"] == 0
        assert found.counts["replaced"] > 0.9 * len(found.fates)
