"""Trips of mapeval on a real map: every template gives questions, which all paths prove, and whose options are fair."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.generating import Generated, Recipe, generate
from app.questions.gold import NO_ANSWER
from app.questions.prompts import words_of
from app.questions.refusals import meaning
from app.questions.snapshots import find_snapshots
from app.questions.stored import load_questions
from app.questions.storing import store
from app.questions.verifying import verify
from app.routing.apart import RoutersApart
from tests.support.routers import own_routers
from tests.support.town import benchmarks, import_map

pytestmark = pytest.mark.long
NAME, MAP = "mapeval", "liechtenstein"
TRIPS = (
    "Best_Order",
    "Places_In_Budget",
    "Visit_While_Open",
    "Latest_Departure",
    "Arrival_Time",
    "Total_Travel_Time",
    "Meeting_Place",
)
EACH = 3
MOST_WORDS = 107


@pytest.fixture(scope="module")
def settings(
    make_database: Callable[[], Settings], extracts: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Settings]:
    """Liechtenstein, with routers of its own."""
    with own_routers(make_database(), tmp_path_factory.mktemp("routers")) as made:
        import_map(made, extracts / "liechtenstein-2022-07-24.osm.pbf", MAP)
        yield made


def make(settings: Settings) -> Generated:
    """A few questions of each template."""
    whole = benchmarks()[NAME]
    trips = replace(whole, templates={name: whole.templates[name] for name in TRIPS})
    with connect(settings, Role.WORKER) as connection:
        recipe = Recipe(trips, find_snapshots(connection, [MAP]), 3, EACH, EACH, 0.0, register="mixed")
        return generate(connection, recipe, lambda *told: None, RoutersApart(settings, Role.WORKER))


@pytest.fixture(scope="module")
def made(settings: Settings) -> Generated:
    """The questions that the tests look at."""
    return make(settings)


def test_every_template_gives_questions_that_are_the_same_when_made_again(
    settings: Settings, made: Generated
) -> None:
    assert {name: report.selected for name, report in made.reports.items()} == dict.fromkeys(TRIPS, EACH)
    refused = {reason for report in made.reports.values() for reason in report.refused}
    assert not refused & {
        "second_path_disagrees",
        "tool_plan_fails",
        "context_fails",
        "no_context",
        "no_router",
    }
    assert not [reason for reason in refused if meaning(reason, NAME) is None]
    assert make(settings).records == made.records


def test_texts_are_short_and_options_are_of_one_form(made: Generated) -> None:
    for record in made.records:
        assert len(words_of(record.prompt).split()) <= MOST_WORDS
        *options, last = record.options or ()
        assert (last, len({*options}) == len(options), 3 <= len(options) <= 4) == (NO_ANSWER, True, True)
        if record.template == "Best_Order":
            assert len({frozenset(option.split(" → ")) for option in options}) == 1
        if record.template == "Places_In_Budget":
            assert all(other - one == 1 for one, other in pairwise(sorted(map(int, options))))
        if record.template == "Total_Travel_Time":
            minutes = sorted(int(option.removesuffix(" minutes")) for option in options)
            assert minutes[0] >= 20
            assert all(1.1 < other / one < 1.3 for one, other in pairwise(minutes))


def test_every_question_is_proved_by_all_paths(settings: Settings, made: Generated) -> None:
    with connect(settings, Role.WORKER) as connection:
        version = store(connection, "trips", 1, made, SystemClock())
        routers = RoutersApart(settings, Role.WORKER)
        result = verify(connection, load_questions(connection, version), lambda done: None, routers)
    assert result.failures == []
    count = len(made.records)
    assert result.tool_plan == result.context == {"agree": count, "differ": 0}
    assert result.second_path["agree"] == result.readings["agree"] == count
