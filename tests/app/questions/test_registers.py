"""Registers of text and readings, on the town: what is asked in everyday words, what a text tells, what is refused."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, text

from app.core.clock import SystemClock
from app.core.errors import UsageError
from app.core.settings import Settings
from app.exports.formats import FORMATS
from app.exports.versions import read_published
from app.questions.generating import Generated, Recipe, generate
from app.questions.readings import REFERENCE_POINT, Reading
from app.questions.reproducing import stored_recipe
from app.questions.snapshots import find_snapshots
from app.questions.stored import load_questions
from app.questions.storing import store
from app.questions.text_registers import fault_of_text
from app.questions.verifying import verify
from app.questions.versions import find_version
from app.templates.catalogue import Benchmark, find_benchmark
from tests.support.town import Imported, benchmarks, import_map, make_town

PLAIN = {"T1": "What {category} is {distance} from {anchor}?", "T5": "Nearest {category} to {anchor}?"}


def with_everyday() -> Benchmark:
    """GS-QA with everyday texts of two templates alone."""
    gsqa = silent()
    spoken = {
        name: replace(
            gsqa.templates[name],
            phrasings={"en": {**gsqa.templates[name].phrasings["en"], "everyday": [said]}},
        )
        for name, said in PLAIN.items()
    }
    return replace(gsqa, templates={**gsqa.templates, **spoken})


def silent() -> Benchmark:
    """GS-QA without everyday texts."""
    gsqa = benchmarks()["gsqa"]
    precise = {
        name: replace(one, phrasings={"en": {"precise": one.phrasings["en"]["precise"]}})
        for name, one in gsqa.templates.items()
    }
    return replace(gsqa, templates=precise)


@pytest.fixture(scope="module")
def town(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Imported:
    settings, toy = make_database(), make_town()
    file = toy.write(tmp_path_factory.mktemp("registers") / "town.osm")
    import_map(settings, file, "town")
    return Imported(settings, "town", file, toy)


def make(connection: Connection, register: str | None, benchmark: Benchmark | None = None) -> Generated:
    maps = find_snapshots(connection, ["town"])
    recipe = Recipe(benchmark or with_everyday(), maps, 0, 60, 60, 0.0, register=register)
    return generate(connection, recipe, lambda *told: None)


def test_mixed_asks_half_in_everyday_words_where_no_reading_matters(town: Imported) -> None:
    with town.connect() as connection:
        made = make(connection, "mixed")
    free = [one for one in made.records if one.template in PLAIN and not _matters(one)]
    everyday = [one for one in made.records if one.register == "everyday"]
    assert {one.id for one in everyday} < {one.id for one in free}
    assert 0.2 < len(everyday) / len(free) < 0.8
    assert all(one.text.startswith(("What ", "Nearest ")) for one in everyday)
    assert {one.register for one in made.records if one.template not in PLAIN} == {"precise"}


def _matters(one: Any) -> bool:
    return bool({*one.readings["matter"]} - {"reference_point"})


@pytest.mark.long
def test_everyday_refuses_the_others(town: Imported) -> None:
    with town.connect() as connection:
        made = make(connection, "everyday")
    assert {one.register for one in made.records} == {"everyday"}
    assert {one.template for one in made.records} <= set(PLAIN)
    assert made.reports["T17"].refused.keys() >= {"reading_matters"}
    assert made.reports["T17"].accepted == 0


def test_what_only_mappers_have_a_word_for_is_precise(town: Imported) -> None:
    whole = find_benchmark("gsqa")
    roads = replace(whole, templates={name: whole.templates[name] for name in ("T12", "T28")})
    with town.connect() as connection:
        mixed, everyday = make(connection, "mixed", roads), make(connection, "everyday", roads)
    unsaid = set(whole.file.precise_only["line"])
    assert unsaid & {one.parameters["line"] for one in mixed.records if one.register == "precise"}
    asked = {
        one.parameters["line"] for one in [*mixed.records, *everyday.records] if one.register == "everyday"
    }
    assert asked
    assert not unsaid & asked
    assert any("no_everyday_word" in report.refused for report in everyday.reports.values())


def test_everyday_needs_texts(town: Imported) -> None:
    with (
        town.connect() as connection,
        pytest.raises(UsageError, match="gsqa has no everyday texts in locale 'en'"),
    ):
        make(connection, "everyday", silent())


def test_precise_is_precise_and_older_recipes_ask_as_before(town: Imported) -> None:
    with town.connect() as connection:
        precise, older = make(connection, "precise"), make(connection, None)
    assert {one.register for one in precise.records} == {"precise"}
    assert {(one.register, one.readings) for one in older.records} == {(None, None)}
    assert "register" not in older.recipe.as_json()
    assert precise.recipe.as_json()["register"] == "precise"
    before = {one.id: one.text for one in older.records}
    untold = [one for one in precise.records if not one.readings.get("told")]
    assert untold
    assert all(before.get(one.id, one.text) == one.text for one in untold), "the texts are those of before"


def test_an_unknown_register_is_named(town: Imported) -> None:
    with town.connect() as connection, pytest.raises(UsageError, match="there are mixed, precise, everyday"):
        make(connection, "plain")


@pytest.fixture(scope="module")
def stored(town: Imported) -> Imported:
    """The town with a version in both registers."""
    with town.connect() as connection:
        store(connection, "mixed", 1, make(connection, "mixed", benchmarks()["gsqa"]), SystemClock())
        knowledge = make(connection, "mixed", benchmarks()["urban_knowledge"])
        store(connection, "mixed_knowledge", 1, knowledge, SystemClock())
        connection.commit()
    return town


@pytest.fixture
def tampering(stored: Imported, superuser_of: Callable[[Settings], str]) -> Iterator[Connection]:
    """A connection that may change anything, in a transaction that is rolled back."""
    engine = create_engine(superuser_of(stored.settings).replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection:
        connection.execute(text("set session_replication_role = replica"))
        yield connection
        connection.rollback()
    engine.dispose()


def failures(connection: Connection, dataset: str = "mixed") -> list[tuple[str, Any]]:
    questions = load_questions(connection, find_version(connection, dataset))
    result = verify(connection, questions, lambda done: None)
    assert sum(result.readings.values()) == len(questions)
    return [(one.path, one.got) for one in result.failures]


@pytest.mark.parametrize("dataset", ["mixed", "mixed_knowledge"])
def test_verify_finds_readings_again(tampering: Connection, dataset: str) -> None:
    assert failures(tampering, dataset) == []


def test_verify_finds_another_reading(tampering: Connection) -> None:
    tampering.execute(
        text(
            'update trigpoint.proof set readings = readings || cast(\'{"matter": ["sphere"]}\' as jsonb)'
            " where question_id = (select min(question_id) from trigpoint.proof where parameters ? 'anchor')"
        )
    )
    assert [path for path, _ in failures(tampering)] == ["readings"]


def test_what_is_wrong_with_a_text() -> None:
    told = Reading(frozenset({REFERENCE_POINT}), {"n1": (9.5, 47.25)})
    said = "How far is it from Park (park; latitude 47.250000, longitude 9.500000)?"
    assert fault_of_text("everyday", said, told) is None
    assert fault_of_text("precise", said, told) is None
    other = said.replace("47.250000", "47.250001")
    assert fault_of_text("precise", other, told) == "it does not say 'latitude 47.250000, longitude 9.500000'"
    assert fault_of_text("precise", other, Reading(frozenset({"sphere"}))) is None
    assert fault_of_text("everyday", other, Reading(frozenset({"sphere"}))) is not None
    assert fault_of_text("everyday", other, None) is not None
    assert fault_of_text("precise", said, Reading(refused=True)) == "no text makes the answer sure"


def test_verify_finds_everyday_words_where_a_reading_matters(tampering: Connection) -> None:
    done = tampering.execute(
        text(
            "update trigpoint.question set register = 'everyday' from trigpoint.proof"
            " where question.id = proof.question_id and (readings -> 'matter') - cast('reference_point' as text) <> '[]' and question.template ~ '^T[0-9]+$'"
        )
    )
    assert done.rowcount > 0
    found = failures(tampering)
    assert found == [("readings", "it is in everyday words, though a reading matters")] * done.rowcount


def test_exports_and_recipes_say_the_register(stored: Imported) -> None:
    with stored.connect() as connection:
        version = find_version(connection, "mixed")
        export = read_published(connection, version, with_gold=True, include_hidden=False)
        assert stored_recipe(connection, version).register == "mixed"
    lines = FORMATS["jsonl"](export)["questions.jsonl"].decode().splitlines()
    assert all('"register":"precise"' in line or '"register":"everyday"' in line for line in lines)
    assert b"readings" not in b"".join(FORMATS["jsonl"](export).values())
