"""Questions of mapqa on a real map: every template gives some, and all paths agree."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from sqlalchemy import Connection

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.agent_tools.tool_plans.running import solve_plan
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.geoflow.checking import is_well_formed
from app.geoflow.graphs import read_graph
from app.operations.gold_graphs import run_gold_graphs
from app.questions.generating import Generated, Recipe, generate
from app.questions.refusals import meaning
from app.questions.snapshots import find_snapshots
from app.questions.stored import load_questions
from app.questions.storing import store
from app.questions.tool_plans import TOOL_PLAN
from app.questions.verifying import verify
from app.scores.registry import get_scorer
from tests.support.town import Imported, benchmarks, import_map

NAME = "mapqa"
EACH = 3


@pytest.fixture(scope="module")
def made(liechtenstein: Imported) -> Generated:
    """A few questions of each template."""
    with liechtenstein.connect() as connection:
        recipe = Recipe(
            benchmarks()[NAME],
            find_snapshots(connection, [liechtenstein.name]),
            7,
            EACH,
            EACH,
            0.0,
            register="mixed",
        )
        return generate(connection, recipe, lambda *told: None)


def test_every_template_gives_questions(made: Generated) -> None:
    assert {name: report.selected for name, report in made.reports.items()} == dict.fromkeys(
        made.reports, EACH
    )
    assert len(made.reports) == 9
    refused = {reason for report in made.reports.values() for reason in report.refused}
    assert not {"second_path_disagrees", "tool_plan_fails"} & refused
    assert not [reason for reason in refused if meaning(reason, NAME) is None]


def test_precise_texts_say_whose_data_they_are_about(made: Generated) -> None:
    assert {record.register for record in made.records} == {"precise", "everyday"}
    for record in made.records:
        assert ("OpenStreetMap" in record.text) == (record.register == "precise")
        assert "_" not in record.text


def test_web_mercator_is_longer_than_the_ground(made: Generated) -> None:
    """At 47 degrees the plane stretches by 1 / cos(47°), 1.466; the whole of Liechtenstein differs by little."""
    ratios = [
        record.gold_keys["webmercator"]["value"]["distance"] / record.gold["distance"]
        for record in made.records
        if record.template == "Distance"
    ]
    assert len(ratios) == EACH
    assert all(1.46 < ratio < 1.475 for ratio in ratios)


def test_an_exact_tool_user_is_right_by_all_distances(liechtenstein: Imported, made: Generated) -> None:
    judge = get_scorer("mapqa_distance").judge
    with liechtenstein.connect() as connection:
        for record in made.records:
            if record.template == "Distance":
                said = solve_plan(connection, record.snapshot, record.solutions[TOOL_PLAN])
                assert judge(f"{said['distance']} m", record.gold, None).value == 1.0


def test_the_answer_is_named_first_as_well_as_last(liechtenstein: Imported) -> None:
    with liechtenstein.connect() as connection:
        whole = benchmarks()[NAME]
        alone = replace(whole, templates={"Closer_Of_Two": whole.templates["Closer_Of_Two"]})
        recipe = Recipe(alone, find_snapshots(connection, [liechtenstein.name]), 1, 40, 40, 0.0)
        made = generate(connection, recipe, lambda *told: None)
    last = [one.margin["is_last_named"] for one in made.records]
    assert 10 <= sum(last) <= 30


@pytest.fixture(scope="module")
def settings(liechtenstein: Imported, make_database: Callable[[], Settings]) -> Settings:
    """A database of its own with Liechtenstein."""
    made = make_database()
    import_map(made, liechtenstein.file, "liechtenstein")
    return made


@pytest.fixture(scope="module")
def stored(settings: Settings) -> Iterator[Connection]:
    """A connection to that database, as workers have it."""
    with connect(settings, Role.WORKER) as connection:
        yield connection


def test_all_paths_agree_on_a_stored_version(settings: Settings, stored: Connection) -> None:
    recipe = Recipe(benchmarks()[NAME], find_snapshots(stored, ["liechtenstein"]), 5, 1, 1, 0.0)
    version = store(stored, "check", 1, generate(stored, recipe, lambda *told: None), SystemClock())
    stored.commit()
    questions = load_questions(stored, version)
    result = verify(stored, questions, lambda done: None)
    assert result.tool_plan == {"agree": len(questions), "differ": 0}
    assert result.second_path == {"agree": len(questions), "differ": 0}
    assert result.proved
    graphs = run_gold_graphs(settings, "check", lambda *told: None)[1]
    assert graphs.total == {"gold": len(questions)}
    assert graphs.proved
    assert {one["id"] for one in graphs.public} == {question.id for question in questions}
    assert all(is_well_formed(read_graph(one["graph"])) for one in graphs.public)
