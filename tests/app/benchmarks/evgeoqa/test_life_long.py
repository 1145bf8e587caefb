"""Questions of EVGeoQA after they are made: what hides their gold, and a later map. On Liechtenstein with planted stations."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import osmium
import pytest
from osmium.osm import Location

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.exports.formats import FORMATS
from app.questions.generating import Generated, Recipe, generate
from app.questions.records import SnapshotRef
from app.questions.refresh.changes import Pair
from app.questions.refresh.comparing import differences
from app.questions.refresh.refreshing import refresh
from app.questions.snapshots import find_snapshots
from app.questions.tool_plans import NO_PLAN, TOOL_PLAN
from osm_import.comparing import compare_snapshots
from osm_import.planting import plant
from tests.support.command_line import export, lines, trigpoint
from tests.support.errata import decide, give_another_answer, open_dispute, tampering
from tests.support.hidden_gold import leaks, publish
from tests.support.planted_secrets import PLANTED
from tests.support.town import benchmarks, import_map

pytestmark = pytest.mark.long
NAME = "evgeoqa"
NUMBER = 30
LATER = "2022-07-25T20:21:51Z"


@pytest.fixture(scope="module")
def planted(extracts: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Liechtenstein with 120 charging stations."""
    target = tmp_path_factory.mktemp("planted") / "planted.osm.pbf"
    plant(extracts / "liechtenstein-2022-07-24.osm.pbf", target, "charging_station", 120, 1)
    return target


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings], planted: Path) -> Settings:
    """A database with that map."""
    made = make_database()
    import_map(made, planted, "planted")
    return made


def recipe_of(snapshots: list[SnapshotRef], hidden: float) -> Recipe:
    """A few questions, some of them hidden."""
    secret = f"{PLANTED}_secret" if hidden else None
    return Recipe(
        benchmarks()[NAME], snapshots, 3, 2 * NUMBER, NUMBER, hidden, secret_draws=hidden > 0, secret=secret
    )


def make(settings: Settings, hidden: float) -> tuple[Recipe, Generated]:
    """The questions, and how they are made."""
    with connect(settings, Role.WORKER) as connection:
        recipe = recipe_of(find_snapshots(connection, ["planted"]), hidden)
        return recipe, generate(connection, recipe, lambda *told: None)


def test_nothing_that_leads_to_hidden_gold_leaves(settings: Settings) -> None:
    """Neither plans, nor why there is none, nor what proofs hold: by exports, pages and REST."""
    _, made = make(settings, 0.5)
    kinds = {kind for one in made.records if one.split == "hidden" for kind in one.solutions}
    assert kinds == {TOOL_PLAN, NO_PLAN}
    assert leaks(settings, NAME, made, [*FORMATS]) == []


def edit(source: Path, target: Path) -> None:
    """A day later: of places with a name, some have closed, some have moved 80 m, and some have another name."""
    header = osmium.io.Reader(str(source)).header()
    header.set("osmosis_replication_timestamp", LATER)
    with osmium.SimpleWriter(str(target), header=header, overwrite=True) as writer:
        for read in osmium.FileProcessor(str(source)):
            one: Any = read
            tags = dict(one.tags)
            if one.is_node() and "name" in tags and {"amenity", "shop", "tourism"} & {*tags}:
                fate = one.id % 12
                if fate == 0:
                    continue
                if fate == 1:
                    one = one.replace(location=Location(one.location.lon + 0.001, one.location.lat))
                if fate == 2:
                    one = one.replace(tags=tags | {"name": f"{tags['name']} II"})
            writer.add(one)


def test_a_later_map_by_increments_is_the_later_map_asked_anew(
    settings: Settings, planted: Path, tmp_path: Path
) -> None:
    """Kept, updated and replaced questions alike, with their plans."""
    edit(planted, tmp_path / "later.osm.pbf")
    if planted.with_name("planted.poly").is_file():
        shutil.copy(planted.with_name("planted.poly"), tmp_path / "later.poly")
    import_map(settings, tmp_path / "later.osm.pbf", "later")
    recipe, made = make(settings, 0.0)
    version = publish(settings, "stops", made)
    with connect(settings, Role.WORKER) as connection:
        (after,) = find_snapshots(connection, ["later"])
        comparison = compare_snapshots(settings, recipe.snapshots[0].schema, after.schema, SystemClock())
        pair = Pair(recipe.snapshots[0], after, comparison.id)
        few, anew = (refresh(connection, version, recipe, pair, full) for full in (False, True))
    assert few.counts["kept"] + few.counts["updated"] + few.counts["replaced"] == NUMBER
    assert few.counts["updated"] > 0
    assert few.counts["replaced"] > 0
    assert differences(few, anew) == []


def test_a_disputed_question_is_corrected_or_left_out_in_a_new_version(
    settings: Settings, superuser_of: Callable[[Settings], str]
) -> None:
    """The stations get their order again, by every path; then the question is left out."""
    _, made = make(settings, 0.0)
    few = [one for one in made.records if len(one.gold["stations"]) > 1][:2]
    publish(settings, "disputed", replace(made, records=few))
    wrong = give_another_answer(settings, tampering(superuser_of), "disputed", few[0].template)
    assert trigpoint(settings, "verify", "disputed").status == 1
    corrected = decide(settings, open_dispute(settings, "disputed", wrong), "correct")
    assert (corrected.status, corrected.json["outcome"]) == (0, "corrected"), corrected.err
    told = trigpoint(settings, "verify", "disputed@2", "--json")
    assert (told.status, told.json["second_path"]["agree"], told.json["failures"]) == (0, 2, [])
    voided = decide(settings, open_dispute(settings, "disputed@2", wrong), "void")
    assert (voided.status, voided.json["outcome"]) == (0, "voided"), voided.err
    (left,) = lines(export(settings, "disputed@3", settings.local_dir / "disputed", "--with-gold"))
    (other,) = [record for record in few if record.id != wrong]
    assert (left["id"], left["gold"]["stations"]) == (other.id, other.gold["stations"])
