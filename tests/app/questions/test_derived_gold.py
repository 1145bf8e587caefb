"""Gold under keys and solutions that a derivation gives: generated, proved, made again, corrected and refreshed."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.operations.recipe import GenerateRequest, draft_recipe
from app.questions.derivations.base import DERIVATIONS, Case, Derived
from app.questions.generating import generate as make_records
from app.questions.second_path import Layers, SecondAnswer, answering
from app.questions.second_path.answering import Parameters, SecondPath
from app.questions.snapshots import find_snapshots
from app.questions.stored import StoredQuestion, load_questions
from app.questions.versions import find_version
from tests.support.command_line import generate, trigpoint
from tests.support.town import TIMESTAMP, import_map, make_town

LATER = TIMESTAMP.replace("2024", "2025")
NEAREST = ("gsqa", "nearest_name")
TEMPLATES = ("T5", "T6")
"""The templates of that derivation."""


@pytest.fixture
def derive(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Has the nearest place's derivation also give gold under `driving`, which says the word, and a plan."""
    DERIVATIONS.names("gsqa")
    original = DERIVATIONS.added[NEAREST]

    def say(word: str) -> None:
        def derived(case: Case) -> Derived:
            found = original(case)
            keys = {"driving": {"kind": "value", "value": {**found.gold, "said": word}}}
            plan = {"tool_plan": ["nearby", len(case.rows)]}
            return found if found.refusal else replace(found, gold_keys=keys, solutions=plan)

        monkeypatch.setitem(DERIVATIONS.added, NEAREST, derived)

    return say


@pytest.fixture
def prove(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Has the second path of the same templates also state gold under `driving`, which says the word."""
    find = answering._TEMPLATES.find

    def say(word: str) -> None:
        def found(benchmark: str, template: str, version: int | None) -> SecondPath | None:
            function = find(benchmark, template, version)
            return function if function is None or template not in TEMPLATES else with_key(function, word)

        monkeypatch.setattr(answering._TEMPLATES, "find", found)

    return say


def with_key(function: SecondPath, word: str) -> SecondPath:
    def answered(layers: Layers, parameters: Parameters) -> SecondAnswer:
        found = function(layers, parameters)
        return replace(found, keys={"driving": {"kind": "value", "value": {**found.value, "said": word}}})

    return answered


def stored(settings: Settings, reference: str) -> list[StoredQuestion]:
    with connect(settings, Role.MAINTAINER) as connection:
        found = load_questions(connection, find_version(connection, reference))
    return [one for one in found if one.derive == NEAREST[1]]


def said(settings: Settings, reference: str) -> dict[str, Any]:
    return {one.id: one.gold_keys["driving"]["value"]["said"] for one in stored(settings, reference)}


@pytest.mark.long
def test_what_a_derivation_gives_goes_all_the_way(
    database: Settings, tmp_path: Path, derive: Callable[[str], None], prove: Callable[[str], None]
) -> None:
    town = make_town()
    import_map(database, town.write(tmp_path / "town.osm"), "town")
    derive("one")
    prove("one")
    assert generate(database, "gsqa", "town", "toy", "--bank", "3", "--per-template", "3").status == 0
    questions = stored(database, "toy@1")
    assert questions
    assert {one.gold_keys["driving"]["value"]["said"] for one in questions} == {"one"}
    assert all(one.solutions["tool_plan"][0] == "nearby" for one in questions)
    assert trigpoint(database, "verify", "toy").status == 0
    assert trigpoint(database, "reproduce", "toy").status == 0

    derive("two")
    found = trigpoint(database, "verify", "toy", "--json")
    assert found.status == 1
    assert {(one["id"], one["path"]) for one in found.json["failures"]} == {
        (one.id, "stored_sql") for one in questions
    }
    prove("two")
    doubted = questions[0].id
    opened = trigpoint(
        database, "dispute", "open", "toy", doubted, "--reason", "wrong_answer", "--text", "By car.", "--json"
    )
    assert opened.status == 0, opened.err
    number = str(opened.json["dispute"])
    decided = trigpoint(
        database, "dispute", "decide", number, "--verdict", "correct", "--text", "So it is.", "--json"
    )
    assert decided.status == 0, decided.err
    assert said(database, "toy@2") == {**said(database, "toy@1"), doubted: "two"}
    assert {one.id: one.solutions for one in stored(database, "toy@2")} == {
        one.id: one.solutions for one in questions
    }

    later = tmp_path / "later.osm"
    later.write_text(town.xml().replace(TIMESTAMP, LATER))
    (tmp_path / "later.poly").write_text((tmp_path / "town.poly").read_text())
    import_map(database, later, "town")
    refreshed = trigpoint(database, "refresh", "toy", "--snapshot", "town", "--json")
    assert refreshed.status == 0, refreshed.err
    assert said(database, "toy@3") == said(database, "toy@2")
    assert {one.id: one.solutions for one in stored(database, "toy@3")} == {
        one.id: one.solutions for one in questions
    }


def test_gold_that_the_second_path_does_not_prove_makes_no_question(
    database: Settings, tmp_path: Path, derive: Callable[[str], None]
) -> None:
    import_map(database, make_town().write(tmp_path / "town.osm"), "town")
    derive("one")
    with connect(database, Role.WORKER) as connection, capture_logs() as logs:
        maps = find_snapshots(connection, ["town"])
        recipe = replace(
            draft_recipe(GenerateRequest("gsqa", "toy", 3, 3, only=["T1", "T5"])), snapshots=maps
        )
        made = make_records(connection, recipe, lambda *_: None)
    assert {one.template for one in made.records} == {"T1"}
    refused = made.reports["T5"].refused["second_path_disagrees"]
    assert refused > 1
    (warned,) = [one for one in logs if one["log_level"] == "warning"]
    assert (warned["template"], warned["map"], warned["refused"]) == ("T5", f"town@{TIMESTAMP}", refused)
    assert "driving" in warned["fault"]
