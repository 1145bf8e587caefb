"""GS-QA's questions that tools can answer, on Liechtenstein: the deduced plan as a graph gives gold; others say why not."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from app.benchmarks.gsqa.plans import UNABLE
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.geoflow.checking import is_well_formed
from app.geoflow.graphs import read_graph
from app.operations.gold_graphs import run_gold_graphs
from app.questions.generating import Recipe, generate
from app.questions.snapshots import find_snapshots
from app.questions.storing import store
from tests.support.town import Imported, benchmarks, import_map

pytestmark = pytest.mark.long
ASKED = ("T1", "T2", "T3", "T5", "T6", "T13", "T17", "T21", "T22", "T23", "T24", "T25", "T26")


def test_the_graph_of_every_plan_gives_gold(
    liechtenstein: Imported, make_database: Callable[[], Settings]
) -> None:
    settings = make_database()
    import_map(settings, liechtenstein.file, "liechtenstein")
    with connect(settings, Role.WORKER) as connection:
        whole = benchmarks()["gsqa"]
        some = replace(whole, templates={name: whole.templates[name] for name in ASKED})
        recipe = Recipe(some, find_snapshots(connection, ["liechtenstein"]), 3, 6, 6, 0.0)
        made = generate(connection, recipe, lambda *told: None)
        store(connection, "planned", 1, made, SystemClock())
        connection.commit()
    assert not any(record.solutions for record in made.records), "nothing is stored, so that nothing changes"
    graphs = run_gold_graphs(settings, "planned", lambda *told: None)[1]
    assert graphs.proved
    assert graphs.total["gold"] >= 40
    for name in set(ASKED) - UNABLE.keys():
        assert graphs.counts[name]["gold"] > 0, name
    assert graphs.reasons["T3"].keys() == {"no_tool_for_sectors"}
    assert all(is_well_formed(read_graph(one["graph"])) for one in graphs.public)
