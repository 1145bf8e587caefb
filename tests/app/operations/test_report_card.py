"""A report card stage by stage on the toy town: made once, gone on with, entries left out with their reason."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import NotFound, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.operations.endpoints import EndpointChoice
from app.operations.recipe import GenerateRequest, draft_recipe
from app.operations.report_card import CardRequest, begin, estimate, make_questions, stored_card
from app.operations.verify import reproduce_version
from app.questions import versions
from app.report_cards.stored import CardEntry
from app.report_cards.suites import Suite, read_suite
from app.routing.programs import PROGRAMS, program_folder
from tests.support.command_line import generate, trigpoint
from tests.support.processes import scalar
from tests.support.routers import own_routers
from tests.support.tiny_suite import KEYS, TINY_SUITE
from tests.support.town import import_map, make_town

TOWN = "town"


TRAVEL = """
name = "travel"
sentence = "How long a way takes, and what is around."

[[entries]]
benchmark = "mapeval"
solver = "direct"
templates = ["Travel_Time_Between", "Straight_Line_Distance"]
per_template = 2
bank = 3
"""


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The toy town in a database that the tests may change."""
    made = make_database()
    import_map(made, make_town().write(tmp_path_factory.mktemp("town") / "town.osm"), "town")
    return made


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    path = tmp_path / "tiny.toml"
    path.write_text(TINY_SUITE)
    return read_suite(path)


def count_questions(settings: Settings, dataset: str | None) -> int:
    with connect(settings, Role.WORKER) as connection:
        return versions.count_questions(connection, versions.find_version(connection, str(dataset)))


def recipe_of(settings: Settings, dataset: str | None) -> dict[str, Any]:
    """The recipe of a version, NAME@NUMBER, as it is stored."""
    name, _, number = str(dataset).partition("@")
    found: dict[str, Any] = scalar(
        settings,
        "select recipe from dataset_version inner join dataset on dataset_id = dataset.id"
        " where name = :name and number = :number",
        name=name,
        number=int(number),
    )
    return found


def silent(*_: object) -> None:
    pass


def test_a_card_is_made_once_and_gone_on_with(settings: Settings, suite: Suite) -> None:
    add = ("endpoint", "add", "card", "--url", "http://127.0.0.1:9/v1", "--model", "m")
    assert trigpoint(settings, *add).status == 0
    request = CardRequest(suite, EndpointChoice("card"), TOWN)
    card = begin(settings, request)
    assert card.state == "begun"
    assert card.name.startswith(f"tiny of card on {TOWN}@")
    said: list[str] = []
    made = make_questions(settings, card.card, said.append, silent)
    direct, tools, charging, oracle, order, units, fresh = made.entries
    assert made.state == "generated"
    assert tuple(one.key for one in made.entries) == KEYS
    assert direct.dataset == tools.dataset == oracle.dataset is not None
    assert charging.dataset is None
    assert "evgeoqa gives no question" in str(charging.left_out)
    assert any(one.startswith("evgeoqa/georover is left out: ") for one in said)
    questions, twins = (count_questions(settings, one.dataset) for one in (direct, fresh))
    # An episode of tools makes one call at least, and its cap at most; the oracle makes none. Feet change texts with a
    # length, and four of these are asked; without options, nothing has an order.
    once = questions + twins + 4
    assert estimate(settings, card.card) == (once + questions + 2, once + 2, once + 2 * 7)
    assert order.dataset == direct.dataset
    recipes = {one.key: recipe_of(settings, one.dataset) for one in (units, fresh)}
    assert recipes[units.key] == recipe_of(settings, direct.dataset) | {"text_form": {"lengths": "feet"}}
    assert recipes[fresh.key]["twin_of"]["version"] == direct.dataset

    versions_before = scalar(settings, "select count(*) from dataset_version")
    assert begin(settings, request).card == card.card
    assert make_questions(settings, card.card, silent, silent) == stored_card(settings, card.card) == made
    assert scalar(settings, "select count(*) from dataset_version") == versions_before
    listed = trigpoint(settings, "report-cards", "--json").json["report_cards"]
    assert [one for one in listed if one["card"] == card.card] == [made.model_dump(mode="json")]
    shown = trigpoint(settings, "report-cards", str(card.card), "--json")
    assert shown.json == made.model_dump(mode="json")
    assert trigpoint(settings, "report-cards", "999999").status == 2


def test_what_is_no_fault_of_the_map_leaves_nothing_out(settings: Settings, tmp_path: Path) -> None:
    """A version that is not there ends the command; the card keeps why, and its entry stays open."""
    path = tmp_path / "named.toml"
    entry = '[[entries]]\nbenchmark = "gsqa"\nsolver = "direct"\nversion = "nothing@1"\n'
    path.write_text(f'name = "named"\nsentence = "A version that is named."\n{entry}')
    add = ("endpoint", "add", "named", "--url", "http://127.0.0.1:9/v1", "--model", "m")
    assert trigpoint(settings, *add).status == 0
    card = begin(settings, CardRequest(read_suite(path), EndpointChoice("named"), TOWN)).card
    with pytest.raises(NotFound, match="no published data set 'nothing@1'"):
        make_questions(settings, card, silent, silent)
    stored = stored_card(settings, card)
    assert (stored.state, stored.entries[0].left_out) == ("begun", None)
    assert "nothing@1" in str(stored.error)


def test_no_form_of_hidden_questions_is_made(settings: Settings, tmp_path: Path) -> None:
    """The same questions in other words would have public gold."""
    some = ("--template", "T1", "--bank", "6", "--per-template", "4", "--hidden", "0.5")
    assert generate(settings, "gsqa", TOWN, "half_hidden", *some).status == 0
    path = tmp_path / "hidden.toml"
    entry = (
        '[[entries]]\nbenchmark = "gsqa"\nsolver = "direct"\nversion = "half_hidden@1"\nforms = ["units"]\n'
    )
    path.write_text(f'name = "hidden"\nsentence = "Hidden questions."\n{entry}')
    add = ("endpoint", "add", "hidden", "--url", "http://127.0.0.1:9/v1", "--model", "m")
    assert trigpoint(settings, *add).status == 0
    versions_before = scalar(settings, "select count(*) from dataset_version")
    card = begin(settings, CardRequest(read_suite(path), EndpointChoice("hidden"), TOWN)).card
    named, units = make_questions(settings, card, silent, silent).entries
    assert (named.dataset, units.dataset) == ("half_hidden@1", None)
    assert "has hidden questions" in str(units.left_out)
    assert scalar(settings, "select count(*) from dataset_version") == versions_before


def test_a_version_of_some_templates_is_made_again_from_its_recipe(settings: Settings) -> None:
    some = ("--template", "T11", "--template", "T1", "--bank", "5", "--per-template", "2")
    done = generate(settings, "gsqa", TOWN, "some_templates", *some)
    assert done.status == 0, done.err
    assert list(done.json["templates"]) == ["T1", "T11"]
    again = trigpoint(settings, "reproduce", "some_templates")
    assert again.status == 0, again.err
    with pytest.raises(UsageError, match="gsqa has no template T99"):
        draft_recipe(GenerateRequest("gsqa", "x", only=["T99"]))


def test_questions_that_a_failing_router_prevented_are_made_when_it_works(
    settings: Settings, tmp_path: Path
) -> None:
    path = tmp_path / "travel.toml"
    path.write_text(TRAVEL)
    add = ("endpoint", "add", "traveller", "--url", "http://127.0.0.1:9/v1", "--model", "m")
    assert trigpoint(settings, *add).status == 0
    with own_routers(settings, tmp_path) as own:
        failing = own.model_copy(update={"osrm_bin": failing_programs(own, tmp_path / "osrm")})
        card = begin(failing, CardRequest(read_suite(path), EndpointChoice("traveller"), TOWN)).card
        said: list[str] = []
        (first,) = make_questions(failing, card, said.append, silent).entries
        assert "no_router" in first.without_questions["Travel_Time_Between"]
        assert any("There is no router for" in one for one in said)
        assert make_questions(failing, card, silent, silent).entries == [first], "it fails again"
        (then,) = make_questions(own, card, silent, silent).entries
        assert (first.dataset, then.dataset) == (f"{name_of(first)}@1", f"{name_of(first)}@2")
        assert (first.lacked_router, then.lacked_router) == (True, False)
        assert make_questions(own, card, silent, silent).entries == [then]
        assert reproduce_version(own, str(first.dataset), silent).differing == []


def name_of(entry: CardEntry) -> str:
    return str(entry.dataset).partition("@")[0]


def failing_programs(settings: Settings, folder: Path) -> Path:
    """A folder with OSRM's programs, of which the first one builds nothing."""
    folder.mkdir()
    for name in PROGRAMS[1:]:
        (folder / name).symlink_to(program_folder(settings) / name)
    (folder / PROGRAMS[0]).write_text("#!/bin/sh\nexit 3\n")
    (folder / PROGRAMS[0]).chmod(0o755)
    return folder
