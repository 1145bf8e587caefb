"""Which facts a model may look up: those of its question's map, none that is asked for, none that is hidden gold."""

from collections.abc import Callable

import pytest

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect, use_service_tables
from app.map_tools.fact_lookup import FactsOutcome, Wanted, find_attribute, look_up
from app.questions.generating import Generated, Recipe, generate
from app.questions.records import QuestionRecord
from app.questions.snapshots import find_snapshots_with_facts
from app.questions.storing import store
from app.questions.versions import PublishedVersion
from tests.app.questions.facts_map import make_facts_map
from tests.app.questions.test_facts import only_facts
from tests.support.town import benchmarks, import_map


@pytest.fixture(scope="module")
def made(
    make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Settings, PublishedVersion, Generated]:
    """T5, T7 and T8 over the road of galleries, about half of them hidden."""
    settings = make_database()
    import_map(settings, make_facts_map().write(tmp_path_factory.mktemp("road") / "road.osm"), "road")
    with connect(settings, Role.WORKER) as connection:
        found = find_snapshots_with_facts(connection, ["road"])
        recipe = Recipe(
            only_facts(benchmarks()["gsqa"]), found, 3, 500, 500, 0.5, secret_draws=True, secret="a secret"
        )
        generated = generate(connection, recipe, lambda *progress: None)
        version = store(connection, "facts", 1, generated, SystemClock())
        connection.commit()
    return settings, version, generated


def ask(
    made: tuple[Settings, PublishedVersion, Generated], one: QuestionRecord, *wanted: tuple[str, str]
) -> list[tuple[int, str]]:
    settings, version, _ = made
    with connect(settings, Role.WORKER) as connection:
        use_service_tables(connection)
        found = look_up(connection, version.id, one.id, [Wanted(*pair) for pair in wanted])
    assert FactsOutcome.of(found.as_json()) == found
    return [(row["number"], row["value"]) for row in found.found]


def some(made: tuple[Settings, PublishedVersion, Generated], template: str) -> list[QuestionRecord]:
    return [one for one in made[2].records if one.template == template]


def test_facts_are_found_by_name_or_key_and_attribute(
    made: tuple[Settings, PublishedVersion, Generated],
) -> None:
    question = some(made, "T5")[0]
    assert ask(made, question, ("gallery  TOLD", "height in metres"), ("Gallery Told", "architect")) == [
        (0, "12.5 m"),
        (1, "Anna Beck"),
    ]
    key = make_facts_map().names["Gallery Told"]
    assert ask(made, question, (key, "architect")) == [(0, "Anna Beck")]
    hostile = ("'; drop table trigpoint.fact; --", "architect")
    assert ask(made, question, hostile, ("Gallery Told", "value"), ("Nowhere", "beds")) == []
    # Sources contradict each other: nobody is told either.
    assert ask(made, question, ("School Twin", "start_year")) == []
    assert find_attribute("Year of Opening") == "opening_year"


def test_what_a_question_asks_for_is_withheld_from_it(
    made: tuple[Settings, PublishedVersion, Generated],
) -> None:
    for question in some(made, "T7"):
        fact = question.gold["fact"]
        place = question.gold["objects"][0]["name"]
        assert ask(made, question, (place, fact["attribute"])) == []
    asks_for_year = next(one for one in some(made, "T7") if one.gold["fact"]["attribute"] == "start_year")
    assert ask(made, asks_for_year, ("Gallery Told", "height")) == [(0, "12.5 m")]


def test_gold_of_hidden_questions_is_told_to_nobody_but_whom_it_names(
    made: tuple[Settings, PublishedVersion, Generated],
) -> None:
    hidden = {one.gold["fact"]["id"] for one in some(made, "T7") if one.split == "hidden"}
    public = {one.gold["fact"]["id"] for one in some(made, "T7")} - hidden
    assert hidden
    plain = some(made, "T5")[0]
    for one in some(made, "T7"):
        fact, place = one.gold["fact"], one.gold["objects"][0]["name"]
        found = ask(made, plain, (place, fact["attribute"]))
        assert bool(found) == (fact["id"] in public), place
    for one in some(made, "T8"):
        # The fact stands in the text of the question; to look up whose it is, is what is asked.
        anchor = one.parameters["anchor"].partition(" ")
        assert ask(made, one, (anchor[0], anchor[2])), one.text


def test_a_question_that_there_is_not_has_no_facts(
    made: tuple[Settings, PublishedVersion, Generated],
) -> None:
    settings, version, _ = made
    with connect(settings, Role.WORKER) as connection:
        use_service_tables(connection)
        with pytest.raises(LookupError, match="no question"):
            look_up(connection, version.id, "nothing", [Wanted("Gallery Told", "height")])
