"""Questions of map_tools_check on two maps: every template gives some, and their plans lead to the gold."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from app.agent_tools.tool_plans.running import solve_plan
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.generating import Generated, Recipe, generate
from app.questions.records import QuestionRecord
from app.questions.refusals import meaning
from app.questions.snapshots import find_snapshots
from app.questions.stored import StoredQuestion, load_questions
from app.questions.storing import store
from app.questions.tool_plans import TOOL_PLAN, is_answer, plan_fault
from app.questions.verifying import verify
from app.questions.versions import PublishedVersion
from tests.support.town import Imported, benchmarks, import_map

NAME = "map_tools_check"
EACH = 2
LACKING = {"monaco": ["Open_Of_Four"]}
"""The templates that a map gives no question of: in 2012, Monaco had no opening hours."""


@pytest.fixture(scope="module", params=["liechtenstein-2022-07-24.osm.pbf", "monaco-2012-07-06.osm.gz"])
def place(
    request: pytest.FixtureRequest,
    fill_once: Callable[[str, Callable[[Settings], object]], Settings],
    extracts: Path,
) -> Imported:
    """A map."""
    name = request.param.partition("-")[0]
    file = extracts / request.param
    return Imported(fill_once(name, lambda made: import_map(made, file, name)), name, file)


@pytest.fixture(scope="module")
def made(place: Imported) -> Generated:
    """A few questions of each template on the map."""
    with place.connect() as connection:
        recipe = Recipe(
            benchmarks()[NAME], find_snapshots(connection, [place.name]), 3, EACH, EACH, 0.0, register="mixed"
        )
        return generate(connection, recipe, lambda *told: None)


def solve(connection: Connection, record: QuestionRecord) -> bool:
    answer = solve_plan(connection, record.snapshot, record.solutions[TOOL_PLAN])
    return is_answer(
        answer, record.gold | ({"text": record.options[record.gold["index"]]} if record.options else {})
    )


def test_every_template_gives_questions_whose_plans_lead_to_the_gold(
    place: Imported, made: Generated
) -> None:
    lacking = [name for name, report in made.reports.items() if not report.selected]
    assert lacking == LACKING.get(place.name, [])
    refused = {reason for report in made.reports.values() for reason in report.refused}
    assert "second_path_disagrees" not in refused
    assert not [reason for reason in refused if meaning(reason, NAME) is None]
    with place.connect() as connection:
        assert all(solve(connection, record) for record in made.records)


def test_plans_leave_no_locks_behind(place: Imported, made: Generated) -> None:
    """Thousands of questions are proved in one transaction, and PostgreSQL has room for some thousand locks."""
    with place.connect() as connection:
        assert all(solve(connection, record) for record in made.records)
        connection.execute(
            text("insert into trigpoint.dataset (name, benchmark, created_at) values ('many', 'gsqa', now())")
        )
        locked = connection.execute(
            text("select count(*) from pg_locks where pid = pg_backend_pid() and locktype = 'transactionid'")
        )
        assert locked.scalar_one() == 1


def test_texts_name_what_they_ask_about(made: Generated) -> None:
    for record in made.records:
        assert "OpenStreetMap" in record.text
        assert "_" not in record.text
        calls = record.solutions[TOOL_PLAN]["calls"]
        shown = record.text + "\n".join(record.options or ())
        assert all(one["arguments"]["query"] in shown for one in calls if one["tool"] == "place_search")
        assert 2 <= len(calls) <= 9


@pytest.fixture(scope="module")
def stored(
    liechtenstein: Imported, make_database: Callable[[], Settings]
) -> Iterator[tuple[Connection, PublishedVersion]]:
    """A small version on Liechtenstein in a database of its own."""
    settings = make_database()
    import_map(settings, liechtenstein.file, "liechtenstein")
    with connect(settings, Role.WORKER) as connection:
        recipe = Recipe(
            benchmarks()[NAME], find_snapshots(connection, ["liechtenstein"]), 5, 1, 1, 0.0, register="mixed"
        )
        version = store(
            connection, "check", 1, generate(connection, recipe, lambda *told: None), SystemClock()
        )
        connection.commit()
        yield connection, version


Stored = tuple[Connection, PublishedVersion]


def changed(question: StoredQuestion, **parts: object) -> StoredQuestion:
    return replace(question, solutions={TOOL_PLAN: question.solutions[TOOL_PLAN] | parts})


def test_verify_carries_every_plan_out(stored: Stored) -> None:
    connection, version = stored
    questions = load_questions(connection, version)
    result = verify(connection, questions, lambda done: None)
    assert result.tool_plan == {"agree": len(questions), "differ": 0}
    assert result.second_path == {"agree": len(questions), "differ": 0}
    assert result.proved


def test_verify_finds_plans_that_do_not_lead_to_the_gold(stored: Stored) -> None:
    connection, version = stored
    questions = {one.template: one for one in load_questions(connection, version)}
    unplanned = replace(questions["Area_Of"], solutions={})
    broken = changed(questions["Count_In"], calls=[])
    elsewhere = changed(questions["Distance_Between"], answer={"distance": 1.0})
    told = verify(connection, [unplanned, broken, elsewhere], lambda done: None)
    assert told.tool_plan == {"agree": 0, "differ": 3}
    got = {one.template: one.got for one in told.failures if one.path == "tool_plan"}
    assert got["Area_Of"] == "there is no plan"
    assert "1 to 20 calls" in got["Count_In"]
    assert got["Distance_Between"] == "the plan leads to {'distance': 1.0}"
    assert not told.proved


def test_a_plan_that_lost_its_place_is_told(stored: Stored) -> None:
    connection, version = stored
    question = next(one for one in load_questions(connection, version) if one.template == "Nearest_Name")
    gone = {"calls": [{"tool": "place_details", "arguments": {"place": "n1"}}], "answer": {"name": "X"}}
    fault = plan_fault(connection, question.snapshot, NAME, {TOOL_PLAN: gone}, question.gold)
    assert fault is not None
    assert "has no place n1" in fault
    assert connection.execute(text("select 1")).scalar_one() == 1
