"""Chromium over every page: two widths, light and dark, with and without scripts; axe-core; screenshots are kept.

No console error, no request to anywhere else, no serious fault, nothing that scrolls sideways, the same words without
scripts. The screenshots lie in .local/walk/screenshots.
"""

import csv
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from sqlalchemy import text

from app.core.settings import PROJECT_ROOT, Role, Settings
from app.dashboard import reading
from app.db.engine import connect
from tests.support.command_line import generate, trigpoint
from tests.support.factories import FAILED, MISSING, make_run, make_version
from tests.support.inspected_dataset import make_inspected
from tests.support.random_edits import Edit, Editing
from tests.support.scored_runs import make_knowledge_board, score
from tests.support.service import serving
from tests.support.town import TIMESTAMP, import_map, make_town
from tests.support.turns import in_turn

pytestmark = pytest.mark.long
WALK = PROJECT_ROOT / ".local" / "walk"
SCREENSHOTS = WALK / "screenshots"
WALKER = Path(__file__).parent / "walker.py"
TOWN = {"open": "gsqa", "choices": "urban_knowledge"}
LATER = "2024-08-06T07:08:09Z"
EDITS = [Edit("move", target, 0, 90, 160.0) for target in range(0, 90, 3)]
EDITS += [Edit("name", target, 1, 0, 0.4) for target in range(0, 60, 5)]


class Made(NamedTuple):
    settings: Settings
    address: str
    pages: dict[str, str]
    running: int


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    if not (WALK / "bin" / "python").is_file():
        pytest.fail(f"{WALK} is absent: scripts/browser makes it")
    settings = make_database()
    folder = tmp_path_factory.mktemp("walk")
    import_map(settings, make_town().write(folder / "town.osm"), "town")
    for name, benchmark in TOWN.items():
        done = generate(
            settings, benchmark, "town", name, "--per-template", "2", "--bank", "6", "--hidden", "0.3"
        )
        assert done.status == 0, done.err
        for solver in ("oracle", "random"):
            assert trigpoint(settings, "evaluate", name, "--solver", solver).status == 0
    _keep_up(settings, folder)
    _review(settings, folder, "choices")
    board = make_knowledge_board(settings)
    hostile = make_inspected(settings)
    _reject(settings, hostile.map.schema)
    make_version(settings, [], name="empty", made_map=board.version.map)
    failed = make_run(
        settings, hostile, [FAILED] * 3, "org/model/with/slashes 🧭 <b>" + "n" * 200, status="incomplete"
    )
    running = make_run(settings, hostile, ["A", MISSING, MISSING], "under way", status="running")
    answers = folder / "answers.jsonl"
    answers.write_text("".join(json.dumps({"id": one, "answer": "B"}) + "\n" for one in hostile.questions))
    assert trigpoint(settings, "submit", "shown", str(answers), "--name", "sent in").status == 0
    said = ("--reason", "ambiguous", "--text", "two museums bear the name")
    assert trigpoint(settings, "dispute", "open", "shown", hostile.questions[0], *said).status == 0
    with serving(settings) as address:
        pages = _pages(settings, address)
        pages |= {
            "question_hidden": f"/datasets/shown/questions/{hostile.questions[1]}",
            "question_hostile": f"/datasets/shown/questions/{hostile.questions[2]}",
            "run_failed": f"/runs/{failed}",
            "run_under_way": f"/runs/{running}",
        }
        yield Made(settings, address, pages, running)


def _keep_up(settings: Settings, folder: Path) -> None:
    """A data set that was taken to a later map of the town, in which places moved and got other names."""
    counts = ("--per-template", "2", "--bank", "4")
    assert generate(settings, "gsqa", "town", "kept_up", *counts).status == 0
    edited = Editing(make_town().xml().replace(TIMESTAMP, LATER), LATER)
    edited.apply(EDITS)
    import_map(settings, edited.write(folder / "later.osm"), "town")
    done = trigpoint(settings, "refresh", "kept_up", "--snapshot", "town", "--json")
    assert done.status == 0, done.err


def _review(settings: Settings, folder: Path, dataset: str) -> None:
    """Two people's marks of a sample, two apart."""
    sheet = folder / "review.csv"
    size = ("--size", "20", "--seed", "1")
    assert trigpoint(settings, "review", "sample", dataset, *size, "--to", str(sheet)).status == 0
    with sheet.open(newline="") as file:
        rows = list(csv.DictReader(file))
    for name, ambiguous in (("ada", (3, 8, 11)), ("ben", (3,))):
        marked = folder / f"{name}.csv"
        with marked.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            marks = ("ambiguous" if number in ambiguous else "natural" for number in range(len(rows)))
            writer.writerows({**row, "mark": mark} for row, mark in zip(rows, marks, strict=True))
        done = trigpoint(settings, "review", "load", dataset, str(marked), "--reviewer", name)
        assert done.status == 0, done.err


def _reject(settings: Settings, schema: str) -> None:
    """Objects that the village's import could not take, one with a name that is markup."""
    with connect(settings, Role.OWNER) as owner:
        owner.execute(
            text(
                f"create table {schema}.reject as select 'w' as osm_type, number as osm_id, 'w' || number as osm_key,"
                " 'park' as layer, '<i>Park' as name, 'line_not_area' as reason, 'the way is not closed' as detail,"
                " st_setsrid(st_makepoint(9.5 + number / 1000.0, 47.1), 4326) as place"
                " from generate_series(1, 5) as number"
            )
        )
        owner.commit()


def _pages(settings: Settings, address: str) -> dict[str, str]:
    """Every kind of page, and a question of a third of the templates that the town has, in turn."""
    one_a_template = (
        "select distinct on (template) template, dataset.name, question.id from question"
        " join dataset_version as version on version.id = version_id join dataset on dataset.id = dataset_id"
        " where dataset.name = any(:names) and split = 'public' order by template, position"
    )
    with connect(settings, Role.MAINTAINER) as connection:
        found = connection.execute(text(one_a_template), {"names": list(TOWN)}).all()
        run = connection.execute(text("select max(id) from run where label = 'random'")).scalar_one()
        paper = connection.execute(text("select min(id) from run where label = 'random'")).scalar_one()
    assert len({row.template for row in found}) > 20
    town, village = (
        httpx.get(f"{address}/v1/snapshots?name={name}").json()["snapshots"][0]["snapshot"]
        for name in ("town", "village")
    )
    return {
        "index": "/",
        "board": "/leaderboards/toy_knowledge",
        "board_town": "/leaderboards/choices",
        "heat": "/leaderboards/toy_knowledge/templates",
        "compare": "/leaderboards/toy_knowledge/compare",
        "dataset_open": "/datasets/open",
        "dataset_choices": "/datasets/choices",
        "dataset_empty": "/datasets/empty",
        "churn": "/datasets/open/churn",
        "questions": "/datasets/choices/questions",
        "questions_none": "/datasets/choices/questions?words=%3Cscript%3E&split=hidden",
        "runs": "/runs",
        "run": f"/runs/{run}",
        "paper": f"/papers/gsqa?run={paper}",
        "snapshots": "/snapshots",
        "snapshot": f"/snapshots/{town}",
        "snapshot_rejects": f"/snapshots/{village}",
        "tools": f"/snapshots/{town}/tools",
        "tool": f"/snapshots/{town}/tools/nearby",
        "churn_refreshed": "/datasets/kept_up/churn",
        "dataset_refreshed": "/datasets/kept_up",
        "submissions": "/submissions",
        "disputes": "/disputes",
        "rest": "/rest",
        "geoflow": "/geoflow",
        "missing": "/datasets/nope",
        **{
            f"question_{row.template}": f"/datasets/{row.name}/questions/{row.id}"
            for row in in_turn(found, 3)
        },
    }


@pytest.fixture(scope="module")
def walked(made: Made) -> list[dict[str, Any]]:
    shutil.rmtree(SCREENSHOTS, ignore_errors=True)
    SCREENSHOTS.mkdir(parents=True)
    found = _walk(made.address, made.pages)
    assert len(found) == 4 * len(made.pages)
    return found


def _walk(address: str, pages: dict[str, str]) -> list[dict[str, Any]]:
    """What the walker found of each page in each look; its screenshots are kept."""
    command = [str(WALK / "bin" / "python"), str(WALKER), "look", address, str(SCREENSHOTS)]
    done = subprocess.run(
        command, input=json.dumps(pages), capture_output=True, text=True, timeout=1500, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def faults(walked: list[dict[str, Any]], of: Callable[[dict[str, Any]], Any]) -> list[str]:
    return [f"{one['page']}, {one['look']}: {of(one)}" for one in walked if of(one)]


def test_no_console_error(walked: list[dict[str, Any]]) -> None:
    expected = "Failed to load resource: the server responded with a status of 404 (Not Found)"
    assert (
        faults(
            walked,
            lambda one: [said for said in one["console"] if said != expected or one["page"] != "missing"],
        )
        == []
    )


def test_no_request_leaves_the_machine(walked: list[dict[str, Any]]) -> None:
    assert faults(walked, lambda one: one["elsewhere"]) == []


def test_every_page_is_there(walked: list[dict[str, Any]]) -> None:
    assert faults(walked, lambda one: one["status"] != (404 if one["page"] == "missing" else 200)) == []


def test_axe_finds_no_serious_fault(walked: list[dict[str, Any]]) -> None:
    assert faults(walked, lambda one: one["faults"]) == []


def test_nothing_scrolls_sideways(walked: list[dict[str, Any]]) -> None:
    assert faults(walked, lambda one: one["sideways"] > 0) == []


def test_what_became_of_answers_is_seen_at_every_width(walked: list[dict[str, Any]]) -> None:
    assert faults(walked, lambda one: one["cut"]) == []


def test_the_keyboard_comes_first_to_the_content(walked: list[dict[str, Any]]) -> None:
    assert faults(walked, lambda one: one.get("first", "skip") != "skip") == []


def test_pages_say_the_same_without_scripts(walked: list[dict[str, Any]]) -> None:
    said = {(one["page"], one["look"]): one["text"] for one in walked}
    for page in {page for page, _ in said}:
        assert said[page, "phone light with scripts"] == said[page, "phone light without scripts"], page


@pytest.mark.usefixtures("walked")
def test_a_slow_database_is_said_in_every_look(made: Made) -> None:
    """While a table is locked its page says so, and looks like the others."""
    with (
        pytest.MonkeyPatch.context() as patch,
        connect(made.settings, Role.OWNER) as owner,
    ):
        patch.setattr(reading, "PATIENCE_MS", 300)
        owner.execute(text("lock table trigpoint.dispute in access exclusive mode"))
        found = _walk(made.address, {"slow": "/disputes"})
        owner.rollback()
    assert [(one["status"], one["faults"], one["elsewhere"]) for one in found] == [(503, [], [])] * 4
    for one in found:
        assert one["sideways"] <= 0
        assert "The database does not answer at the moment" in one["text"]


def test_a_runs_page_keeps_itself_up_to_date(made: Made) -> None:
    command = [str(WALK / "bin" / "python"), str(WALKER), "live", f"{made.address}/runs/{made.running}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as walker:
        assert walker.stdout is not None
        assert walker.stdout.readline() == "open\n"
        with connect(made.settings, Role.WORKER) as connection:
            connection.execute(
                text("update run set status = 'incomplete', finished_at = created_at where id = :run"),
                {"run": made.running},
            )
            connection.commit()
        score(made.settings, made.running)
        out, _ = walker.communicate(timeout=60)
    assert walker.returncode == 0
    *console, status = json.loads(out)
    assert console == []
    assert "incomplete" in status
