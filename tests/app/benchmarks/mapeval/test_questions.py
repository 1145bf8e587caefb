"""Questions of mapeval on a real map: every template gives some, proved in three ways, whose options are fair."""

import pytest

from app.core.names import bare_form
from app.core.settings import Role
from app.db.engine import connect
from app.questions.distractors import order_of_options
from app.questions.generating import Generated, Recipe, generate
from app.questions.refusals import meaning
from app.questions.snapshots import find_snapshots
from app.questions.tool_plans import TOOL_PLAN, plan_fault
from tests.support.town import Imported, benchmarks

NAME = "mapeval"
EACH = 3
MOST_WORDS = 107
"""Of a question's text, as MapEval's paper tells it."""


@pytest.fixture(scope="module")
def made(liechtenstein: Imported) -> Generated:
    """A few questions of each template on Liechtenstein."""
    with connect(liechtenstein.settings, Role.WORKER) as connection:
        maps = find_snapshots(connection, [liechtenstein.name])
        recipe = Recipe(benchmarks()[NAME], maps, 3, EACH, EACH, 0.0, register="mixed")
        return generate(connection, recipe, lambda *told: None)


def test_every_template_gives_questions_and_no_path_disagrees(made: Generated) -> None:
    assert [name for name, report in made.reports.items() if report.selected < EACH] == []
    refused = {reason for report in made.reports.values() for reason in report.refused}
    assert not refused & {"second_path_disagrees", "tool_plan_fails"}
    assert not [reason for reason in refused if meaning(reason, NAME) is None]


def test_plans_lead_to_the_gold(liechtenstein: Imported, made: Generated) -> None:
    with liechtenstein.connect() as connection:
        for record in made.records:
            assert plan_fault(connection, record.snapshot, NAME, record.solutions, record.gold) is None
    assert {*record.solutions} == {TOOL_PLAN}


def test_texts_are_short_and_name_what_they_ask_about(made: Generated) -> None:
    for record in made.records:
        assert "_" not in record.text
        assert len(record.text.split()) <= MOST_WORDS
        shown = record.text + "\n".join(record.options or ())
        calls = record.solutions[TOOL_PLAN]["calls"]
        assert all(one["arguments"]["query"] in shown for one in calls if one["tool"] == "place_search")
    assert {record.register for record in made.records} == {"precise", "everyday"}
    for template in benchmarks()[NAME].templates.values():
        assert min(len(texts) for texts in template.phrasings["en"].values()) >= 3, template.id


def test_options_are_two_to_seven_and_in_an_order_that_does_not_tell_the_key(made: Generated) -> None:
    for record in made.records:
        options = record.options or []
        assert 2 <= len({bare_form(one) for one in options}) == len(options) <= 7
        assert options[record.gold["index"]] == record.gold["text"]
        assert order_of_options(options, 3, record.id) == [*range(len(options))]
