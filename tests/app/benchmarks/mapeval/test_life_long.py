"""Questions of MapEval, MapQA and the Reasoning Module after they are made: what hides their gold, what corrects them, and later maps.

On a part of Manhattan, with routes and trips, and with pictures; and on Liechtenstein nine years apart.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.exports.formats import FORMATS
from app.questions.generating import Generated, Recipe, generate
from app.questions.pictures.engines import engine_of
from app.questions.refresh.changes import Pair
from app.questions.refresh.comparing import differences
from app.questions.refresh.refreshing import refresh
from app.questions.snapshots import find_snapshots
from app.routing.apart import RoutersApart
from osm_import.comparing import compare_snapshots
from tests.support.command_line import export, lines, trigpoint
from tests.support.errata import decide, give_another_answer, open_dispute, tampering
from tests.support.hidden_gold import leaks, publish
from tests.support.planted_secrets import PLANTED
from tests.support.routers import own_routers
from tests.support.town import benchmarks, import_map

pytestmark = pytest.mark.long
TEMPLATES = {
    "mapeval": (
        "Straight_Line_Distance",
        "Open_At",
        "Count_Within",
        "Nearest_Of_Type",
        "Travel_Time_Between",
        "Best_Order",
        "Not_On_The_Map",
    ),
    "mapeval_visual": ("Kind_In_Picture", "Nearest_In_Picture", "Not_In_Picture"),
    "mapqa": (
        "Amenity_Of",
        "Amenities_Around",
        "Adjacent",
        "Nearest_Amenity",
        "Distance",
        "Closer_Of_Two",
        "At_Intersection",
    ),
    "urban_reasoning": (
        "Distance",
        "Relation_Of_Roads",
        "Visiting_Order",
        "Destination",
        "Shortest_Way",
        "Recommendation_Near",
    ),
}
HIDDEN = 0.3
EACH = {"mapeval": 3, "mapeval_visual": 4, "mapqa": 3, "urban_reasoning": 3}
SOLUTIONS = {
    "mapeval": {"context", "tool_plan"},
    "mapeval_visual": {"drawing"},
    "mapqa": {"tool_plan"},
    "urban_reasoning": {"context"},
}
"""What leads to the answers of each benchmark's questions."""
OPEN_FORMATS = {
    "mapeval": [*FORMATS],
    "mapeval_visual": [one for one in FORMATS if one != "lm-eval"],
    "mapqa": [*FORMATS],
    "urban_reasoning": [*FORMATS],
}
"""lm-evaluation-harness is sent text alone."""


def recipe_of(settings: Settings, name: str, maps: list[str], hidden: float, each: int) -> Recipe:
    """A recipe of a few templates of the benchmark."""
    whole = benchmarks()[name]
    few = replace(whole, templates={one: whole.templates[one] for one in TEMPLATES[name]})
    with connect(settings, Role.WORKER) as connection:
        snapshots = find_snapshots(connection, maps)
    engine = RoutersApart(settings, Role.WORKER).engine if name == "mapeval" else None
    return Recipe(
        few,
        snapshots,
        3,
        each,
        each,
        hidden,
        register="mixed",
        router=engine,
        drawing=engine_of(few),
        secret_draws=hidden > 0,
        secret=f"{PLANTED}_secret" if hidden else None,
    )


def make(settings: Settings, recipe: Recipe) -> Generated:
    """The recipe's questions."""
    with connect(settings, Role.WORKER) as connection:
        return generate(connection, recipe, lambda *told: None, RoutersApart(settings, Role.WORKER))


@pytest.fixture(scope="module")
def manhattan(
    make_database: Callable[[], Settings], extracts: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Settings]:
    """A database with a part of Manhattan, and routers of its own."""
    with own_routers(make_database(), tmp_path_factory.mktemp("routers")) as settings:
        import_map(settings, extracts / "manhattan-part-2020-01-15.osm.pbf", "manhattan")
        yield settings


@pytest.mark.parametrize("name", TEMPLATES)
def test_nothing_that_leads_to_hidden_gold_leaves(manhattan: Settings, name: str) -> None:
    """Neither plans, needed lines and drawings, nor what proofs hold: by exports, pages and REST."""
    made = make(manhattan, recipe_of(manhattan, name, ["manhattan"], HIDDEN, EACH[name]))
    hidden = [one for one in made.records if one.split == "hidden"]
    assert 0 < len(hidden) < len(made.records)
    assert {kind for one in hidden for kind in one.solutions} >= SOLUTIONS[name]
    assert leaks(manhattan, name, made, OPEN_FORMATS[name]) == []


def refreshed_both_ways(settings: Settings, name: str, maps: tuple[Path, Path], each: int) -> list[str]:
    """What an incremental refresh says otherwise than a full one, from one map to a later one."""
    (older, later) = (import_map(settings, file, f"{name}{number}").name for number, file in enumerate(maps))
    recipe = recipe_of(settings, name, [older], 0.0, each)
    version = publish(settings, f"{name}_refreshed", make(settings, recipe))
    with connect(settings, Role.WORKER) as connection:
        (after,) = find_snapshots(connection, [later])
        comparison = compare_snapshots(settings, recipe.snapshots[0].schema, after.schema, SystemClock())
        pair, routers = Pair(recipe.snapshots[0], after, comparison.id), RoutersApart(settings, Role.WORKER)
        few, all_ = (
            refresh(connection, version, recipe, pair, full, routers=routers) for full in (False, True)
        )
    assert few.fates
    assert few.counts["replaced"] > 0
    return differences(few, all_)


@pytest.mark.parametrize("name", TEMPLATES)
def test_nine_years_by_increments_are_nine_years_asked_anew(
    make_database: Callable[[], Settings], extracts: Path, tmp_path: Path, name: str
) -> None:
    """Question by question, with contexts, plans, routes and pictures."""
    files = [extracts / f"liechtenstein-{date}.osm.pbf" for date in ("2013-08-03", "2022-07-24")]
    with own_routers(make_database(), tmp_path) as settings:
        assert refreshed_both_ways(settings, name, (files[0], files[1]), 2) == []


@pytest.mark.parametrize("template", ["Nearest_Of_Type", "Best_Order"])
def test_a_disputed_question_is_corrected_or_left_out_in_a_new_version(
    manhattan: Settings, superuser_of: Callable[[Settings], str], template: str
) -> None:
    """By SQL, and by a program that asks a router; the new version is proved by every path."""
    name = f"disputed_{template}"
    recipe = recipe_of(manhattan, "mapeval", ["manhattan"], 0.0, 2)
    one = replace(recipe.benchmark, templates={template: recipe.benchmark.templates[template]})
    made = make(manhattan, replace(recipe, benchmark=one))
    publish(manhattan, name, made)
    wrong = give_another_answer(manhattan, tampering(superuser_of), name, template)
    assert trigpoint(manhattan, "verify", name).status == 1
    corrected = decide(manhattan, open_dispute(manhattan, name, wrong), "correct")
    assert (corrected.status, corrected.json["outcome"]) == (0, "corrected"), corrected.err
    told = trigpoint(manhattan, "verify", f"{name}@2", "--json")
    assert (told.status, told.json["context"]["agree"], told.json["tool_plan"]["agree"]) == (0, 2, 2)
    voided = decide(manhattan, open_dispute(manhattan, f"{name}@2", wrong), "void")
    assert (voided.status, voided.json["outcome"]) == (0, "voided"), voided.err
    (left,) = lines(export(manhattan, f"{name}@3", manhattan.local_dir / name, "--with-gold"))
    (other,) = [record for record in made.records if record.id != wrong]
    assert (left["id"], left["gold"]["index"]) == (other.id, other.gold["index"])
