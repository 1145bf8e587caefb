"""Questions about routes on Liechtenstein with a real router: made, proved in every way, and made again."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.operations.gold_graphs import run_gold_graphs
from app.questions.generating import Recipe, generate
from app.questions.snapshots import find_snapshots
from app.questions.stored import load_questions
from app.questions.storing import store
from app.questions.verifying import verify
from app.routing.apart import RoutersApart
from tests.support.routers import own_routers
from tests.support.town import benchmarks, import_map

NAME = "mapeval"
EACH = 3
TEMPLATES = (
    "Road_On_Route",
    "Next_Step",
    "Count_On_Route",
    "Fastest_Via",
    "Shortest_Via",
    "Landmark_Passed",
    "Travel_Time_Between",
    "Nearest_By_Travel",
)


@pytest.mark.long
def test_every_path_leads_to_the_gold(
    make_database: Callable[[], Settings], extracts: Path, tmp_path: Path
) -> None:
    made = make_database()
    import_map(made, extracts / "liechtenstein-2022-07-24.osm.pbf", "liechtenstein")
    whole = benchmarks()[NAME]
    of_routes = replace(whole, templates={name: whole.templates[name] for name in TEMPLATES})
    with own_routers(made, tmp_path) as settings, connect(settings, Role.WORKER) as connection:
        routers = RoutersApart(settings, Role.WORKER)
        maps = find_snapshots(connection, ["liechtenstein"])
        recipe = Recipe(of_routes, maps, 3, EACH, EACH, 0.0, register="mixed", router=routers.engine)
        first = generate(connection, recipe, lambda *told: None, routers)
        assert {name: report.selected for name, report in first.reports.items()} == dict.fromkeys(
            TEMPLATES, EACH
        )
        again = generate(connection, recipe, lambda *told: None, routers)
        assert [one.prompt for one in again.records] == [one.prompt for one in first.records]
        version = store(connection, "routes", 1, first, SystemClock())
        found = verify(connection, load_questions(connection, version), lambda done: None, routers)
        connection.commit()
        graphs = run_gold_graphs(settings, "routes", lambda *told: None)[1]
    assert found.failures == []
    count = {"agree": EACH * len(TEMPLATES), "differ": 0}
    assert found.stored_sql == found.second_path == found.tool_plan == found.context == count
    assert graphs.total == {"gold": EACH * len(TEMPLATES)}, graphs.reasons
    assert recipe.as_json()["router"].startswith("OSRM v")
