"""Questions of evgeoqa on Liechtenstein with charging stations planted: both paths agree, and they are made again alike."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import shapely

from app.agent_tools.georover.activities import ACTIVITY_CLASSES
from app.benchmarks.evgeoqa.second_path.activities import ACTIVITIES
from app.core.clock import SystemClock
from app.core.settings import PROJECT_ROOT, Role, Settings
from app.db.engine import connect, use_schema
from app.exports.places import read_places
from app.exports.versions import export_generated, export_published
from app.operations.gold_graphs import run_gold_graphs
from app.published.inspecting import inspect
from app.questions.generating import Generated, Recipe, generate
from app.questions.picking import open_space, read_choices
from app.questions.refusals import meaning
from app.questions.reproducing import reproduce
from app.questions.snapshots import find_snapshots
from app.questions.stored import load_questions
from app.questions.storing import store
from app.questions.tool_plans import NO_PLAN, TOOL_PLAN, plan_fault
from app.questions.verifying import verify
from app.questions.versions import PublishedVersion
from osm_import.planting import plant
from tests.support.town import benchmarks, import_map

NAME = "evgeoqa"
NUMBER = 60
HIDDEN = 0.2
PICK = PROJECT_ROOT / "sql_templates" / NAME / "picks" / "activity.sql"


@pytest.fixture(scope="module")
def settings(
    make_database: Callable[[], Settings], extracts: Path, tmp_path_factory: pytest.TempPathFactory
) -> Settings:
    """A database with Liechtenstein and 120 planted charging stations."""
    source = extracts / "liechtenstein-2022-07-24.osm.pbf"
    if not source.is_file():
        pytest.skip(f"{source} is absent")
    target = tmp_path_factory.mktemp("planted") / "planted.osm.pbf"
    plant(source, target, "charging_station", 120, 1)
    made = make_database()
    import_map(made, target, "planted")
    return made


@pytest.fixture(scope="module")
def made(settings: Settings) -> Generated:
    """The questions."""
    with connect(settings, Role.WORKER) as connection:
        maps = find_snapshots(connection, ["planted"])
        recipe = Recipe(
            benchmarks()[NAME],
            maps,
            5,
            2 * NUMBER,
            NUMBER,
            HIDDEN,
            secret_draws=True,
            secret="a secret",
        )
        return generate(connection, recipe, lambda *told: None)


@pytest.fixture(scope="module")
def version(settings: Settings, made: Generated) -> PublishedVersion:
    """The questions, published."""
    with connect(settings, Role.WORKER) as connection:
        stored = store(connection, "stops", 1, made, SystemClock())
        connection.commit()
    return stored


def test_no_path_disagrees_and_each_refusal_has_a_meaning(made: Generated) -> None:
    report = made.reports["Destination_With_Activity"]
    assert report.selected == NUMBER
    assert {*made.reports["Destination_By_Drive"].refused} <= {"no_router"}
    assert "second_path_disagrees" not in report.refused
    assert not [reason for reason in report.refused if meaning(reason, NAME) is None]


def test_keys_hold_up_to_five_stations_the_nearest_first(made: Generated) -> None:
    for record in made.records:
        stations = record.gold["stations"]
        distances = [one["geodesic_m"] for one in stations]
        assert 1 <= len(stations) <= 5
        assert distances == sorted(distances)
        assert len({one["osm_key"] for one in stations}) == len(stations)
        for one in stations:
            assert one["osm_key"] == one["osm_keys"][0]
            assert one["activity"]["metres"] < 1000
            assert one["activity"]["class"] in ACTIVITIES[record.parameters["activity"]]
            assert one["activity"]["osm_key"] not in one["osm_keys"]


def test_some_are_hidden_and_texts_say_whose_data_they_are_about(made: Generated) -> None:
    """All are precise: there is one reading, so nothing is left open that everyday words would leave open."""
    assert {record.split for record in made.records} == {"public", "hidden"}
    for record in made.records:
        assert "OpenStreetMap" in record.text


def test_verify_agrees_by_stored_sql_and_by_the_second_path(
    settings: Settings, version: PublishedVersion
) -> None:
    with connect(settings, Role.WORKER) as connection:
        result = verify(connection, load_questions(connection, version), lambda done: None)
    assert result.failures == []
    assert result.stored_sql["agree"] == result.second_path["agree"] == result.questions == NUMBER
    assert result.tool_plan["differ"] == 0
    assert result.tool_plan["agree"] + sum(result.no_plan.values()) == NUMBER
    assert result.tool_plan["agree"] > NUMBER / 2
    assert set(result.no_plan) <= {"beyond_view", "too_many_calls", "unconnected"}
    assert result.proved


def test_the_graph_of_each_plan_gives_gold_and_those_of_hidden_questions_stay_inside(
    settings: Settings, version: PublishedVersion
) -> None:
    with connect(settings, Role.WORKER) as connection:
        split = {one.id: one.split for one in load_questions(connection, version)}
    graphs = run_gold_graphs(settings, version.reference, lambda *told: None)[1]
    assert graphs.total["gold"] > NUMBER / 2
    assert graphs.total["gold"] + graphs.total["no_plan"] == NUMBER
    assert {split[one["id"]] for one in graphs.public} == {"public"}
    assert len(graphs.public) < graphs.total["gold"]


def test_the_map_of_a_question_shows_the_user_and_the_key(
    settings: Settings, version: PublishedVersion, made: Generated
) -> None:
    record = next(one for one in made.records if one.split == "public")
    with connect(settings, Role.API) as connection:
        drawn = inspect(connection, version, record.id).map
    assert drawn is not None
    marks = [shape.properties for shape in drawn.features]
    user = record.gold["user"]
    assert [mark.point for mark in marks if mark.role == "anchor"] == [(user["lon"], user["lat"])]
    stations = record.gold["stations"]
    found = {mark.osm_key: mark.metres for mark in marks if mark.role == "gold"}
    assert {*found} == {key for one in stations for key in one["osm_keys"]}
    for one in stations:
        if one["osm_keys"] == [one["osm_key"]] and one["osm_key"].startswith("n"):
            assert found[one["osm_key"]] == pytest.approx(one["geodesic_m"], abs=0.01)


def test_exports_of_places_tell_where_the_user_is(
    settings: Settings, version: PublishedVersion, made: Generated
) -> None:
    with connect(settings, Role.WORKER) as connection:
        places = read_places(connection, version, load_questions(connection, version))
    assert len(places) == len(made.records)
    for record in made.records:
        user = record.gold["user"]
        assert shapely.get_coordinates(shapely.from_wkb(places[record.id].anchor)).tolist() == [
            [user["lon"], user["lat"]]
        ]


def test_a_plan_leads_to_its_key_and_to_no_other(settings: Settings, made: Generated) -> None:
    """Looking beside each station as far as the fifth that is right, in the view from the user's place."""
    record = next(one for one in made.records if TOOL_PLAN in one.solutions)
    calls = record.solutions[TOOL_PLAN]["calls"]
    assert len(calls) <= 20
    assert {one["tool"] for one in calls[1:]} == {"Search_Nearby_POI"}
    first, second, *rest = record.gold["stations"]
    other = {**record.gold, "stations": [second, first, *rest]}
    shorter = {**record.gold, "stations": [first, second, *rest[:-1]]}
    with connect(settings, Role.WORKER) as connection:
        faults = [
            plan_fault(connection, record.snapshot, NAME, record.solutions, gold)
            for gold in (record.gold, other, shorter)
        ]
    assert faults[0] is None
    assert all(fault and fault.startswith("the plan leads to") for fault in faults[1:])


def test_who_says_that_there_is_no_plan_must_be_right(settings: Settings, version: PublishedVersion) -> None:
    with connect(settings, Role.WORKER) as connection:
        questions = load_questions(connection, version)
        lazy = next(one for one in questions if TOOL_PLAN in one.solutions)
        lazy = replace(lazy, solutions={NO_PLAN: {"reason": "too_many_calls"}})
        result = verify(connection, [lazy], lambda done: None)
    assert [(one.path, one.expected, one.got) for one in result.failures] == [
        ("tool_plan", "a plan", "too_many_calls")
    ]


def test_a_version_is_made_again_to_the_byte(settings: Settings, version: PublishedVersion) -> None:
    with connect(settings, Role.MAINTAINER) as connection:
        published = export_published(connection, version, with_gold=True, include_hidden=True)
        again = export_generated(
            connection, reproduce(connection, version, lambda *told: None), version.name, version.number
        )
    assert again == published


def test_users_are_drawn_by_tiers_or_by_clusters(settings: Settings) -> None:
    """Of both ways the weights sum up to 1, and every cell of a kind is as probable as another."""
    template = benchmarks()[NAME].templates["Destination_With_Activity"]
    with connect(settings, Role.WORKER) as connection:
        (snapshot,) = find_snapshots(connection, ["planted"])
        use_schema(connection, snapshot.schema)
        cells = read_choices(connection, template, "user", snapshot.outline, None, {})
        drawn = open_space(connection, template, 1, snapshot.outline, {"user": "kmeans"}).choices["user"]
    kinds = {
        "tiers": {"road", "top", "high", "mid", "low"},
        "kmeans": {f"cluster_{one}" for one in range(1, 6)},
    }
    for sampling, expected in kinds.items():
        weights: dict[str, set[float]] = {}
        total = 0.0
        for one in cells:
            if one.facts["sampling"] == sampling:
                weights.setdefault(one.facts["kind"], set()).add(one.facts["weight"])
                total += one.facts["weight"]
        assert total == pytest.approx(1)
        assert weights.keys() == expected
        assert all(len(found) == 1 for found in weights.values())
    assert {one.value.split(",")[2] for one in drawn} == kinds["kmeans"]


def test_agents_see_the_places_that_questions_ask_for() -> None:
    """The tool, the pick and the second path each have a list of their own."""
    listed = re.findall(r"\('\w+', '([\w,]+)'\)", PICK.read_text(encoding="utf-8"))
    asked = {one for classes in listed for one in classes.split(",")}
    assert len(listed) == 25
    assert set(ACTIVITY_CLASSES) == asked == set().union(*ACTIVITIES.values())
