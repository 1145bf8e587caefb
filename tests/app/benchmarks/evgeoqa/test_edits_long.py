"""Questions of EVGeoQA on maps after random edits: both ways to refresh come to the same, and what comes of it is proved.

Liechtenstein with planted stations. Stations and places are closed, moved, renamed, of another class and added; roads
are cut, slowed and closed to cars. Drives are asked of a real router on each map.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.generating import Recipe, generate
from app.questions.refresh.changes import Pair
from app.questions.refresh.comparing import differences
from app.questions.refresh.publishing import refresh_and_publish
from app.questions.refresh.refreshing import refresh
from app.questions.snapshots import find_snapshots
from app.questions.stored import load_questions
from app.questions.storing import store
from app.questions.verifying import verify
from app.routing.apart import RoutersApart
from osm_import.comparing import compare_snapshots
from osm_import.planting import plant
from tests.support.edited_stations import write_later
from tests.support.routers import own_routers
from tests.support.town import benchmarks, import_map
from tests.support.turns import WHOLE, turn

pytestmark = pytest.mark.long
NAME = "evgeoqa"
BANK, EACH = 40, 15
SCRIPTS = (1, 2, 3, 4, 5, 6)
LATER = "2022-07-25T20:21:51Z"


def test_random_edits_of_stations_places_and_roads(
    make_database: Callable[[], Settings], extracts: Path, tmp_path: Path
) -> None:
    made = make_database()
    source = tmp_path / "planted.osm.pbf"
    plant(extracts / "liechtenstein-2022-07-24.osm.pbf", source, "charging_station", 120, 1)
    import_map(made, source, "planted")
    with own_routers(made, tmp_path) as settings, connect(settings, Role.WORKER) as connection:
        routers = RoutersApart(settings, Role.WORKER)
        before = find_snapshots(connection, ["planted"])
        recipe = Recipe(benchmarks()[NAME], before, 3, BANK, EACH, 0.0, router=routers.engine)
        version = store(
            connection, "stops", 1, generate(connection, recipe, lambda *told: None, routers), SystemClock()
        )
        connection.commit()
        for seed in SCRIPTS if WHOLE else [SCRIPTS[turn() % len(SCRIPTS)]]:
            later = write_later(source, tmp_path / f"later{seed}.osm.pbf", seed, LATER)
            import_map(settings, later, f"later{seed}")
            (after,) = find_snapshots(connection, [f"later{seed}"])
            comparison = compare_snapshots(settings, before[0].schema, after.schema, SystemClock())
            pair = Pair(before[0], after, comparison.id)
            few, anew = (
                refresh(connection, version, recipe, pair, full, routers=routers) for full in (False, True)
            )
            assert differences(few, anew) == [], f"script {seed}"
            assert min(few.counts["updated"], few.counts["replaced"]) > 0, few.counts
            connection.rollback()
            with connect(settings, Role.WORKER) as writing:
                _, newer = refresh_and_publish(
                    settings, writing, version, recipe, pair, SystemClock(), routers=routers
                )
                proved = verify(writing, load_questions(writing, newer), lambda done: None, routers)
                writing.rollback()
            assert proved.failures == [], f"script {seed}"
            assert proved.proved
            assert proved.second_path["agree"] == len(few.fates) - few.counts["retired"]
