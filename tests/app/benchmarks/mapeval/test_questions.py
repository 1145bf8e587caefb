"""Questions of mapeval on a real map: every template gives some, proved in three ways, whose options are fair."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from app.core.clock import SystemClock
from app.core.names import bare_form
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.operations.gold_graphs import run_gold_graphs
from app.questions.contexts import CONTEXT
from app.questions.distractors import order_of_options
from app.questions.generating import Generated, Recipe, generate
from app.questions.gold import NO_ANSWER, VALUE
from app.questions.lacking import lacking
from app.questions.prompts import words_of
from app.questions.records import QuestionRecord
from app.questions.refusals import meaning
from app.questions.shared_words import share_alike, telling_words
from app.questions.snapshots import find_snapshots
from app.questions.stored import load_questions
from app.questions.storing import store
from app.questions.tool_plans import OLDEST_LAYER_SCHEMA, TOOL_PLAN, plan_fault
from app.questions.verifying import verify
from tests.app.benchmarks.mapeval.conftest import EACH, SEED
from tests.support.sql_alone import of_sql_alone
from tests.support.town import Imported, benchmarks, import_map

NAME = "mapeval"
MOST_WORDS = 107
"""Of a question's text, as MapEval's paper tells it."""


def answerable(made: Generated) -> list[QuestionRecord]:
    return [record for record in made.records if record.gold_kind == VALUE]


def test_every_template_gives_questions_and_no_path_disagrees(made: Generated) -> None:
    assert [name for name, report in made.reports.items() if report.selected < EACH] == []
    refused = {reason for report in made.reports.values() for reason in report.refused}
    assert not refused & {"second_path_disagrees", "tool_plan_fails", "context_fails", "no_context"}
    assert not [reason for reason in refused if meaning(reason, NAME) is None]


def test_plans_lead_to_the_gold(liechtenstein: Imported, made: Generated) -> None:
    with liechtenstein.connect() as connection:
        for record in answerable(made):
            assert plan_fault(connection, record.snapshot, NAME, record.solutions, record.gold) is None
    assert {kind for record in made.records for kind in record.solutions} == {TOOL_PLAN, CONTEXT}


def test_texts_are_short_and_name_what_they_ask_about(made: Generated) -> None:
    for record in made.records:
        text = words_of(record.prompt)
        assert "_" not in text
        assert len(text.split()) <= MOST_WORDS
        shown = text + "\n".join(record.options or ())
        calls = record.solutions.get(TOOL_PLAN, {"calls": []})["calls"]
        assert all(one["arguments"]["query"] in shown for one in calls if one["tool"] == "place_search")
    assert {record.register for record in made.records} == {"precise", "everyday"}
    for template in benchmarks()[NAME].templates.values():
        assert min(len(texts) for texts in template.phrasings["en"].values()) >= 3, template.id


def test_options_are_two_to_seven_and_in_an_order_that_does_not_tell_the_key(made: Generated) -> None:
    for record in made.records:
        options = list(record.options or [])
        assert options[record.gold["index"]] == record.gold["text"]
        assert options.pop() == NO_ANSWER
        assert (record.gold["text"] == NO_ANSWER) == (record.template == "Not_On_The_Map")
        assert 2 <= len({bare_form(one) for one in options}) == len(options) <= 7
        assert order_of_options(options, SEED, record.id) == [*range(len(options))]


def options_of(made: Generated, template: str) -> list[list[str]]:
    """The options of a template's questions, without the last one, which says that there is no answer."""
    return [list(record.options or [])[:-1] for record in made.records if record.template == template]


def test_each_number_among_the_options_could_be_the_key(made: Generated) -> None:
    for options in options_of(made, "Straight_Line_Distance"):
        kilometres = sorted(float(text.removesuffix(" km")) for text in options)
        assert all(1.13 < other / one < 1.25 for one, other in pairwise(kilometres))
        assert kilometres[-1] / kilometres[0] < 1.63
    for options in options_of(made, "Count_Within"):
        counts = sorted(map(int, options))
        assert counts == [*range(counts[0], counts[0] + 4)]
        assert counts[0] >= 1
    assert all({*options} == {"Yes", "No"} for options in options_of(made, "Open_At"))


def words_of_phrasings(template: str) -> frozenset[str]:
    """The words that texts of a template have whatever they ask about."""
    phrasings = benchmarks()[NAME].templates[template].phrasings["en"]
    return telling_words(" ".join(text for texts in phrasings.values() for text in texts))


def test_no_place_among_the_options_is_told_by_words_of_the_text(made: Generated) -> None:
    asked = [one for one in made.records if one.template in ("Lies_Between", "Landmark_In_Direction")]
    assert len(asked) == 2 * EACH
    for record in asked:
        said = telling_words(words_of(record.prompt)) - words_of_phrasings(record.template)
        assert share_alike((one for one in record.options or () if one != NO_ANSWER), said), record.text


def test_a_map_without_what_tools_read_is_refused_at_once(liechtenstein: Imported) -> None:
    with connect(liechtenstein.settings, Role.WORKER) as connection:
        (found,) = find_snapshots(connection, [liechtenstein.name])
    old = replace(found, layer_schema_version=OLDEST_LAYER_SCHEMA - 1)
    templates = benchmarks()[NAME].templates.values()
    assert {lacking(old, template) for template in templates} == {"old_map"}
    assert {lacking(found, template) for template in templates} == {None}


@pytest.mark.long
def test_verify_finds_every_question_proved(
    liechtenstein: Imported, make_database: Callable[[], Settings]
) -> None:
    settings = make_database()
    import_map(settings, liechtenstein.file, "liechtenstein")
    with connect(settings, Role.WORKER) as connection:
        maps = find_snapshots(connection, ["liechtenstein"])
        made = generate(
            connection, Recipe(of_sql_alone(NAME), maps, 7, 2, 2, 0.0, register="mixed"), lambda *told: None
        )
        version = store(connection, "proved", 1, made, SystemClock())
        result = verify(connection, load_questions(connection, version), lambda done: None)
        connection.commit()
    graphs = run_gold_graphs(settings, "proved", lambda *told: None)[1]
    assert graphs.total["gold"] == len(answerable(made))
    assert graphs.total["gold"] + graphs.total["no_plan"] == len(made.records)
    assert result.failures == []
    assert result.tool_plan == result.context == {"agree": len(answerable(made)), "differ": 0}
    assert result.second_path["agree"] == result.readings["agree"] == len(made.records)
